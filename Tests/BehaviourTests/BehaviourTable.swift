// Tests/behaviours.csv: what Combine does according to its documentation and to published programs.

import Foundation
import Testing

/// One line of the table.
struct Behaviour: CustomTestStringConvertible, Sendable {
  let operatorName: String
  let situation: String
  /// The events that the source shows or states.
  let expected: String
  /// The events of this package, where it differs on purpose; empty elsewhere.
  let here: String
  let source: String

  var name: String { "\(operatorName): \(situation)" }
  var testDescription: String { name }

  /// The table's lines, in its order.
  static let all: [Behaviour] = {
    let path = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "behaviours.csv")
    do {
      let lines = try String(contentsOf: path, encoding: .utf8).split(separator: "\n")
      return try lines.dropFirst().enumerated().map { number, line in
        let fields = fields(of: line)
        guard fields.count == 6 else { throw Malformed(line: number + 2, fields: fields.count) }
        return Behaviour(
          operatorName: fields[0], situation: fields[1], expected: fields[2], here: fields[3], source: fields[4])
      }
    } catch {
      fatalError("\(path.path): \(error)")
    }
  }()

  private struct Malformed: Error {
    let line: Int
    let fields: Int
  }

  /// Splits a line at the commas that stand outside of quotation marks; two quotation marks within them are one.
  private static func fields(of line: Substring) -> [String] {
    var fields = [""]
    var isQuoted = false
    var previous: Character?
    for character in line {
      switch character {
      case "\"":
        if previous == "\"", !isQuoted { fields[fields.count - 1].append("\"") }
        isQuoted.toggle()
      case "," where !isQuoted: fields.append("")
      default: fields[fields.count - 1].append(character)
      }
      previous = character
    }
    return fields
  }
}
