// Every publisher's life cycle against Tests/life-cycles.csv, where each answer to each question is written down.

import Foundation
import TestKit
import Testing
import Weir

/// The table of answers; scripts/checks/check-semantics sees to it that each publisher is in it.
enum LifeCycles {
  /// The answers by publisher and question. Where one stops the program, it is `trap: ` and the message; where it
  /// can't be asked, `n/a: ` and why; where tests of its own answer, their name.
  static let answers: [String: [String: String]] = {
    let path = #filePath.split(separator: "/").dropLast(2).map { "/" + $0 }.joined() + "/life-cycles.csv"
    let lines = try! String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
    let rows = lines.map { $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init) }
    return Dictionary(
      uniqueKeysWithValues: rows.dropFirst().map { row in
        (row[0], Dictionary(uniqueKeysWithValues: zip(rows[0], row)))
      })
  }()

  /// A question that stops the program.
  struct Trap: Codable, Sendable, CustomTestStringConvertible {
    let publisher: String
    let question: String
    let message: String
    var testDescription: String { "\(publisher), \(question)" }
  }

  static let traps: [Trap] = answers.flatMap { publisher, answers in
    answers.compactMap { question, answer in
      guard answer.hasPrefix("trap: ") else { return nil }
      return Trap(publisher: publisher, question: question, message: String(answer.dropFirst("trap: ".count)))
    }
  }.sorted { $0.testDescription < $1.testDescription }
}

/// A hundred programs that end at once are slow to start under ThreadSanitizer, and have no races to show.
#if WEIR_TSAN
  private let startsQuickly = false
#else
  private let startsQuickly = true
#endif

@Suite struct EveryPublisherTests {
  @Test(arguments: Specimen.all) func answersAsWritten(_ specimen: Specimen) throws {
    let answers = try #require(LifeCycles.answers[specimen.name])
    #expect(answers["type"] == specimen.type)
    for question in Question.allCases {
      let written = try #require(answers[question.rawValue])
      if written.hasPrefix("trap: ") { continue }
      let answer = question.reasonAgainst(specimen)?.rawValue ?? question.ask(specimen)
      #expect(answer == written, "\(question.rawValue)")
    }
  }

  @Test(.enabled(if: startsQuickly), arguments: LifeCycles.traps)
  func trapsAsWritten(_ trap: LifeCycles.Trap) async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      [trap = trap as LifeCycles.Trap] in
      let specimen = try #require(Specimen.all.first { $0.name == trap.publisher })
      _ = try #require(Question(rawValue: trap.question)).ask(specimen)
    }
    // In release builds it says nothing.
    #if DEBUG
      let said = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
      #expect(said.contains("failed: " + trap.message))
    #else
      #expect(result != nil)
    #endif
  }

  /// Those with answers by tests of their own are no specimens.
  @Test func isAskedOfAll() {
    let written = LifeCycles.answers.filter { $0.value["zero demand"]?.contains("Tests/") == false }
    #expect(Set(written.keys) == Set(Specimen.all.map(\.name)))
    #expect(Specimen.all.count == Set(Specimen.all.map(\.name)).count)
  }
}
