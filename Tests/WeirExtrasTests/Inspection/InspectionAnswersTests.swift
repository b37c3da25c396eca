// Tests of what programs are told that ask for the live streams.

import Foundation
import Testing

@testable import WeirExtras

@Suite struct InspectionAnswersTests {
  private let answers = InspectionAnswers { StreamGraph(3, .init(2, "Map", delivered: 4)) }

  @Test func theVersionIsToldWithTheProgram() throws {
    let answer = try #require(
      JSONSerialization.jsonObject(with: Data(answers.answer(to: "version").utf8)) as? [String: Any])
    #expect(answer["version"] as? Int == 1)
    #expect(answer["process"] as? Int == Int(getpid()))
    #expect(answer["program"] as? String == ProcessInfo.processInfo.processName)
    #expect(answer["isOn"] as? Bool == WeirInspector.isOn)
    #expect(answer.count == 4)
  }

  @Test func aSnapshotIsTheGraphOnOneLine() throws {
    let text = answers.answer(to: "snapshot")
    #expect(!text.contains("\n"))
    #expect(try JSONDecoder().decode(StreamGraph.self, from: Data(text.utf8)) == answers.graph())
  }

  @Test(arguments: ["", "Snapshot", "snapshot ", "version\u{0}", "\"\\\u{1b}"])
  func whatIsNoRequestHasAnErrorInJSON(line: String) throws {
    let answer = try #require(
      JSONSerialization.jsonObject(with: Data(answers.answer(to: line).utf8)) as? [String: String])
    #expect(answer == ["error": "'\(line)' is no request: there are version and snapshot"])
    let long = answers.answer(to: String(repeating: "x", count: 5_000))
    #expect(long.utf8.count < 200)
  }
}
