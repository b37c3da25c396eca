// What programs are told that ask for the live streams, line by line; the page InspectionProtocol describes it.

import Foundation
import WeirQueues

/// The answers to lines. Each is one line of JSON.
struct InspectionAnswers {
  /// The version of the format. It grows where a member goes or means something else, and not where one comes along.
  static let version = 1

  /// The live streams.
  let graph: () -> StreamGraph

  /// The answer to `version`.
  private struct Greeting: Encodable {
    let version = InspectionAnswers.version
    let process = currentProcess()
    let program = ProcessInfo.processInfo.processName
    let isOn = WeirInspector.isOn
  }

  /// The answer to a line.
  func answer(to line: String) -> String {
    switch line {
    case "version": Self.json(Greeting())
    case "snapshot": (try? graph().json()) ?? Self.error("the graph has no text in JSON")
    default: Self.error("'\(line.prefix(60))' is no request: there are version and snapshot")
    }
  }

  /// What somebody is told who can't be answered.
  static func error(_ text: String) -> String { json(["error": text]) }

  private static func json(_ value: some Encodable) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    return (try? encoder.encode(value)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
  }
}
