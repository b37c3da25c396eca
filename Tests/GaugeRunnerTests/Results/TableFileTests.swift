// Table files: records with their lines, comments between them, and complaints that name line and field.

import Testing

@testable import GaugeRunner

@Suite struct TableFileTests {
  func read(_ text: String, mayBreakOff: Bool = false) throws -> TableFile {
    try TableFile(Array(text.utf8), path: "t.csv", columns: ["name", "value"], mayBreakOff: mayBreakOff)
  }

  func complaint(_ text: String) -> String {
    do {
      for row in try read(text).rows { _ = try row.number("value") }
      return ""
    } catch {
      return "\(error)"
    }
  }

  @Test func `more records than are taken are refused`() throws {
    let text = Array("name,value\na,1\nb,2\n".utf8)
    #expect(try TableFile(text, path: "t.csv", columns: ["name", "value"], mostRows: 2).rows.count == 2)
    #expect(
      throws: ResultFile.Failure.malformed(path: "t.csv", line: 3, field: nil, message: "more than 1 records")
    ) { try TableFile(text, path: "t.csv", columns: ["name", "value"], mostRows: 1) }
  }

  @Test func `rows know their lines, comments and empty lines are no rows`() throws {
    let file = try read("# head\nname,value\na,1\n\n# between\n\"b,c\",2.5\r\n")
    #expect(file.rows.map(\.line) == [3, 6])
    #expect(file.rows.map { $0["name"] } == ["a", "b,c"])
    #expect(try file.rows.map { try $0.number("value") } == [1, 2.5])
    #expect(file.comments.map(\.line) == [1, 5])
    #expect(file.comments.map(\.text) == [" head", " between"])
  }

  @Test(arguments: [
    ("name,value\na,x\n", "t.csv:2: field 'value': expected a number, found 'x'"),
    ("name,value\na,nan\n", "t.csv:2: field 'value': expected a number, found 'nan'"),
    ("name,value\na\n", "t.csv:2: expected 2 fields, found 1"),
    ("name\n", "t.csv:1: expected the fields name,value, found name"),
    ("# only\n", "t.csv:1: expected the fields name,value, found the end of the file"),
    ("", "t.csv:1: expected the fields name,value, found the end of the file"),
    ("name,value\na,\"1\n", "t.csv:2: field 'value': the quote is never closed"),
    ("name,value\na,b\"1\n", "t.csv:2: field 'value': a quote within an unquoted field"),
  ])
  func `complaints name line and field`(text: String, expected: String) {
    #expect(complaint(text) == expected)
  }

  @Test func `a last line may lack its line feed, or be left out`() throws {
    #expect(try read("name,value\na,1").rows.count == 1)
    let file = try read("name,value\na,1\nb,", mayBreakOff: true)
    #expect(file.rows.count == 1)
    #expect(file.broken?.line == 3)
    #expect(file.broken?.offset == 15)
  }

  @Test func `other bytes than UTF-8 are refused`() {
    #expect(throws: ResultFile.Failure.malformed(path: "t.csv", line: 2, field: nil, message: "not UTF-8 text")) {
      try TableFile(Array("name,value\n".utf8) + [0xff, 0x0a], path: "t.csv", columns: ["name", "value"])
    }
  }
}
