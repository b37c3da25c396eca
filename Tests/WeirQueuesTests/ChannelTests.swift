// Tests of channels: trying, blocking, suspending, cancelling, closing by either end, and elements that can't be
// copied.

import TestKit
import Testing

@testable import WeirQueues

@Suite struct ChannelTests {
  private let lifetimes = Lifetimes()

  @Test func triesWithoutWaiting() {
    let channel = Channel<Int>(minimumCapacity: 2)
    #expect(channel.sender.capacity == 2)
    #expect(channel.receiver.tryReceive() == .empty)
    #expect(channel.sender.trySend(1) == .taken)
    #expect(channel.sender.trySend(contentsOf: [2, 3, 4]) == 1)
    #expect(channel.sender.trySend(3) == .full(3))
    #expect(channel.sender.count == 2)
    #expect(channel.receiver.tryReceive() == .element(1))
    #expect(channel.sender.sendReplacing(4) == .appended)
    #expect(channel.sender.sendReplacing(5) == .replaced(2))
    var taken: [Int] = []
    #expect(channel.receiver.tryReceive(atMost: 1, into: &taken) == 1)
    #expect(channel.receiver.drain { taken.append($0) } == 1)
    #expect(taken == [4, 5])
    #expect(channel.receiver.isEmpty)
  }

  @Test func aTimeThatIsOverIsATry() {
    let channel = Channel<Int>(minimumCapacity: 1)
    for time: Duration in [.zero, .seconds(-1), .seconds(Int64.min), .nanoseconds(1)] {
      #expect(channel.receiver.receiveBlocking(for: time) == .empty)
      #expect(channel.sender.sendBlocking(1, for: time) == .taken)
      #expect(channel.sender.sendBlocking(2, for: time) == .full(2))
      #expect(channel.receiver.receiveBlocking(for: time) == .element(1))
    }
    channel.sender.close()
    #expect(channel.sender.sendBlocking(3, for: .seconds(Int64.max)) == .closed(3))
    #expect(channel.receiver.receiveBlocking(for: .seconds(Int64.max)) == .closed)
  }

  @Test(arguments: [nil, Duration.seconds(1_000), .seconds(Int64.max)]) func threadsWaitForEachOther(time: Duration?) {
    let channel = Channel<LifetimeTracked>(minimumCapacity: 2)
    let numbers = (0..<2).map { _ in Shared([Int]()) }
    let finished = Counter()
    onThreads(4) { thread in
      guard thread < 2 else {
        while true {
          let received =
            time.map { channel.receiver.receiveBlocking(for: $0) } ?? channel.receiver.receiveBlocking()
          guard let element = received.taken() else { return }
          numbers[thread - 2].value.append(element.number)
        }
      }
      for number in 0..<2_000 {
        let element = lifetimes.track(2 * number + thread)
        let offer = time.map { channel.sender.sendBlocking(element, for: $0) } ?? channel.sender.sendBlocking(element)
        #expect(offer == .taken)
      }
      if finished.add() == 2 { channel.sender.close() }
    }
    #expect(numbers.flatMap(\.value).sorted() == Array(0..<4_000))
    for own in numbers.map(\.value) {
      for rest in [0, 1] { #expect(own.filter { $0 % 2 == rest } == own.filter { $0 % 2 == rest }.sorted()) }
    }
    #expect(lifetimes.live == 0)
  }

  /// Receivers that are gone, by `close` or with their last reference, are told to senders that wait.
  @Test(arguments: [false, true]) func sendersLearnThatNobodyReceives(isGone: Bool) {
    for _ in 0..<50 {
      let sender: Channel<LifetimeTracked>.Sender
      let receiver: Shared<Channel<LifetimeTracked>.Receiver?>
      do {
        let channel = Channel<LifetimeTracked>(minimumCapacity: 1)
        (sender, receiver) = (channel.sender, Shared(channel.receiver))
      }
      let sent = Shared(0)
      onThreads([
        {
          for number in 0..<3 {
            switch sender.sendBlocking(lifetimes.track(number)) {
            case .taken: sent.value += 1
            case .full: Issue.record("it did not wait")
            case .closed(let back): #expect(back.number == number)
            }
          }
        }, { if isGone { receiver.value = nil } else { receiver.value?.close() } },
      ])
      #expect(sender.isClosed)
      #expect(sent.value <= 1)
    }
    #expect(lifetimes.live == 0)
  }

  @Test func receiversGetWhatIsThereWhenTheSendersGo() {
    var channel: Channel<Int>? = Channel<Int>(minimumCapacity: 4)
    let receiver = channel!.receiver
    #expect(channel!.sender.trySend(contentsOf: [1, 2]) == 2)
    channel = nil
    #expect(receiver.isClosed)
    #expect(receiver.receiveBlocking() == .element(1))
    #expect(receiver.tryReceive() == .element(2))
    #expect(receiver.receiveBlocking() == .closed)
    #expect(receiver.tryReceive() == .closed)
  }

  @Test func whatNobodyReceivesIsFreedWithTheLastReceiver() {
    var channel: Channel<LifetimeTracked>? = Channel(minimumCapacity: 4)
    let sender = channel!.sender
    #expect(sender.trySend(lifetimes.track(1)).isTaken)
    channel = nil
    #expect(lifetimes.live == 0)
    #expect(sender.trySend(lifetimes.track(2)) == .closed(lifetimes.track(2)))
  }

  /// A task takes nothing more once it is cancelled, and leaves the rest to others.
  @Test func iteratingEndsWithTheTask() async {
    let channel = Channel<Int>(minimumCapacity: 4)
    #expect(channel.sender.trySend(contentsOf: [1, 2, 3]) == 3)
    let taken = await Task {
      var taken: [Int] = []
      for await number in channel.receiver {
        taken.append(number)
        withUnsafeCurrentTask { $0?.cancel() }
      }
      return taken
    }.value
    #expect(taken == [1])
    #expect(channel.receiver.tryReceive() == .element(2))
  }

  @Test func tasksWaitForEachOther() async {
    let channel = Channel<Int>(minimumCapacity: 2)
    let sum = await withTaskGroup(of: Int.self) { group in
      for sender in 0..<4 {
        group.addTask {
          for number in 0..<500 { if await channel.sender.send(4 * number + sender) != .taken { return -1_000_000 } }
          return 0
        }
      }
      for _ in 0..<3 {
        group.addTask {
          var sum = 0
          for await number in channel.receiver { sum += number }
          return sum
        }
      }
      var sum = 0
      for _ in 0..<4 { sum += await group.next() ?? 0 }
      channel.sender.close()
      for await part in group { sum += part }
      return sum
    }
    #expect(sum == 2_000 * 1_999 / 2)
    #expect(await channel.receiver.receive() == .closed)
  }

  /// The receiver is suspended, or about to be, when it is cancelled: it comes back, and the next one has the element.
  @Test func cancellingLosesNoElement() async {
    for round in 0..<200 {
      let channel = Channel<Int>(minimumCapacity: 1)
      let receiving = Task { await channel.receiver.receive() }
      if round % 3 == 0 { await Task.yield() }
      let sending = Task.detached { channel.sender.trySend(round) }
      receiving.cancel()
      let sent = await sending.value
      #expect(sent == .taken)
      switch await receiving.value {
      case .element(let number): #expect(number == round)
      case .empty: #expect(channel.receiver.tryReceive() == .element(round))
      case .closed: Issue.record("the channel is open")
      }
    }
  }

  /// How a task receives.
  enum Receiving: CaseIterable {
    case iterator, throwing, one, several, select
  }

  /// The actor runs its tasks one after the other, so that the elements are sent between the cancellation and the
  /// moment when the task learns of it.
  @Test(arguments: Receiving.allCases) func whatIsSentAfterTheCancellationIsForOthers(_ receiving: Receiving) async {
    actor Home {
      var taken: [Int] = []
      private var hasBegun = false

      func take(_ receiving: Receiving, _ receiver: Channel<Int>.Receiver) async {
        hasBegun = true
        switch receiving {
        case .iterator: for await number in receiver { taken.append(number) }
        case .throwing: do { for try await number in receiver.throwing { taken.append(number) } } catch {}
        case .one: while let number = await receiver.receive().taken() { taken.append(number) }
        case .several:
          var numbers: [Int] = []
          while await receiver.receive(atMost: 5, into: &numbers) > 0 {}
          taken = numbers
        case .select:
          while let number = await select(.receive(from: receiver) { $0.taken() }) { taken.append(number ?? 0) }
        }
      }

      func cancel(_ receiving: Receiving, _ channel: Channel<Int>) async {
        let task = Task { await take(receiving, channel.receiver) }
        // The task has the actor from then on until it is suspended.
        while !hasBegun { await Task.yield() }
        task.cancel()
        _ = channel.sender.trySend(1)
        _ = channel.sender.trySend(2)
        await task.value
      }
    }
    let (home, channel) = (Home(), Channel<Int>(minimumCapacity: 4))
    await home.cancel(receiving, channel)
    #expect(await home.taken == [])
    #expect([channel.receiver.tryReceive(), channel.receiver.tryReceive()] == [.element(1), .element(2)])
  }

  /// The one that is woken for an element is cancelled meanwhile: another one that waits has it.
  @Test func aWakeUpOfACancelledReceiverIsPassedOn() async {
    for round in 0..<500 {
      let channel = Channel<Int>(minimumCapacity: 4)
      let tasks = (0..<2).map { _ in Task.detached { await channel.receiver.receive() } }
      for _ in 0..<round % 4 { await Task.yield() }
      let sending = Task.detached { channel.sender.trySend(round) }
      tasks[0].cancel()
      _ = await sending.value
      if await tasks[0].value == .element(round) { channel.sender.close() }
      #expect(await tasks[1].value == (channel.sender.isClosed ? .closed : .element(round)))
    }
  }

  /// The main actor is busy, so that the cancelled task doesn't run: it neither stands in the way of the next one, nor
  /// keeps what it was woken for.
  @MainActor
  @Test(arguments: [false, true]) func aCancelledReceiverLeavesTheLineAtOnce(isWoken: Bool) async {
    let channel = Channel<Int>(minimumCapacity: 1)
    let waiters = channel.receiver.core.waiters
    let first = Task { await channel.receiver.receive() }
    while waiters.count.relaxedLoad() < 1 { await Task.yield() }
    let second = Task { await channel.receiver.receive() }
    while waiters.count.relaxedLoad() < 2 { await Task.yield() }
    if isWoken { #expect(channel.sender.trySend(1) == .taken) }
    first.cancel()
    if !isWoken {
      #expect(waiters.count.relaxedLoad() == 1)
      #expect(channel.sender.trySend(1) == .taken)
    }
    #expect(waiters.count.relaxedLoad() == 0)
    #expect(await first.value == .empty)
    #expect(await second.value == .element(1))
  }

  @MainActor
  @Test(arguments: [false, true]) func aCancelledSenderLeavesTheLineAtOnce(isWoken: Bool) async {
    let channel = Channel<Int>(minimumCapacity: 1)
    let waiters = channel.receiver.core.waiters
    #expect(channel.sender.trySend(0) == .taken)
    let first = Task { await channel.sender.send(1) }
    while waiters.count.relaxedLoad() < 1 { await Task.yield() }
    let second = Task { await channel.sender.send(2) }
    while waiters.count.relaxedLoad() < 2 { await Task.yield() }
    if isWoken { #expect(channel.receiver.tryReceive() == .element(0)) }
    first.cancel()
    if !isWoken {
      #expect(waiters.count.relaxedLoad() == 1)
      #expect(channel.receiver.tryReceive() == .element(0))
    }
    #expect(waiters.count.relaxedLoad() == 0)
    #expect(await first.value == .full(1))
    #expect(await second.value == .taken)
  }

  @Test func aLoopOverReadyElementsLetsOthersRunOnItsActor() async {
    let channel = Channel<Int>()
    for number in 0..<100_000 { _ = channel.sender.trySend(number) }
    channel.sender.close()
    let turns = await turnsOfAnother { for await _ in channel.receiver {} }
    #expect(turns > 0)
  }

  @Test func aCancelledSenderHasItsElementBack() async {
    for round in 0..<200 {
      let channel = Channel<Int>(minimumCapacity: 1)
      #expect(channel.sender.trySend(-1) == .taken)
      let sending = Task { await channel.sender.send(round) }
      if round % 3 == 0 { await Task.yield() }
      sending.cancel()
      #expect(await sending.value == .full(round))
      #expect(channel.receiver.tryReceive() == .element(-1))
      #expect(channel.receiver.tryReceive() == .empty)
    }
  }

  /// One that was cancelled before takes what is there all the same, and does not wait.
  @Test func aCancelledTaskDoesNotWait() async {
    let channel = Channel<Int>(minimumCapacity: 1)
    let answers = await Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return [
        await channel.receiver.receive(),
        await channel.sender.send(1) == .taken ? await channel.receiver.receive() : .closed,
        await channel.receiver.receive(),
      ]
    }.value
    #expect(answers == [.empty, .element(1), .empty])
  }

  @Test func tasksLearnThatItIsClosed() async {
    let channel = Channel<Int>(minimumCapacity: 1)
    #expect(channel.sender.trySend(1) == .taken)
    let sending = Task { await channel.sender.send(2) }
    await Task.yield()
    channel.receiver.close()
    #expect(await sending.value == .closed(2))
    #expect(await channel.receiver.receive() == .element(1))
    let receiving = (0..<3).map { _ in Task { await channel.receiver.receive() } }
    for task in receiving { #expect(await task.value == .closed) }
  }

  /// A thread sends to tasks, and tasks to a thread.
  @Test func threadsAndTasksMeet() async {
    let there = Channel<Int>(minimumCapacity: 1)
    let back = Channel<Int>(minimumCapacity: 1)
    let echo = Task {
      for await number in there.receiver { _ = await back.sender.send(-number) }
      back.sender.close()
    }
    let sum = Shared(0)
    let ended = Channel<Bool>(minimumCapacity: 1)
    let thread = OtherThread {
      for number in 1...300 {
        _ = there.sender.sendBlocking(number)
        sum.value += back.receiver.receiveBlocking().taken() ?? 0
      }
      there.sender.close()
      _ = ended.sender.trySend(true)
    }
    #expect(await ended.receiver.receive() == .element(true))
    await echo.value
    #expect(sum.value == -300 * 301 / 2)
    _ = thread
  }

  @Test func elementsNeedNotBeCopyable() async {
    let ended = Counter()
    do {
      let channel = Channel<Single>(minimumCapacity: 1)
      let isSent = await channel.sender.send(Single(1) { ended.add() }).isTaken
      let back = number(of: channel.sender.trySend(Single(2) { ended.add() }).returned())
      let taken = number(of: await channel.receiver.receive().taken())
      #expect(isSent && back == 2 && taken == 1)
      #expect(ended.value == 2)
      _ = channel.sender.trySend(Single(3) { ended.add() }).isTaken
    }
    #expect(ended.value == 3)
  }

  @Test func aChannelThatGrowsHasAlwaysRoom() async {
    let channel = Channel<LifetimeTracked>()
    #expect(channel.sender.capacity == nil)
    #expect(channel.sender.trySend(contentsOf: (0..<1_000).map { lifetimes.track($0) }[...]) == 1_000)
    #expect(channel.sender.sendReplacing(lifetimes.track(1_000)) == .appended)
    let sums = await withTaskGroup(of: Int.self) { group in
      for _ in 0..<3 {
        group.addTask {
          var sum = 0
          for await element in channel.receiver { sum += element.number }
          return sum
        }
      }
      for number in 1_001..<2_000 {
        let offer = await channel.sender.send(lifetimes.track(number))
        #expect(offer == .taken)
      }
      channel.sender.close()
      return await group.reduce(0, +)
    }
    #expect(sums == 2_000 * 1_999 / 2)
    #expect(lifetimes.live == 0)
    #expect(channel.receiver.trim() > 0)
  }

  @Test func refusesACapacityOfNothing() async {
    await #expect(processExitsWith: .failure) { _ = Channel<Int>(minimumCapacity: 0) }
  }

  // MARK: Several at once, and errors

  @Test func takesSeveralAtOnceAndWaitsForTheFirst() async {
    let channel = Channel<Int>(minimumCapacity: 8)
    var taken: [Int] = []
    #expect(await channel.receiver.receive(atMost: 0, into: &taken) == 0)
    let task = Task {
      var taken: [Int] = []
      let count = await channel.receiver.receive(atMost: 3, into: &taken)
      return (count, taken)
    }
    await Task.yield()
    #expect(channel.sender.trySend(1).isTaken)
    #expect(await task.value == (1, [1]))
    #expect(channel.sender.trySend(contentsOf: [2, 3, 4, 5]) == 4)
    #expect(await channel.receiver.receive(atMost: 3, into: &taken) == 3)
    #expect(taken == [2, 3, 4])
    channel.sender.close()
    #expect(await channel.receiver.receive(atMost: 3, into: &taken) == 1)
    #expect(await channel.receiver.receive(atMost: 3, into: &taken) == 0)
    #expect(taken == [2, 3, 4, 5])
  }

  @Test func anErrorComesBehindTheElements() async throws {
    let channel = Channel<Int>(minimumCapacity: 8)
    #expect(channel.sender.trySend(1).isTaken)
    channel.sender.close(throwing: TestFailure.first)
    channel.sender.close(throwing: TestFailure.second)
    #expect(channel.receiver.failure as? TestFailure == .first)
    var taken: [Int] = []
    await #expect(throws: TestFailure.first) {
      for try await element in channel.receiver.throwing { taken.append(element) }
    }
    #expect(taken == [1])
  }

  /// It was thrown each time.
  @Test func theErrorIsThrownOnce() async throws {
    let channel = Channel<Int>()
    channel.sender.close(throwing: TestFailure.first)
    var elements = channel.receiver.throwing
    await #expect(throws: TestFailure.first) { try await elements.next() }
    #expect(try await elements.next() == nil)
    // Each iterator throws it, also one that is made of elements that have.
    await #expect(throws: TestFailure.first) { for try await _ in elements { Issue.record("an element") } }
  }

  /// Each was freed within the one before, so that the stack overflowed.
  @Test(arguments: [false, true]) func elementsThatTouchTheChannelAreFreedOneAfterTheOther(closes: Bool) {
    final class Request: Sendable {
      let sender: Channel<Request>.Sender
      let closes: Bool

      init(_ sender: Channel<Request>.Sender, closes: Bool) { (self.sender, self.closes) = (sender, closes) }

      deinit {
        if closes { sender.close() } else { _ = sender.sendReplacing(Request.last) }
      }

      static let last = Request(Channel<Request>().sender, closes: true)
    }
    var channel: Channel<Request>? = Channel()
    let sender = channel!.sender
    for _ in 0..<100_000 { _ = sender.trySend(Request(sender, closes: closes)) }
    channel = nil
    #expect(sender.count == 0 && sender.isClosed)
  }

  @Test func anErrorBehindTheEndDoesNotCount() async throws {
    let channel = Channel<Int>()
    channel.sender.close()
    channel.sender.close(throwing: TestFailure.first)
    #expect(channel.receiver.failure == nil)
    for try await _ in channel.receiver.throwing { Issue.record("an element") }
  }
}
