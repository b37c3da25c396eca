// Which names a pattern fits.

import Testing

@testable import GaugeRunner

@Suite struct GlobTests {
  @Test(arguments: [
    ("subject/*", "subject/passthrough/send", true), ("subject/*", "subjects", false), ("*", "", true),
    ("*send", "subject/send", true), ("*send", "subject/sender", false), ("a*b*c", "a-b-b-c", true),
    ("a*b*c", "a-c-b", false), ("a?c", "abc", true), ("a?c", "ac", false), ("", "", true), ("", "a", false),
    ("a[n=1]", "a[n=1]", true), ("a[n=1]", "an", false), ("*[n=1*", "a/b[n=10;m=2]", true), ("a**", "a", true),
    ("*a*a*a*a*b", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", false), ("é?", "éü", true),
  ])
  func `a pattern fits whole names`(pattern: String, name: String, fits: Bool) {
    #expect(Glob(pattern).matches(name) == fits)
  }

  @Test func `a benchmark is found by its name alone and with its parameters`() {
    let point = BenchmarkPoint.sample("subject/send", "sinks=10")
    for pattern in ["subject/send", "subject/send[sinks=10]", "*[sinks=1*", "subj*"] {
      #expect(Glob(pattern).matches(point))
    }
    for pattern in ["subject", "subject/send[sinks=1]", "*sinks=10"] { #expect(!Glob(pattern).matches(point)) }
  }
}
