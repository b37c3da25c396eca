// The table of a run on a terminal.

import Gauge
import GaugeRunner
import Testing

@Suite struct ResultsTextTests {
  /// Two families: a grid with long parameters, and metrics of every kind.
  private static var suite: Results {
    var results = Results.run()
    for (size, time) in [("16", 12.3), ("1024", 820), ("16384", 13_000)] {
      let parameters = "size=\(size);when-full=drop-newest"
      results.add(
        .time, [time * 0.99, time, time, time * 1.01], to: "buffer/fill-drain/shared", parameters: parameters)
      results.add(.timePerElement, [1.2], to: "buffer/fill-drain/shared", parameters: parameters)
      results.add(.throughput, [8e8], to: "buffer/fill-drain/shared", parameters: parameters)
      results.add(.allocations, [2], to: "buffer/fill-drain/shared", parameters: parameters)
    }
    results.add(.time, [45_000_000], to: "subject/send")
    results.add(.throughput, [22], to: "subject/send")
    results.add(.allocations, unavailable: "no hooks", to: "subject/send")
    results.add(.retains, unavailable: "no valgrind", to: "subject/send")
    results.add(.instructions, unavailable: "no valgrind", to: "subject/send")
    results.add(.time, [15.63], to: "subject/merge")
    results.add(.throughput, [64e6], to: "subject/merge")
    results.add(.allocations, [1, 3], to: "subject/merge")
    results.add(.retains, [1.000001], to: "subject/merge")
    results.add(.instructions, [123_456.7], to: "subject/merge")
    results.add(Metric("depth", unit: "frames"), [3.25], to: "subject/merge")
    results.add(.latency(percentile: "99"), [90], to: "subject/merge")
    return results
  }

  private func table(_ width: Int, colour: Bool = false) -> String {
    resultsText(Self.suite, colour: colour, width: width)
  }

  @Test func `a table of 80 columns`() {
    #expect(
      table(80) == """
        buffer                                    time [ns]      ±  element [ns]  allocs
          fill-drain/shared
            size=16;when-full=drop-newest              12.3  1.0 %          1.20       2
            size=1024;when-full=drop-newest             820  1.0 %          1.20       2
            size=16384;when-full=drop-newest          13000  1.0 %          1.20       2

        subject       time      rate  allocs   retains  instrs  depth [frames]  p99 [ns]
          merge    15.6 ns  64.0 M/s     1–3  1.000001  123457            3.25      90.0
          send     45.0 ms   22.0 /s     [1]       [2]     [2]               –         –

        Medians over launches; ± is half of their 95 % interval.
        [1] unavailable: no hooks
        [2] unavailable: no valgrind
        Not shown: throughput. A wider terminal shows more, 'gauge report --format html'
        all.
        Xeon, 6.1.

        """)
  }

  @Test func `a table of 132 columns`() {
    #expect(
      table(132) == """
        buffer                                                 time [ns]      ±  element [ns]  allocs  rate [M/s]
          fill-drain/shared[size=16;when-full=drop-newest]          12.3  1.0 %          1.20       2         800
          fill-drain/shared[size=1024;when-full=drop-newest]         820  1.0 %          1.20       2         800
          fill-drain/shared[size=16384;when-full=drop-newest]      13000  1.0 %          1.20       2         800

        subject                                                   time      rate  allocs   retains  instrs  depth [frames]  p99 [ns]
          merge                                                15.6 ns  64.0 M/s     1–3  1.000001  123457            3.25      90.0
          send                                                 45.0 ms   22.0 /s     [1]       [2]     [2]               –         –

        Medians over launches; ± is half of their 95 % interval.
        [1] unavailable: no hooks
        [2] unavailable: no valgrind
        Xeon, 6.1.

        """)
  }

  @Test func `a table of 40 columns`() {
    #expect(
      table(40) == """
        buffer                  time [ns]      ±
          fill-drain/shared
            size=16;when-full=drop-newest
                                     12.3  1.0 %
            size=1024;when-full=drop-newest
                                      820  1.0 %
            size=16384;when-full=drop-newest
                                    13000  1.0 %

        subject           time      rate  allocs
          merge        15.6 ns  64.0 M/s     1–3
          send         45.0 ms   22.0 /s     [1]

        Medians over launches; ± is half of
        their 95 % interval.
        [1] unavailable: no hooks
        Not shown: per element, allocations,
        throughput, retains, instructions,
        depth, p99. A wider terminal shows more,
        'gauge report --format html' all.
        Xeon, 6.1.

        """)
  }

  @Test(arguments: [20, 40, 60, 80, 100, 132, 200]) func `no line is longer than the terminal`(width: Int) {
    for line in table(width).split(separator: "\n") { #expect(line.count <= width, "\(line)") }
  }

  @Test func `there is colour only where it is asked for`() {
    #expect(!table(80).contains("\u{1b}"))
    #expect(table(80, colour: true).hasPrefix("\u{1b}[1mbuffer "))
  }

  @Test func `what was measured where is told as far as it is known`() {
    var results = Self.suite
    results.environment += [
      ("commit", "unavailable: no repository"), ("toolchain", "Swift version 6.3.1 (swift-6.3.1-RELEASE)"),
    ]
    #expect(resultsText(results, colour: false, width: 80).hasSuffix("\nXeon, 6.1, Swift version 6.3.1.\n"))
    results.environment = [("commit", "0123456789abcdef"), ("dirty", "yes")]
    #expect(resultsText(results, colour: false, width: 80).hasSuffix("\ncommit 0123456789ab with changes.\n"))
  }

  @Test func `an empty run says so`() {
    #expect(resultsText(Results(), colour: false, width: 80) == "No measurements.\n")
  }

  /// Each cell looked at all of its column, to know how wide that is, and each title without room at all others.
  @Test func `a run of many rows and columns takes no longer than one of few`() {
    expectUnderAMinute {
      var results = Results.run()
      for number in 0..<5_000 {
        results.add(.time, [2], to: "a/\(number)")
        for metric in 0..<3 { results.add(Metric("own\(metric)_\(number)", unit: "1"), [1], to: "f\(number)/a") }
      }
      let lines = resultsText(results, colour: false, width: 80).split(separator: "\n")
      #expect(lines.allSatisfy { $0.count <= 80 })
      #expect(lines.count > 10_000)
    }
  }
}
