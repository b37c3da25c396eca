// JSON as text, read back by Foundation.

import Foundation
import Testing

@testable import GaugeRunner

@Suite struct JSONTextTests {
  @Test func `values are written as JSON says`() {
    #expect(JSONText.null.text() == "null")
    #expect(JSONText.boolean(true).text() == "true")
    #expect(JSONText.number(3).text() == "3")
    #expect(JSONText.number(0.1).text() == "0.1")
    #expect(JSONText.number(1e300).text() == "1e+300")
    #expect(JSONText.number(.nan).text() == "null")
    #expect(JSONText.array([1, "a"]).text() == "[1, \"a\"]")
    #expect(JSONText.object([]).text() == "{}")
    #expect(JSONText.object([("b", 1), ("a", 2)]).text() == "{\n  \"b\": 1,\n  \"a\": 2\n}")
  }

  @Test func `every character comes back`() throws {
    let text = String(String.UnicodeScalarView((0..<0x180).compactMap(Unicode.Scalar.init))) + "🙂"
    let data = Data(JSONText.array([.string(text), .object([(text, .null)])]).text().utf8)
    let read = try #require(try JSONSerialization.jsonObject(with: data) as? [Any])
    #expect(read[0] as? String == text)
    #expect((read[1] as? [String: Any])?.keys.first == text)
  }
}
