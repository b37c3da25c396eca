// A small table kept in git: CSV with a header, and comment lines between its records.

/// The rows of a table file, each of which knows its line.
struct TableFile {
  /// A record.
  struct Row {
    /// 1-based line that it stands on.
    let line: Int
    fileprivate let path: String
    /// Names of the fields, which all rows share.
    fileprivate let columns: [String]
    fileprivate let fields: [String]

    /// A field as it is.
    subscript(_ column: String) -> String {
      guard let index = columns.firstIndex(of: column) else { preconditionFailure("there is no column \(column)") }
      return fields[index]
    }

    /// A field that must not be empty.
    func name(_ column: String) throws(ResultFile.Failure) -> String {
      guard !self[column].isEmpty else { throw wrong(column, "expected a name") }
      return self[column]
    }

    /// A field that is a number, not infinite and not absurd.
    func number(_ column: String) throws(ResultFile.Failure) -> Double {
      guard let number = ResultFormat.number(self[column]) else { throw wrong(column, "expected a number") }
      return number
    }

    /// A field that is a whole number from a least one.
    func count(_ column: String, from least: Int = 0) throws(ResultFile.Failure) -> Int {
      guard let count = ResultFormat.count(self[column], from: least) else {
        throw wrong(column, "expected a whole number from \(least)")
      }
      return count
    }

    /// A field that is one of some words.
    func word<Word: RawRepresentable & CaseIterable>(
      _ column: String
    ) throws(ResultFile.Failure) -> Word where Word.RawValue == String {
      guard let word = Word(rawValue: self[column]) else {
        throw wrong(column, "expected one of " + Word.allCases.map(\.rawValue).joined(separator: ", "))
      }
      return word
    }

    /// Refuses a field that is longer than some bytes.
    func expect(_ column: String, atMost most: Int) throws(ResultFile.Failure) {
      guard self[column].utf8.count <= most else { throw wrong(column, "expected at most \(most) bytes") }
    }

    /// A complaint about a field.
    func wrong(_ column: String, _ expected: String) -> ResultFile.Failure {
      .malformed(path: path, line: line, field: column, message: "\(expected), found '\(excerpt(of: self[column]))'")
    }
  }

  /// Most records of a file.
  static let mostRows = 1_000_000

  /// The records, in order.
  private(set) var rows: [Row] = []
  /// Lines that begin with `#`, without it, each with its number.
  private(set) var comments: [(line: Int, text: String)] = []
  /// 1-based number of the last line and the bytes before it, where it breaks off.
  private(set) var broken: (line: Int, offset: Int)?

  /// Reads the text of a file.
  ///
  /// - Parameters:
  ///   - bytes: The text.
  ///   - path: Name of the file in complaints.
  ///   - columns: The header that it must have.
  ///   - mostRows: Records that are taken.
  ///   - mayBreakOff: Whether a last line without its line feed is left out; else it counts as a line like the others.
  /// - Throws: `ResultFile.Failure.malformed` with line and field.
  init(
    _ bytes: [UInt8], path: String, columns: [String], mostRows: Int = mostRows, mayBreakOff: Bool = false
  ) throws(ResultFile.Failure) {
    func wrong(_ line: Int, _ message: String, field: Int? = nil) -> ResultFile.Failure {
      let name = field.flatMap { columns.indices.contains($0) ? columns[$0] : nil }
      return .malformed(path: path, line: line, field: name, message: message)
    }
    var hasHeader = false
    var (number, next) = (0, 1)
    var (start, position) = (0, 0)
    while position < bytes.count {
      (number, start) = (next, position)
      let lineEnd = bytes[start...].firstIndex(of: UInt8(ascii: "\n"))
      let line = bytes[start..<(lineEnd ?? bytes.count)]
      if lineEnd == nil, mayBreakOff {
        broken = (number, start)
        break
      }
      let isComment = line.first == UInt8(ascii: "#")
      if isComment || String(decoding: line, as: UTF8.self).allSatisfy(\.isWhitespace) {
        guard let text = String(validating: line, as: UTF8.self) else { throw wrong(number, "not UTF-8 text") }
        if isComment { comments.append((number, String(text.unicodeScalars.dropFirst()))) }
        (position, next) = (start + line.count + 1, number + 1)
        continue
      }
      if ["<<<<<<<", "=======", ">>>>>>>"].contains(where: { line.starts(with: $0.utf8) }) {
        throw wrong(number, "git has left a conflict here: take one of its sides")
      }
      guard rows.count < mostRows else { throw wrong(number, "more than \(mostRows) records") }
      let record: CSV.Record
      do {
        // A field in quotation marks may go on on the next lines.
        record = try CSV.record(bytes[...], &position, &next, CSV.Limits())
      } catch {
        throw wrong(error.line, error.message, field: error.field)
      }
      if !record.isWhole, mayBreakOff {
        broken = (number, start)
        break
      }
      guard String(validating: bytes[start..<position], as: UTF8.self) != nil else {
        throw wrong(number, "not UTF-8 text")
      }
      guard record.isWhole || bytes[start..<position].count(where: { $0 == UInt8(ascii: "\"") }).isMultiple(of: 2)
      else {
        throw wrong(number, "the quote is never closed")
      }
      if !hasHeader {
        guard record.fields == columns else {
          let found = excerpt(of: record.fields.joined(separator: ","))
          throw wrong(number, "expected the fields \(columns.joined(separator: ",")), found \(found)")
        }
        hasHeader = true
        continue
      }
      guard record.fields.count == columns.count else {
        throw wrong(number, "expected \(columns.count) fields, found \(record.fields.count)")
      }
      rows.append(Row(line: number, path: path, columns: columns, fields: record.fields))
    }
    guard hasHeader else {
      throw wrong(max(1, number), "expected the fields \(columns.joined(separator: ",")), found the end of the file")
    }
  }

  /// The bytes of a file.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - isTyped: Whether somebody has named it. What is looked for by itself must be a file that is no link, as
  ///     anybody's change may have put it there.
  /// - Throws: `ResultFile.Failure.missing` or `.unreadable`; `.malformed` where a byte order mark, which nobody sees,
  ///   is in front.
  static func contents(of path: String, isTyped: Bool) throws(ResultFile.Failure) -> [UInt8] {
    let bytes: [UInt8]
    do throws(SystemError) {
      bytes =
        try isTyped
        ? Files.contents(of: path, limit: ResultFormat.mostBytes, mayBePipe: true)
        : Files.plainContents(of: path, limit: ResultFormat.mostBytes)
    } catch {
      throw error.isMissingFile ? .missing(path: path) : .unreadable(path: path, reason: error.reason)
    }
    guard !bytes.starts(with: "\u{FEFF}".utf8) else {
      throw .malformed(
        path: path, line: 1, field: nil, message: "the file begins with a byte order mark: save it as UTF-8 without one"
      )
    }
    return bytes
  }
}
