// Quoting and splitting comma-separated values.

import Testing

@testable import GaugeRunner

@Suite struct CSVTests {
  func records(_ text: String) throws -> [[String]] {
    try CSV.records(Array(text.utf8)[...], firstLine: 1).map(\.fields)
  }

  @Test(arguments: [
    ("plain", "plain"), ("", ""), ("a b", "a b"), ("a,b", "\"a,b\""), ("say \"hi\"", "\"say \"\"hi\"\"\""),
    ("two\nlines", "\"two\nlines\""), ("\"", "\"\"\"\""), ("é", "é"),
  ])
  func `a field is quoted only where it must be, and comes back`(text: String, field: String) throws {
    #expect(CSV.field(text) == field)
    #expect(try records(field + ",x\n") == [[text, "x"]])
  }

  @Test func `records know the line they begin on`() throws {
    let records = try CSV.records(Array("a,\"b\nb\"\nc,\r\nd".utf8)[...], firstLine: 10)
    #expect(
      records == [
        CSV.Record(line: 10, fields: ["a", "b\nb"], isWhole: true),
        CSV.Record(line: 12, fields: ["c", ""], isWhole: true),
        CSV.Record(line: 13, fields: ["d"], isWhole: false),
      ])
  }

  @Test(arguments: [
    ("x\na,b\"c\n", CSV.FormatError(line: 2, field: 1, message: "a quote within an unquoted field")),
    ("\"a\"b,c\n", CSV.FormatError(line: 1, field: 0, message: "expected a comma behind the closing quote")),
    ("a,\"b\nc,d\n", CSV.FormatError(line: 1, field: 1, message: "the quote is never closed")),
  ])
  func `misplaced quotes are refused`(text: String, error: CSV.FormatError) {
    #expect(throws: error) { try records(text) }
  }

  @Test func `a quote that the end of the file cuts off is a broken-off record`() throws {
    let records = try CSV.records(Array("a\nb,\"c".utf8)[...], firstLine: 1)
    #expect(records.last == CSV.Record(line: 2, fields: ["b", "c"], isWhole: false))
  }
}
