// Tests of publishers that may fail as asynchronous sequences.

import TestKit
import Testing
import Weir

@Suite struct AsyncThrowingPublisherTests {
  @Test func givesTheValuesAndThrowsTheError() async {
    var values: [Int] = []
    await #expect(throws: TestFailure.second) {
      for try await value in Record(output: [1, 2, 3], completion: .failure(TestFailure.second)).values {
        values.append(value)
      }
    }
    #expect(values == [1, 2, 3])
  }

  @Test func givesTheValuesAndEnds() async throws {
    var values: [Int] = []
    for try await value in AsyncThrowingPublisher(Result<Int, TestFailure>.success(4).publisher) {
      values.append(value)
    }
    #expect(values == [4])
  }

  @Test func theErrorIsThrownOnce() async throws {
    var iterator = Fail<Int, TestFailure>(error: .first).values.makeAsyncIterator()
    await #expect(throws: TestFailure.first) { try await iterator.next(isolation: nil) }
    #expect(try await iterator.next() == nil)
  }

  @Test func theErrorHasItsType() async {
    var values: [Int] = []
    do {
      for try await value in Record(output: [1], completion: .failure(TestFailure.first)).values {
        values.append(value)
      }
    } catch {
      let failure: TestFailure = error
      #expect(failure == .first)
    }
    #expect(values == [1])
  }

  @Test func aBurstIsKeptIfAskedForAndTheErrorBehindIt() async {
    let subject = PassthroughSubject<Int, TestFailure>()
    var iterator = subject.values(buffering: .oldest(2)).makeAsyncIterator()
    for value in 1...5 { subject.send(value) }
    subject.send(completion: .failure(.second))
    #expect([try? await iterator.next(), try? await iterator.next()] == [1, 2])
    await #expect(throws: TestFailure.second) { try await iterator.next() }
  }

  @Test func leavingTheLoopCancels() async throws {
    let source = ScriptedPublisher<Int, TestFailure>()
    source.subscription?.onRequest = { _ in source.send(7) }
    for try await _ in source.values { break }
    #expect(source.subscription?.history == [.requested(.max(1)), .cancelled])
  }
}
