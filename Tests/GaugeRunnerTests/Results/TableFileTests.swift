// Table files: records with their lines, comments between them, and complaints that name line and field.

import Foundation
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

  @Test func `a field in quotation marks goes on on the next line, and what follows knows its line`() throws {
    let file = try read("name,value\n\"a\n# no comment\nb\",1\n# one\nc,2\n")
    #expect(file.rows.map { $0["name"] } == ["a\n# no comment\nb", "c"])
    #expect(file.rows.map(\.line) == [2, 6])
    #expect(file.comments.map(\.line) == [5])
    #expect(complaint("name,value\n\"a\nb\",1\nc,x\n") == "t.csv:4: field 'value': expected a number, found 'x'")
  }

  @Test func `of a file that is something else little is quoted`() {
    let secret = String(repeating: "s", count: 200)
    let text = complaint(secret + "\n")
    #expect(text == "t.csv:1: expected the fields name,value, found \(secret.prefix(60))…")
  }

  @Test(arguments: ["0x1p3", "+3", "1_000", "inf"]) func `numbers are decimal`(number: String) {
    #expect(complaint("name,value\na,\(number)\n").hasSuffix("expected a number, found '\(number)'"))
  }

  /// It was told as what was expected: it can't be seen.
  @Test(arguments: [true, false]) func `a byte order mark is named`(isTyped: Bool) throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("\u{FEFF}name,value\n", to: "t.csv")
    #expect(
      throws: ResultFile.Failure.malformed(
        path: file, line: 1, field: nil,
        message: "the file begins with a byte order mark: save it as UTF-8 without one")
    ) { try TableFile.contents(of: file, isTyped: isTyped) }
  }

  @Test func `what is looked for by itself is a file and no link, what is named may be a pipe`() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("secret", to: "file")
    try FileManager.default.createSymbolicLink(atPath: folder("link"), withDestinationPath: file)
    #expect(unsafe mkfifo(folder("pipe"), 0o600) == 0)
    #expect(try TableFile.contents(of: folder("link"), isTyped: true) == Array("secret".utf8))
    for (name, reason) in [("link", "it is a link, which is not followed"), ("pipe", "it is no file")] {
      #expect(throws: ResultFile.Failure.unreadable(path: folder(name), reason: reason)) {
        try TableFile.contents(of: folder(name), isTyped: false)
      }
    }
    #expect(throws: SystemError.self) { try Files.contents(of: folder("pipe")) }
    let writer = Thread { [path = folder("pipe")] in
      guard let pipe = unsafe fopen(path, "w") else { return }
      _ = unsafe fputs("piped", pipe)
      _ = unsafe fclose(pipe)
    }
    writer.start()
    #expect(try TableFile.contents(of: folder("pipe"), isTyped: true) == Array("piped".utf8))
  }
}
