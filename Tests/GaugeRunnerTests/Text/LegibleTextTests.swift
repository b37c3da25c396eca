// What people are shown of others' texts.

import Testing

@testable import GaugeRunner

@Suite struct LegibleTextTests {
  @Test(arguments: [
    ("plain é 🙂", "plain é 🙂"), ("a\nb\r\nc\rd\u{85}e\u{2028}f\u{b}g", "a b c d e f g"), ("a\tb", "a b"),
    ("\u{1b}[2J\u{7}\u{9b}31m\u{0}", "\u{fffd}[2J\u{fffd}\u{fffd}31m\u{fffd}"),
    ("\u{202e}evil\u{202c}\u{2066}\u{200f}", "\u{fffd}evil\u{fffd}\u{fffd}\u{fffd}"),
    ("\u{600}\u{1b}", "\u{600}\u{fffd}"),
  ])
  func `a text is one line without control characters`(text: String, line: String) {
    #expect(Array(legible(text).unicodeScalars) == Array(line.unicodeScalars))
  }

  @Test func `lines end wherever any program sees an end`() {
    #expect(legibleLines("a\r\n\r\nb\u{2028}c\u{1b}\n") == ["a", "b", "c\u{fffd}"])
  }

  @Test func `a terminal gets nothing that steers it, this program's own marks included`() {
    #expect(plainText("a\n\tb") == "a\n\tb")
    for evil in ["\u{1b}[31m", "\u{1b}[0m", "\r\u{1b}[K", "\u{1b}]0;x\u{7}", "\u{9b}2J", "\u{8}", "\u{202e}"] {
      let shown = plainText("a\(evil)b")
      #expect(!shown.unicodeScalars.contains { $0.isControl }, "\(evil.debugDescription)")
      #expect(shown.unicodeScalars.first == "a" && shown.unicodeScalars.last == "b")
    }
  }

  @Test(arguments: [
    ("::error::x", ":\u{200b}:error::x"), ("  ::add-mask::x", "  :\u{200b}:add-mask::x"), ("a::b", "a::b"),
    ("a ##[error]b", "a #\u{200b}#[error]b"), ("::a ##[b", ":\u{200b}:a #\u{200b}#[b"),
    ("##vso[task.setvariable variable=x]y", "#\u{200b}#vso[task.setvariable variable=x]y"),
    ("a ##teamcity[b", "a #\u{200b}#teamcity[b"), ("###vso[", "##\u{200b}#vso["), ("## vso[", "## vso["), ("", ""),
    (":", ":"),
  ])
  func `no line is a command to who reads the log`(text: String, line: String) {
    #expect(Array(legible(text).unicodeScalars) == Array(line.unicodeScalars))
    #expect(wrapped("name \(text)", indent: 0, width: 4).allSatisfy { !$0.hasPrefix("::") })
  }

  @Test func `a complaint quotes the beginning of a text, on one line`() {
    #expect(excerpt(of: "a\nb") == "a b")
    #expect(excerpt(of: String(repeating: "x", count: 60)) == String(repeating: "x", count: 60))
    #expect(excerpt(of: String(repeating: "x", count: 61)) == String(repeating: "x", count: 60) + "…")
    #expect(excerpt(of: "subject", atMost: 3) == "sub…")
  }
}
