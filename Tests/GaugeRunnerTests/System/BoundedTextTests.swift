// Which part of a long stream is kept.

import Testing

@testable import GaugeRunner

@Suite struct BoundedTextTests {
  @Test func `the last bytes of a long stream are kept`() {
    var text = BoundedText(keeping: .last, limit: 4)
    for piece in ["ab", "cdefg", "h", "ijklmnopqrstuvw", "xyz"] { text.append(Array(piece.utf8)) }
    #expect(text.text == "wxyz")
  }

  @Test func `the first bytes of a long stream are kept`() {
    var text = BoundedText(keeping: .first, limit: 4)
    for piece in ["ab", "cdefg", "h"] { text.append(Array(piece.utf8)) }
    #expect(text.text == "abcd")
  }

  @Test(arguments: [BoundedText.Part.first, .last]) func `a short stream is kept whole`(part: BoundedText.Part) {
    var text = BoundedText(keeping: part, limit: 10)
    text.append(Array("hello".utf8))
    #expect(text.text == "hello")
  }
}
