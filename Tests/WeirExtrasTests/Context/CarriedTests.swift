// Tests of values with their context.

import TestKit
import Testing
import Weir
import WeirExtras

@Suite struct CarriedTests {
  private func pair(_ value: Int, of id: String) async -> Carried<Int, TaskLocal<String>>? {
    await Sender.$id.withValue(id) { await Just(value).capturing(Sender.$id).firstValue() }
  }

  private func captured(_ value: Int, of id: String) -> Carried<Int, TaskLocal<String>>? {
    var pair: Carried<Int, TaskLocal<String>>?
    let sink = by(id) { Just(value).capturing(Sender.$id).sink { pair = $0 } }
    sink.cancel()
    return pair
  }

  @Test func runsAClosureInItsContext() throws {
    let pair = try #require(captured(1, of: "a"))
    #expect(pair.value == 1)
    #expect(pair.bind { "\($0) \(Sender.id)" } == "1 a")
    #expect(Sender.id == "nobody")
    #expect(throws: TestFailure.first) { try pair.bind { _ in throw TestFailure.first } }
    #expect(Sender.id == "nobody")
  }

  @Test func anotherValueIsMadeInItsContextAndHasIt() throws {
    let words = try #require(captured(1, of: "a")).map { "\($0) of \(Sender.id)" }
    #expect(words.value == "1 of a")
    #expect(words.bind { "\($0) \(Sender.id)" } == "1 of a a")
  }

  @Test func asynchronousCodeRunsInIt() async throws {
    let pair = try #require(await pair(1, of: "a"))
    let seen = await pair.bind { value -> String in
      await Task.yield()
      return "\(value) \(Sender.id)"
    }
    #expect(seen == "1 a")
    await #expect(throws: TestFailure.first) {
      try await pair.bind { _ in
        await Task.yield()
        throw TestFailure.first
      }
    }
  }

  @MainActor @Test func asynchronousCodeOfAnActorStaysThere() async throws {
    let pair = try #require(captured(1, of: "a"))
    var seen = ""
    await pair.bind { value in
      await Task.yield()
      MainActor.assertIsolated()
      seen = "\(value) \(Sender.id)"
    }
    #expect(seen == "1 a")
  }
}
