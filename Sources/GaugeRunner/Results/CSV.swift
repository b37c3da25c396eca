// Comma-separated values after RFC 4180: quoting, and splitting a file into records that know their lines.

/// Comma-separated values.
enum CSV {
  /// One field, quoted where it holds a comma, a quote or a line break.
  static func field(_ text: String) -> String {
    let special = text.utf8.contains { $0 == comma || $0 == quote || $0 == lineFeed || $0 == carriageReturn }
    return special
      ? "\"" + text.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\"" : text
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

  /// Splits a text into records. Lines may end in a line feed, with or without a carriage return before it.
  ///
  /// - Parameters:
  ///   - bytes: The text in UTF-8.
  ///   - first: 1-based number of its first line.
  /// - Throws: `FormatError` for misplaced quotes and for a quote that is never closed, unless the file breaks off within
  ///   that very line.
  /// - Complexity: Linear in the bytes.
  static func records(_ bytes: ArraySlice<UInt8>, firstLine first: Int) throws(FormatError) -> [Record] {
    var records: [Record] = []
    var line = first
    var position = bytes.startIndex
    while position < bytes.endIndex {
      records.append(try record(bytes, &position, &line))
    }
    return records
  }

  private static func record(
    _ bytes: ArraySlice<UInt8>, _ position: inout Int, _ line: inout Int
  ) throws(FormatError) -> Record {
    let start = line
    var fields: [String] = []
    var field: [UInt8] = []
    var isQuoted = false
    var isClosed = false
    func wrong(_ message: String) -> FormatError { FormatError(line: start, field: fields.count, message: message) }
    while position < bytes.endIndex {
      let byte = bytes[position]
      position += 1
      if isQuoted {
        if byte == quote {
          if position < bytes.endIndex, bytes[position] == quote {
            field.append(quote)
            position += 1
          } else {
            (isQuoted, isClosed) = (false, true)
          }
        } else {
          if byte == lineFeed { line += 1 }
          field.append(byte)
        }
        continue
      }
      switch byte {
      case comma:
        fields.append(String(decoding: field, as: UTF8.self))
        field.removeAll(keepingCapacity: true)
        isClosed = false
      case lineFeed:
        if field.last == carriageReturn { field.removeLast() }
        line += 1
        fields.append(String(decoding: field, as: UTF8.self))
        return Record(line: start, fields: fields, isWhole: true)
      case quote:
        guard field.isEmpty, !isClosed else { throw wrong("a quote within an unquoted field") }
        isQuoted = true
      default:
        guard !isClosed || byte == carriageReturn else { throw wrong("expected a comma behind the closing quote") }
        field.append(byte)
      }
    }
    guard !isQuoted || line == start else { throw wrong("the quote is never closed") }
    fields.append(String(decoding: field, as: UTF8.self))
    return Record(line: start, fields: fields, isWhole: false)
  }

  private static let comma = UInt8(ascii: ",")
  private static let quote = UInt8(ascii: "\"")
  private static let lineFeed = UInt8(ascii: "\n")
  private static let carriageReturn = UInt8(ascii: "\r")
}
