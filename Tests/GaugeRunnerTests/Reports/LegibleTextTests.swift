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

  @Test func `a terminal gets this program's own marks and no others`() {
    let own = "\r\u{1b}[K\u{1b}[1ma\u{1b}[0m\n\tb\u{1b}[31mc\u{1b}[32md\u{1b}[33me\u{1b}[0m"
    #expect(terminalText(own) == own)
    for evil in ["\u{1b}]0;x\u{7}", "\u{1b}[2J", "\u{1b}[1;1H", "\r", "\u{9b}2J", "\u{8}", "\u{202e}", "\u{1b}[31"] {
      let shown = terminalText("a\(evil)b")
      #expect(!shown.unicodeScalars.contains { $0.isControl }, "\(evil.debugDescription)")
      #expect(shown.unicodeScalars.first == "a" && shown.unicodeScalars.last == "b")
    }
  }
}
