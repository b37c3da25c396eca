// Verdicts as JUnit XML (the schema of Ant's JUnit task), which every CI system shows.

import Foundation
import GaugeStatistics

extension Comparison {
  /// A test case per compared row: worse is a failure, a broken benchmark an error, what has no verdict is skipped.
  ///
  /// - Parameters:
  ///   - environment: The new run's environment, as properties and for the time stamp.
  func junit(_ environment: [(name: String, value: String)]) -> String {
    func field(_ name: String) -> String { environment.first { $0.name == name }?.value ?? "" }
    let stamp = field("date").prefix(19)
    let skipped = entries.count { $0.verdict != .worse && $0.verdict != .better && $0.verdict != .same }
    let attributes = [
      ("package", "gauge"), ("id", "0"), ("name", "gauge compare"),
      ("timestamp", stamp.count == 19 ? String(stamp) : "1970-01-01T00:00:00"),
      ("hostname", field("machine_id").isEmpty ? "localhost" : field("machine_id")),
      ("tests", "\(entries.count + faults.count)"), ("failures", "\(count(.worse))"), ("errors", "\(faults.count)"),
      ("skipped", "\(skipped)"), ("time", "0"),
    ]
    var lines = ["<?xml version=\"1.0\" encoding=\"UTF-8\"?>", "<testsuites>"]
    lines.append("  <testsuite\(markupAttributes(attributes))>")
    lines.append("    <properties>")
    lines += environment.filter { $0.name != Limits.field }.map {
      "      <property\(markupAttributes([("name", $0.name), ("value", $0.value)]))/>"
    }
    lines.append("    </properties>")
    for fault in faults {
      lines.append("    <testcase\(markupAttributes([("name", "launch"), ("classname", fault.title), ("time", "0")]))>")
      lines.append(
        "      <error\(markupAttributes([("message", fault.reason), ("type", "fault")]))>\(markupText(fault.output))</error>"
      )
      lines.append("    </testcase>")
    }
    for entry in entries { lines += Self.testCase(entry, explanations[entry.key.title]) }
    lines.append("    <system-out>\(markupText(summary + "\n" + terms))</system-out>")
    lines.append("    <system-err></system-err>")
    return (lines + ["  </testsuite>", "</testsuites>"]).map { $0 + "\n" }.joined()
  }

  private static func testCase(_ entry: ComparisonEntry, _ explanation: Explanation?) -> [String] {
    let head =
      "    <testcase"
      + markupAttributes([("name", entry.key.metric), ("classname", entry.key.title), ("time", "0")])
    let values = [entry.before, entry.after].map(entry.text)
    let change = entry.change.map { changeText($0, of: entry.metric) } ?? ""
    let message = "\(values[0]) -> \(values[1]) \(change)"
    switch entry.verdict {
    case .same, .better: return [head + "/>"]
    case .worse:
      let text = ([entry.reason] + (explanation?.lines ?? [])).filter { !$0.isEmpty }.joined(separator: "\n")
      return [
        head + ">",
        "      <failure\(markupAttributes([("message", message), ("type", "worse")]))>"
          + "\(markupText(text))</failure>", "    </testcase>",
      ]
    case .notEnoughData, nil:
      let reason = entry.word + (entry.reason.isEmpty ? "" : ": " + entry.reason)
      return [head + ">", "      <skipped\(markupAttributes([("message", reason)]))/>", "    </testcase>"]
    }
  }
}

/// Attributes of an XML or HTML element, each with a space in front.
func markupAttributes(_ attributes: [(String, String)]) -> String {
  attributes.map { " \($0.0)=\"\(markupText($0.1))\"" }.joined()
}

/// A text within XML or HTML; characters that XML can't hold become the replacement character.
func markupText(_ text: String) -> String {
  var escaped = ""
  for scalar in text.unicodeScalars {
    switch scalar {
    case "&": escaped += "&amp;"
    case "<": escaped += "&lt;"
    case ">": escaped += "&gt;"
    case "\"": escaped += "&quot;"
    case "\n", "\t": escaped.unicodeScalars.append(scalar)
    case _ where scalar.value < 0x20 || scalar.value == 0xfffe || scalar.value == 0xffff: escaped += "\u{fffd}"
    default: escaped.unicodeScalars.append(scalar)
    }
  }
  return escaped
}
