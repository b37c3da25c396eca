// Text as one field of a tab-separated line, and back.

/// Escaping of fields in launch reports and machine-readable lists.
enum FieldText {
  /// Tabs, line breaks and backslashes as `\t`, `\n`, `\r`, `\\`, so that any text is one field.
  static func escape(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\": escaped += "\\\\"
      case "\t": escaped += "\\t"
      case "\n": escaped += "\\n"
      case "\r": escaped += "\\r"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }

  /// The text of a field.
  ///
  /// - Returns: The text, or `nil` for an escape that `escape` never writes.
  static func unescape(_ field: some StringProtocol) -> String? {
    var text = ""
    var scalars = field.unicodeScalars.makeIterator()
    while let scalar = scalars.next() {
      guard scalar == "\\" else {
        text.unicodeScalars.append(scalar)
        continue
      }
      switch scalars.next() {
      case "\\": text += "\\"
      case "t": text += "\t"
      case "n": text += "\n"
      case "r": text += "\r"
      default: return nil
      }
    }
    return text
  }
}
