// Races of futures, published properties and asynchronous sequences.

import Synchronization
import TestKit
import Testing
import Weir

@Suite struct OriginsStressTests {
  /// What one subscriber of a future got.
  private final class Received: Sendable {
    let values = Atomic<Int>(0)
    let sum = Atomic<Int>(0)
    let completions = Atomic<Int>(0)

    func attach(to future: Future<LifetimeTracked, Never>) -> AnyCancellable {
      future.sink(
        receiveCompletion: { _ in self.completions.add(1, ordering: .relaxed) },
        receiveValue: { value in
          self.values.add(1, ordering: .relaxed)
          self.sum.add(value.number, ordering: .relaxed)
        })
    }
  }

  @Test func everySubscriberOfAFutureGetsTheOneResultOnce() {
    let lifetimes = Lifetimes()
    for _ in 0..<500 {
      var promise: Future<LifetimeTracked, Never>.Promise?
      let future = Future<LifetimeTracked, Never> { promise = $0 }
      let keep = promise!
      let early = Received()
      let late = Received()
      var cancellables: [AnyCancellable?] = [nil, nil]
      cancellables.withUnsafeMutableBufferPointer { slots in
        let first = slots.baseAddress!
        onThreads([
          { keep(.success(lifetimes.track(1))) },
          { keep(.success(lifetimes.track(2))) },
          { first.pointee = early.attach(to: future) },
          {
            (first + 1).pointee = late.attach(to: future)
            future.sink { _ in }.cancel()
          },
        ])
      }
      for received in [early, late] {
        #expect(received.values.load(ordering: .relaxed) == 1)
        #expect(received.completions.load(ordering: .relaxed) == 1)
      }
      #expect(early.sum.load(ordering: .relaxed) == late.sum.load(ordering: .relaxed))
      withExtendedLifetime(cancellables) {}
    }
    #expect(lifetimes.live == 0)
  }

  @Test func cancellingWhileThePromiseIsKeptFreesEverything() {
    let lifetimes = Lifetimes()
    for _ in 0..<1_000 {
      var promise: Future<LifetimeTracked, Never>.Promise?
      let future = Future<LifetimeTracked, Never> { promise = $0 }
      let keep = promise!
      let received = Received()
      let cancellable = received.attach(to: future)
      onThreads([{ keep(.success(lifetimes.track(1))) }, { cancellable.cancel() }])
      #expect(received.values.load(ordering: .relaxed) >= received.completions.load(ordering: .relaxed))
      #expect(received.values.load(ordering: .relaxed) <= 1)
    }
    #expect(lifetimes.live == 0)
  }

  private final class Model: ObservableObject, @unchecked Sendable {
    @Published var value = 0
    @Published var other = 0
  }

  /// Each thread reads what it wrote or newer; the last value delivered is the one that stays.
  @Test func aPublishedPropertyEndsWithTheValueThatWasDeliveredLast() {
    for _ in 0..<200 {
      let model = Model()
      let last = Atomic<Int>(0)
      let delivered = Atomic<Int>(0)
      let cancellable = model.$value.sink { value in
        _ = last.exchange(value, ordering: .relaxed)
        delivered.add(1, ordering: .relaxed)
      }
      let ownReads = Atomic<Int>(0)
      onThreads(2) { thread in
        for number in 1...50 {
          let mine = number * 2 + thread
          model.value = mine
          let read = model.value
          if read & 1 == thread, read < mine { ownReads.add(1, ordering: .relaxed) }
        }
      }
      #expect(delivered.load(ordering: .relaxed) == 101)
      #expect(model.value == last.load(ordering: .relaxed))
      #expect(ownReads.load(ordering: .relaxed) == 0)
      cancellable.cancel()
    }
  }

  @Test func allThreadsGetTheSamePublisherOfChanges() {
    for _ in 0..<200 {
      let model = Model()
      let identities = Atomic<Int>(0)
      onThreads(2) { _ in
        identities.bitwiseXor(Int(bitPattern: ObjectIdentifier(model.objectWillChange)), ordering: .relaxed)
      }
      // Twice the same number cancels out.
      #expect(identities.load(ordering: .relaxed) == 0)
    }
  }

  @Test func anAsynchronousSequenceGetsWhatWasSentFromAnotherThreadInOrder() async {
    let subject = PassthroughSubject<Int, Never>()
    let buffered = subject.buffer(size: 10_000, prefetch: .byRequest, whenFull: .dropNewest)
    var iterator = buffered.values.makeAsyncIterator()
    struct Sender: @unchecked Sendable {
      let subject: PassthroughSubject<Int, Never>
      func run() {
        for number in 0..<5_000 { subject.send(number) }
        subject.send(completion: .finished)
      }
    }
    let sender = Sender(subject: subject)
    let task = Task.detached { sender.run() }
    var expected = 0
    while let value = await iterator.next() {
      if value != expected { break }
      expected += 1
    }
    #expect(expected == 5_000)
    await task.value
  }
}
