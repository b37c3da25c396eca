// Tests of decoding JSON that others may have written.

import Testing

@testable import GaugeRunner

@Suite struct StrangersJSONTests {
  @Test func `text that is nested without end is refused`() throws {
    let error = #expect(throws: DecodingError.self) {
      try decoded([String].self, fromJSON: Array(repeating: UInt8(ascii: "["), count: 513))
    }
    guard case .dataCorrupted(let context)? = error else { return }
    #expect(context.debugDescription == "it is nested more than 100 deep")
  }

  @Test func `brackets within texts nest nothing`() throws {
    let text = String(repeating: "[{", count: 200) + "\\\"[\\\\"
    let found = try decoded([String].self, fromJSON: "[\"\(text)\", \"]\"]".utf8)
    #expect(found == [String(repeating: "[{", count: 200) + "\"[\\", "]"])
  }

  @Test func `what is closed again nests nothing`() throws {
    let found = try decoded([[Int]].self, fromJSON: "[\((1...300).map { "[\($0)]" }.joined(separator: ","))]".utf8)
    #expect(found.count == 300)
  }
}
