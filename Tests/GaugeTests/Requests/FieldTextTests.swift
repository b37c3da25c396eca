// Escaping of text in tab-separated lines.

import Testing

@testable import Gauge

@Suite struct FieldTextTests {
  @Test(arguments: [
    ("", ""), ("plain", "plain"), ("a\tb", "a\\tb"), ("a\nb", "a\\nb"), ("a\r\nb", "a\\r\\nb"), ("\\", "\\\\"),
    ("\\t", "\\\\t"), ("é\u{301}🇩🇪", "é\u{301}🇩🇪"), ("\0", "\0"),
  ])
  func escapes(text: String, field: String) {
    #expect(FieldText.escape(text) == field)
    #expect(FieldText.unescape(field) == text)
  }

  @Test(arguments: ["\\", "a\\", "\\x", "\\\\\\", "\\ n"])
  func refusesEscapesThatAreNeverWritten(field: String) {
    #expect(FieldText.unescape(field) == nil)
  }
}
