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
    let isStamp =
      stamp.utf8.count == 19 && stamp.utf8.allSatisfy { (0x30...0x3a).contains($0) || $0 == 0x2d || $0 == 0x54 }
    let skipped = entries.count { $0.verdict != .worse && $0.verdict != .better && $0.verdict != .same }
    let attributes: [(name: Markup, value: String)] = [
      ("package", "gauge"), ("id", "0"), ("name", "gauge compare"),
      ("timestamp", isStamp ? String(stamp) : "1970-01-01T00:00:00"),
      ("hostname", field("machine_id").isEmpty ? "localhost" : field("machine_id")),
      ("tests", "\(entries.count + faults.count)"), ("failures", "\(count(.worse))"), ("errors", "\(faults.count)"),
      ("skipped", "\(skipped)"), ("time", "0"),
    ]
    var lines: [Markup] = ["<?xml version=\"1.0\" encoding=\"UTF-8\"?>", "<testsuites>"]
    lines.append("  <testsuite\(Markup(attributes: attributes))>")
    lines.append("    <properties>")
    lines += environment.filter { !Results.listingFields.contains($0.name) }.map { field -> Markup in
      "      <property\(Markup(attributes: [("name", field.name), ("value", field.value)]))/>"
    }
    lines.append("    </properties>")
    for fault in faults {
      lines.append(
        "    <testcase\(Markup(attributes: [("name", "launch"), ("classname", fault.title), ("time", "0")]))>")
      lines.append(
        "      <error\(Markup(attributes: [("message", fault.reason), ("type", "fault")]))>\(fault.output)</error>"
      )
      lines.append("    </testcase>")
    }
    for entry in entries { lines += Self.testCase(entry, explanations[entry.key.title]) }
    lines.append("    <system-out>\(summary)\n\(terms)</system-out>")
    lines.append("    <system-err></system-err>")
    return Markup(lines + ["  </testsuite>", "</testsuites>"]).text + "\n"
  }

  private static func testCase(_ entry: ComparisonEntry, _ explanation: Explanation?) -> [Markup] {
    let attributes = Markup(attributes: [("name", entry.key.metric), ("classname", entry.key.title), ("time", "0")])
    let head: Markup = "    <testcase\(attributes)"
    let values = [entry.before, entry.after].map(entry.text)
    let change = entry.change.map { changeText($0, of: entry.metric) } ?? ""
    let message = "\(values[0]) -> \(values[1]) \(change)"
    switch entry.verdict {
    case .same, .better: return ["\(head)/>"]
    case .worse:
      let text = ([entry.reason] + (explanation?.lines ?? [])).filter { !$0.isEmpty }.joined(separator: "\n")
      return [
        "\(head)>",
        "      <failure\(Markup(attributes: [("message", message), ("type", "worse")]))>\(text)</failure>",
        "    </testcase>",
      ]
    case .notEnoughData, nil:
      let reason = entry.word + (entry.reason.isEmpty ? "" : ": " + entry.reason)
      return ["\(head)>", "      <skipped\(Markup(attributes: [("message", reason)]))/>", "    </testcase>"]
    }
  }
}
