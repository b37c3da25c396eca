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
    ("a\"\u{301},b", "\"a\"\"\u{301},b\""), ("\u{600}\"", "\"\u{600}\"\"\""), ("a\r\nb", "\"a\r\nb\""),
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

  @Test(arguments: [
    ("a\nb\nc\n", CSV.FormatError(line: 3, field: 0, message: "more than 2 records")),
    ("a\nb,c,d,e\n", CSV.FormatError(line: 2, field: 3, message: "more than 3 fields")),
    ("a,bcdefghi\n", CSV.FormatError(line: 1, field: 1, message: "more than 4 bytes")),
    ("a,\"bc\ndefg\"\n", CSV.FormatError(line: 1, field: 1, message: "more than 4 bytes")),
  ])
  func `too much of anything is refused with its place`(text: String, error: CSV.FormatError) {
    let limits = CSV.Limits(records: 2, fields: 3, fieldBytes: 4)
    #expect(throws: error) { try CSV.records(Array(text.utf8)[...], firstLine: 1, limits: limits) }
  }

  @Test func `a quote that the end of the file cuts off is a broken-off record`() throws {
    let records = try CSV.records(Array("a\nb,\"c".utf8)[...], firstLine: 1)
    #expect(records.last == CSV.Record(line: 2, fields: ["b", "c"], isWhole: false))
  }
}
