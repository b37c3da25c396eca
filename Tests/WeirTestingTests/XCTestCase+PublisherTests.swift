// Tests of waiting for publishers in tests of XCTest.

import TestKit
import Weir
import WeirTesting
import XCTest

final class XCTestCasePublisherTests: XCTestCase {
  private func expectEqual<T: Equatable>(_ actual: T, _ expected: T, line: UInt = #line) {
    XCTAssertEqual(actual, expected, line: line)
  }

  func testTheFirstValueIsReturned() throws {
    expectEqual(try awaitPublisher(Just(1), timeout: 0), 1)
    let mock = MockPublisher<Int, Never>()
    let thread = Thread {
      while mock.subscriberCount == 0 { yieldThread() }
      mock.send(5)
    }
    thread.start()
    expectEqual(try awaitPublisher(mock, timeout: 3600), 5)
    expectEqual(mock.subscriberCount, 0)
  }

  func testNumbersAndTimesThatMakeNoSense() throws {
    expectEqual(try awaitPublisher(Just(1), timeout: .infinity), 1)
    expectEqual(try awaitPublisher(Just(1), timeout: .nan), 1)
    expectEqual(collectValues(from: Empty<Int, Never>(completeImmediately: false), during: -1), [])
    expectEqual(try collectValues(from: Just(1), count: -1, timeout: 1e300), [])
    XCTAssertThrowsError(try awaitPublisher(Empty<Int, Never>(completeImmediately: false), timeout: .nan))
  }

  func testFailuresAndEmptyStreamsAreThrown() {
    XCTAssertThrowsError(try awaitPublisher(Fail<Int, TestFailure>(error: .first))) { error in
      expectEqual(error as? TestFailure, .first)
    }
    XCTAssertThrowsError(try awaitPublisher(Empty<Int, Never>())) { error in
      expectEqual(error as? PublisherTestError, .finishedEarly)
    }
    let endless = Empty<Int, Never>(completeImmediately: false)
    XCTAssertThrowsError(try awaitPublisher(endless, timeout: 0, file: "A.swift", line: 3)) { error in
      expectEqual(error as? PublisherTestError, .timedOut)
      expectEqual("\(error)", "A.swift:3: waited 0.0 seconds in vain for a value; no value came")
    }
  }

  func testValuesAreCollected() throws {
    expectEqual(collectValues(from: [1, 2, 3].publisher, during: 3600), [1, 2, 3])
    expectEqual(
      collectValues(from: CurrentValueSubject<Int, Never>(4), during: 0, file: #filePath, line: #line), [4])
    expectEqual(try collectValues(from: (1...).publisher, count: 3), [1, 2, 3])
  }

  /// XCTest ends a wait at once where the one around it has ended, and when that one does.
  func testAWaitWithinAnotherOneHasItsTime() {
    let (test, results, subject) = (Shared(self), Shared<[[Int]?]>([]), PassthroughSubject<Int, Never>())
    @Sendable func later() -> AnyPublisher<Int, Never> {
      [8, 9].publisher.delay(for: .milliseconds(50), scheduler: DispatchQueue.global()).eraseToAnyPublisher()
    }
    let timers = [1, 2].map { number in
      Timer.scheduledTimer(withTimeInterval: 0.001, repeats: false) { _ in
        // One within the other's, which has come to its end meanwhile, as has the outermost.
        if number == 1 { RunLoop.current.run(until: Date(timeIntervalSinceNow: 0.01)) }
        subject.send(7)
        results.value.append(try? test.value.collectValues(from: later(), count: 2, timeout: 3600))
        results.value.append(test.value.collectValues(from: later(), during: 3600))
      }
    }
    expectEqual(try? awaitPublisher(subject, timeout: 3600), 7)
    expectEqual(results.value, [[8, 9], [8, 9], [8, 9], [8, 9]])
    results.value = []
    let timer = Timer.scheduledTimer(withTimeInterval: 0.001, repeats: false) { _ in
      results.value.append((try? test.value.awaitPublisher(later(), timeout: 3600)).map { [$0] })
    }
    let endless = Empty<Int, Never>(completeImmediately: false)
    // Its time may be up before the timer's.
    while results.value.isEmpty { expectEqual(collectValues(from: endless, during: 0.01), []) }
    expectEqual(results.value, [[8]])
    withExtendedLifetime((timers, timer)) {}
  }

  /// XCTest stopped the program: it ended, for the wait around it, one that had its value already.
  func testAWaitWithinAnotherOneMayBeOverAtOnce() {
    let (test, results) = (Shared(self), Shared<[[Int]?]>([]))
    let around = expectation(description: "the wait around it")
    let timer = Timer.scheduledTimer(withTimeInterval: 0.001, repeats: false) { _ in
      around.fulfill()
      results.value.append((try? test.value.awaitPublisher(Just(1))).map { [$0] })
      results.value.append(try? test.value.collectValues(from: Just(1), count: 2))
      results.value.append(test.value.collectValues(from: [1, 2].publisher, during: 0))
    }
    wait(for: [around], timeout: 3600)
    expectEqual(results.value, [[1], nil, [1, 2]])
    // The time of the one around it comes while it has its value, and waits within.
    let subject = PassthroughSubject<Int, Never>()
    let never = Empty<Int, Never>(completeImmediately: false)
    let token = subject.sink { _ in _ = test.value.collectValues(from: never, during: 0.03) }
    let second = Timer.scheduledTimer(withTimeInterval: 0.001, repeats: false) { _ in
      let third = Timer.scheduledTimer(withTimeInterval: 0.001, repeats: false) { _ in subject.send(5) }
      results.value = [(try? test.value.awaitPublisher(subject, timeout: 3600)).map { [$0] }]
      withExtendedLifetime(third) {}
    }
    while results.value.count != 1 { expectEqual(collectValues(from: never, during: 0.01), []) }
    expectEqual(results.value, [[5]])
    withExtendedLifetime((timer, second, token)) {}
  }

  func testValuesAreCollectedInVirtualTime() {
    let scheduler = TestScheduler()
    let delayed = Just(1).delay(for: .seconds(1), scheduler: scheduler)
    expectEqual(collectValues(from: delayed, during: .seconds(1), on: scheduler), [1])
  }

  /// The forms that block were taken, and the main queue waited for them.
  @MainActor func testAsynchronousTestsDoNotHoldUpTheMainActor() async throws {
    let hour = Duration.seconds(3600)
    let late = [1, 2].publisher.receive(on: DispatchQueue.main)
    expectEqual(try await awaitPublisher(Just(1)), 1)
    expectEqual(try await awaitPublisher(late, timeout: hour), 1)
    expectEqual(await collectValues(from: late, during: hour), [1, 2])
    expectEqual(try await collectValues(from: late, count: 2, timeout: hour), [1, 2])
    let endless = Empty<Int, Never>(completeImmediately: false)
    expectEqual(await collectValues(from: endless, during: .zero), [])
    do {
      _ = try await awaitPublisher(endless, timeout: .zero, fileID: "A.swift", line: 3)
      XCTFail("there is no value")
    } catch {
      expectEqual("\(error)", "A.swift:3: waited 0.0 seconds in vain for a value; no value came")
    }
  }
}
