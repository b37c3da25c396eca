// Tests of completions: equality and coding.

import Foundation
import TestKit
import Testing
import Weir

@Suite struct CompletionTests {
  typealias Completion = Subscribers.Completion<TestFailure>

  static let all: [Completion] = [.finished, .failure(.first), .failure(.second)]

  @Test(arguments: all.indices, all.indices)
  func equalsItselfAlone(left: Int, right: Int) {
    #expect((Self.all[left] == Self.all[right]) == (left == right))
  }

  @Test func hashesByValue() { #expect(Set(Self.all + Self.all).count == 3) }

  @Test(arguments: all)
  func survivesCoding(completion: Completion) throws {
    let data = try JSONEncoder().encode(completion)
    #expect(try JSONDecoder().decode(Completion.self, from: data) == completion)
  }

  @Test func isCodedAsSuccessAndError() throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    #expect(String(decoding: try encoder.encode(Completion.finished), as: UTF8.self) == #"{"success":true}"#)
    #expect(
      String(decoding: try encoder.encode(Completion.failure(.first)), as: UTF8.self)
        == #"{"error":"first","success":false}"#)
  }

  @Test(arguments: [#"{}"#, #"{"success":false}"#, #"{"success":false,"error":"third"}"#, #"{"success":1}"#, "[]"])
  func refusesWhatIsNoCompletion(text: String) {
    #expect(throws: DecodingError.self) { try JSONDecoder().decode(Completion.self, from: Data(text.utf8)) }
  }
}
