// Comma-separated values after RFC 4180: quoting, and splitting a file into records that know their lines. Ours, as
// Foundation reads none, and a stranger's file has to be refused by line and field.

/// Comma-separated values.
///
/// Fields are data for programs and come back as they were. What a spreadsheet takes for a formula is not changed: who
/// opens a stranger's file there should import it as text.
enum CSV {
  /// One field, quoted where it holds a comma, a quote or a line break.
  static func field(_ text: String) -> String {
    guard text.utf8.contains(where: { $0 == comma || $0 == quote || $0 == lineFeed || $0 == carriageReturn }) else {
      return text
    }
    // Byte by byte: a quote that a combining mark belongs to is one.
    var field = [quote]
    for byte in text.utf8 {
      if byte == quote { field.append(quote) }
      field.append(byte)
    }
    return String(decoding: field + [quote], as: UTF8.self)
  }

  /// One record with its line feed.
  static func record(_ fields: [String]) -> String {
    fields.map(field).joined(separator: ",") + "\n"
  }

  /// A record of a file.
  struct Record: Hashable {
    /// 1-based line that the record begins on.
    var line: Int
    /// Its fields, unquoted.
    var fields: [String]
    /// Whether it ends with a line break; the last record of a file that breaks off doesn't.
    var isWhole: Bool
  }

  /// What is wrong with a file as CSV.
  struct FormatError: Error, Hashable {
    /// 1-based line of the record.
    var line: Int
    /// 0-based field within the record.
    var field: Int
    /// What was expected, and what was found.
    var message: String
  }

  /// How much of a stranger's file is taken.
  struct Limits {
    /// Records of a file.
    var records = 1_000_000
    /// Fields of a record.
    var fields = 64
    /// Bytes of a field.
    var fieldBytes = 1 << 20
  }

  /// Splits a text into records. Lines may end in a line feed, with or without a carriage return before it.
  ///
  /// - Parameters:
  ///   - bytes: The text in UTF-8.
  ///   - first: 1-based number of its first line.
  ///   - limits: How much is taken.
  /// - Throws: `FormatError` for misplaced quotes, for a quote that is never closed, unless the file breaks off within
  ///   that very line, and where there is too much of something.
  /// - Complexity: Linear in the bytes.
  static func records(
    _ bytes: ArraySlice<UInt8>, firstLine first: Int, limits: Limits = Limits()
  ) throws(FormatError) -> [Record] {
    var records: [Record] = []
    var line = first
    var position = bytes.startIndex
    while position < bytes.endIndex {
      guard records.count < limits.records else {
        throw FormatError(line: line, field: 0, message: "more than \(limits.records) records")
      }
      records.append(try record(bytes, &position, &line, limits))
    }
    return records
  }

  /// Reads the record at a position, and moves that and the number of the line behind it.
  static func record(
    _ bytes: ArraySlice<UInt8>, _ position: inout Int, _ line: inout Int, _ limits: Limits
  ) throws(FormatError) -> Record {
    let start = line
    var fields: [String] = []
    func wrong(_ message: String) -> FormatError { FormatError(line: start, field: fields.count, message: message) }
    while true {
      guard fields.count < limits.fields else { throw wrong("more than \(limits.fields) fields") }
      let first = position
      while position < bytes.endIndex, !isSpecial(bytes[position]) { position += 1 }
      if position < bytes.endIndex, bytes[position] == quote {
        guard position == first else { throw wrong("a quote within an unquoted field") }
        let (text, isClosed) = quoted(bytes, &position, &line)
        // A quote that is open where the file breaks off, within that very line, is no complaint.
        guard isClosed || line == start else { throw wrong("the quote is never closed") }
        if isClosed, position < bytes.endIndex, bytes[position] == carriageReturn { position += 1 }
        guard position == bytes.endIndex || bytes[position] == comma || bytes[position] == lineFeed else {
          throw wrong("expected a comma behind the closing quote")
        }
        fields.append(text)
      } else {
        let endsLine = position < bytes.endIndex && bytes[position] == lineFeed
        let last = endsLine && position > first && bytes[position - 1] == carriageReturn ? position - 1 : position
        fields.append(String(decoding: bytes[first..<last], as: UTF8.self))
      }
      guard position - first <= limits.fieldBytes else {
        fields.removeLast()
        throw wrong("more than \(limits.fieldBytes) bytes")
      }
      guard position < bytes.endIndex else { return Record(line: start, fields: fields, isWhole: false) }
      position += 1
      if bytes[position - 1] == lineFeed {
        line += 1
        return Record(line: start, fields: fields, isWhole: true)
      }
    }
  }

  /// What ends an unquoted field, or has no place within one.
  private static func isSpecial(_ byte: UInt8) -> Bool { byte == comma || byte == lineFeed || byte == quote }

  /// The text of a quoted field, and whether its quote is closed; the position is moved behind that.
  private static func quoted(
    _ bytes: ArraySlice<UInt8>, _ position: inout Int, _ line: inout Int
  ) -> (text: String, isClosed: Bool) {
    var text: [UInt8] = []
    position += 1
    while position < bytes.endIndex {
      let byte = bytes[position]
      position += 1
      if byte == lineFeed { line += 1 }
      guard byte == quote else {
        text.append(byte)
        continue
      }
      guard position < bytes.endIndex, bytes[position] == quote else {
        return (String(decoding: text, as: UTF8.self), true)
      }
      text.append(quote)
      position += 1
    }
    return (String(decoding: text, as: UTF8.self), false)
  }

  private static let comma = UInt8(ascii: ",")
  private static let quote = UInt8(ascii: "\"")
  private static let lineFeed = UInt8(ascii: "\n")
  private static let carriageReturn = UInt8(ascii: "\r")
}
