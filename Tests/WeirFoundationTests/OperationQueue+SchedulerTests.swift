// Tests of operation queues as schedulers, met by handshakes.

import Foundation
import TestKit
import Testing
import Weir
import WeirQueues

@testable import WeirFoundation

@Suite struct OperationQueueSchedulerTests {
  private let lifetimes = Lifetimes()

  private static func makeQueue() -> OperationQueue {
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = 1
    return queue
  }

  @Test func runsActionsAsOperations() {
    let queue = Self.makeQueue()
    queue.isSuspended = true
    let ran = Shared([Int]())
    for number in 0..<3 { queue.schedule { ran.value.append(number) } }
    #expect(queue.operationCount == 3)
    queue.isSuspended = false
    queue.waitUntilAllOperationsAreFinished()
    #expect(ran.value == [0, 1, 2])
  }

  @Test func anActionWaitsInTheQueueForItsDate() {
    let queue = Self.makeQueue()
    let count = Counter()
    queue.schedule(after: queue.now.advanced(by: .milliseconds(2))) { count.add() }
    queue.schedule(after: queue.now.advanced(by: -5)) { count.add() }
    queue.waitUntilAllOperationsAreFinished()
    #expect(count.value == 2)
  }

  @Test(arguments: [1, OperationQueue.defaultMaxConcurrentOperationCount])
  func deliversEachValueInAnOperationOfItsOwn(concurrency: Int) {
    let queue = Self.makeQueue()
    queue.maxConcurrentOperationCount = concurrency
    queue.isSuspended = true
    let (loading, data) = (PassthroughSubject<Bool, Never>(), PassthroughSubject<String, Never>())
    let order = Lock([String]())
    let tokens = [
      loading.receive(on: queue).sink { value in order.withLock { $0.append("\(value)") } },
      data.receive(on: queue).sink { value in order.withLock { $0.append(value) } },
    ]
    loading.send(true)
    data.send("x")
    loading.send(false)
    queue.addOperation { order.withLock { $0.append("operation") } }
    data.send("y")
    #expect(queue.operationCount == 5)
    queue.isSuspended = false
    queue.waitUntilAllOperationsAreFinished()
    let seen = order.withLock { $0 }
    if concurrency == 1 { #expect(seen == ["true", "x", "false", "operation", "y"]) }
    #expect(seen.filter { $0.count > 1 && $0 != "operation" } == ["true", "false"])
    #expect(seen.filter { $0.count == 1 } == ["x", "y"])
    tokens.forEach { $0.cancel() }
  }

  @Test func deliversInBatchesIfAsked() {
    let queue = Self.makeQueue()
    queue.isSuspended = true
    let subject = PassthroughSubject<Int, Never>()
    let order = Shared([Int]())
    let token = subject.receive(on: queue, options: .batches(of: 2, within: .seconds(3_600)))
      .sink { order.value.append($0) }
    subject.send(1)
    queue.addOperation { order.value.append(-1) }
    for value in 2...3 { subject.send(value) }
    queue.isSuspended = false
    queue.waitUntilAllOperationsAreFinished()
    #expect(order.value == [1, 2, -1, 3])
    token.cancel()
  }

  @Test(arguments: [false, true]) func leavesOutTheValuesOfCancelledOperations(inBatches: Bool) {
    let queue = Self.makeQueue()
    queue.isSuspended = true
    let subject = PassthroughSubject<Int, Never>()
    let seen = Shared([Int]())
    let token = subject.receive(on: queue, options: inBatches ? .batches() : nil).sink { seen.value.append($0) }
    for value in 1...3 { subject.send(value) }
    queue.cancelAllOperations()
    queue.isSuspended = false
    queue.waitUntilAllOperationsAreFinished()
    for value in 4...5 { subject.send(value) }
    queue.waitUntilAllOperationsAreFinished()
    #expect(seen.value == [4, 5])
    token.cancel()
  }

  /// An operation may be held on, by the queue for a moment and by anybody for ever: its value is left out at once.
  @Test(arguments: [1, 4]) func leavesOutTheValuesOfCancelledOperationsAndNoOthers(width: Int) {
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = width
    queue.isSuspended = true
    let subject = PassthroughSubject<Int, Never>()
    let seen = Shared([Int]())
    let token = subject.receive(on: queue).sink { _ in
      seen.value.append(0)
    } receiveValue: {
      seen.value.append($0)
    }
    for value in 1...3 { subject.send(value) }
    let cancelled = queue.operations
    queue.cancelAllOperations()
    for value in 4...5 { subject.send(value) }
    subject.send(completion: .finished)
    queue.isSuspended = false
    queue.waitUntilAllOperationsAreFinished()
    #expect(seen.value == [4, 5, 0])
    withExtendedLifetime(cancelled) { token.cancel() }
  }

  @Test func aDelayedValueWhoseOperationIsCancelledIsLeftOutAtOnce() {
    let queue = Self.makeQueue()
    queue.isSuspended = true
    let subject = PassthroughSubject<Int, Never>()
    let seen = Shared([Int]())
    // At dates that are past.
    let token = subject.delay(for: .seconds(-1), scheduler: queue).sink { seen.value.append($0) }
    for value in 1...2 { subject.send(value) }
    let cancelled = queue.operations
    queue.cancelAllOperations()
    for value in 3...4 { subject.send(value) }
    queue.isSuspended = false
    queue.waitUntilAllOperationsAreFinished()
    #expect(seen.value == [3, 4])
    withExtendedLifetime(cancelled) { token.cancel() }
  }

  /// It waited for the cancelled operation for ever.
  @Test(arguments: [false, true]) func throttleGoesOnWhenAnOperationWasCancelled(latest: Bool) {
    let queue = Self.makeQueue()
    queue.isSuspended = true
    let subject = PassthroughSubject<Int, Never>()
    let seen = Shared([Int]())
    let token = subject.throttle(for: 0, scheduler: queue, latest: latest).sink { _ in
      seen.value.append(0)
    } receiveValue: {
      seen.value.append($0)
    }
    subject.send(1)
    let cancelled = queue.operations
    queue.cancelAllOperations()
    subject.send(2)
    queue.isSuspended = false
    queue.waitUntilAllOperationsAreFinished()
    #expect(seen.value == [2])
    // The end behind a value whose operation is cancelled comes all the same.
    queue.isSuspended = true
    subject.send(3)
    subject.send(completion: .finished)
    queue.cancelAllOperations()
    queue.isSuspended = false
    queue.waitUntilAllOperationsAreFinished()
    #expect(seen.value == [2, 0])
    withExtendedLifetime(cancelled) { token.cancel() }
  }

  @Test func anActionThatIsDueTakesItsPlaceAmongTheOthers() {
    let queue = Self.makeQueue()
    queue.isSuspended = true
    let ran = Shared([Int]())
    for number in 0..<20 {
      if number.isMultiple(of: 3) {
        queue.schedule { ran.value.append(number) }
      } else {
        queue.schedule(after: queue.now.advanced(by: .seconds(-number))) { ran.value.append(number) }
      }
    }
    queue.isSuspended = false
    queue.waitUntilAllOperationsAreFinished()
    #expect(ran.value == Array(0..<20))
  }

  @Test func anActionThatWaitsHoldsNobodyUp() {
    let queue = Self.makeQueue()
    let ran = DispatchSemaphore(value: 0)
    queue.schedule(after: queue.now.advanced(by: 1_000_000)) { Issue.record("ran") }
    queue.schedule { ran.signal() }
    ran.wait()
    #expect(queue.operationCount >= 1)
    queue.cancelAllOperations()
    queue.waitUntilAllOperationsAreFinished()
  }

  @Test func repeatsAnActionUntilItIsCancelled() {
    let queue = Self.makeQueue()
    let ran = DispatchSemaphore(value: 0)
    var repetition: (any Cancellable)?
    do {
      let tracked = lifetimes.track()
      repetition = queue.schedule(after: queue.now, interval: .milliseconds(1)) {
        tracked.touch()
        ran.signal()
      }
    }
    for _ in 0..<3 { ran.wait() }
    #expect(lifetimes.live == 1)
    repetition?.cancel()
    queue.waitUntilAllOperationsAreFinished()
    let isSilent = Counter()
    queue.schedule { isSilent.add() }
    queue.waitUntilAllOperationsAreFinished()
    #expect(isSilent.value == 1)
    #expect(queue.operationCount == 0)
    withExtendedLifetime(repetition) {}
  }

  @Test func letsGoOfARepetitionThatIsCancelledBeforeItRuns() {
    let queue = Self.makeQueue()
    do {
      let tracked = lifetimes.track()
      let repetition = queue.schedule(after: queue.now.advanced(by: 1_000_000), interval: 1) { tracked.touch() }
      #expect(lifetimes.live == 1)
      repetition.cancel()
    }
    queue.waitUntilAllOperationsAreFinished()
    while lifetimes.live > 0 { yieldThread() }
    #expect(queue.operationCount == 0)
  }

  @Test func aRepetitionWhoseOperationIsCancelledLetsGoOfItsAction() {
    let queue = Self.makeQueue()
    let repetition: any Cancellable
    do {
      let tracked = lifetimes.track()
      repetition = queue.schedule(after: queue.now.advanced(by: 1_000_000), interval: 1) { tracked.touch() }
    }
    #expect(lifetimes.live == 1)
    queue.cancelAllOperations()
    #expect(lifetimes.live == 0)
    queue.waitUntilAllOperationsAreFinished()
    withExtendedLifetime(repetition) {}
  }

  /// As `debounce` and `timeout` do for each value: nothing waits for the date of what has been replaced.
  @Test func whatIsReplacedBeforeItsDateIsFreedAtOnce() {
    let queue = Self.makeQueue()
    let subject = PassthroughSubject<Int, Never>()
    let token = subject.timeout(1_000_000, scheduler: queue).sink { _ in }
    let before = dueDates.counts
    for value in 0..<10_000 { subject.send(value) }
    // Other tests have some too.
    #expect(dueDates.counts.actions < before.actions + 5_000)
    while queue.operationCount > 1 { yieldThread() }
    token.cancel()
    queue.waitUntilAllOperationsAreFinished()
  }

  /// The queue is the only one that holds an operation that waits.
  @Test func cancellingAllOperationsFreesThem() {
    let queue = Self.makeQueue()
    weak var operation: Operation?
    do {
      let tracked = lifetimes.track()
      queue.schedule(after: queue.now.advanced(by: 1_000_000)) { tracked.touch() }
      operation = queue.operations.first
      #expect(operation != nil)
    }
    queue.cancelAllOperations()
    queue.waitUntilAllOperationsAreFinished()
    while operation != nil || lifetimes.live > 0 { yieldThread() }
  }

  @Test func whatIsCancelledWithTheQueueLeavesNoDate() {
    let queue = Self.makeQueue()
    let before = dueDates.counts
    for _ in 0..<10_000 {
      queue.schedule(after: queue.now.advanced(by: 1_000_000)) {}
      queue.cancelAllOperations()
    }
    // Other tests have some too.
    #expect(dueDates.counts.actions < before.actions + 5_000)
    queue.waitUntilAllOperationsAreFinished()
  }

  @Test(arguments: [0, -1]) func anIntervalOfNothingIsTheShortest(interval: Double) {
    let queue = Self.makeQueue()
    let ran = DispatchSemaphore(value: 0)
    let repetition = queue.schedule(after: queue.now, interval: .seconds(interval)) { ran.signal() }
    for _ in 0..<3 { ran.wait() }
    repetition.cancel()
    queue.waitUntilAllOperationsAreFinished()
  }

  @Test func aRepetitionMayCancelItself() {
    let queue = Self.makeQueue()
    let isHeld = DispatchSemaphore(value: 0)
    let ended = DispatchSemaphore(value: 0)
    let count = Counter()
    let repetition = Shared<(any Cancellable)?>(nil)
    repetition.value = queue.schedule(after: queue.now, interval: .milliseconds(1)) {
      isHeld.wait()
      isHeld.signal()
      if count.add() == 2 {
        repetition.value?.cancel()
        ended.signal()
      }
    }
    isHeld.signal()
    ended.wait()
    queue.waitUntilAllOperationsAreFinished()
    #expect(count.value == 2)
  }

  /// Nobody turns the main run loop here: the tests' `main` is asynchronous.
  @Test func theMainQueueDeliversInATest() async {
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    let isOnMain = Counter()
    let numbers = (1...3).publisher.receive(on: OperationQueue.main).handleEvents(receiveOutput: { _ in
      if DispatchQueue.getSpecific(key: key) == true { isOnMain.add() }
    })
    var received: [Int] = []
    for await number in numbers.values(buffering: .unbounded) { received.append(number) }
    #expect(received == [1, 2, 3])
    #expect(isOnMain.value == 3)
  }

  /// On a queue that runs operations at once, side by side.
  @Test func keepsAStreamInOrder() {
    let queue = OperationQueue()
    let finished = DispatchSemaphore(value: 0)
    let received = Shared([Int]())
    let cancellable = (0..<500).publisher.delay(for: .milliseconds(1), scheduler: queue)
      .sink(receiveCompletion: { _ in finished.signal() }, receiveValue: { received.value.append($0) })
    finished.wait()
    #expect(received.value == Array(0..<500))
    cancellable.cancel()
  }
}
