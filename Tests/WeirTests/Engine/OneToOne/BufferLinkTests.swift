// Tests of the engine of buffer where the upstream and the subscriber are on two threads.

import TestKit
import Testing

@testable import Weir

@Suite struct BufferLinkTests {
  typealias Recorder = RecordingSubscriber<Int, TestFailure>

  private let source = ScriptedPublisher(of: Int.self, failingWith: TestFailure.self)
  private var upstream: RecordingSubscription { source.subscription! }
  private let recorder = Recorder()

  private func subscribe(
    size: Int, _ prefetch: Publishers.PrefetchStrategy = .keepFull, during action: @escaping () -> Void = {}
  ) {
    var isFirst = true
    recorder.onValue = { _ in
      guard isFirst else { return }
      isFirst = false
      onThreads(1) { _ in action() }
    }
    source.buffer(size: size, prefetch: prefetch, whenFull: .dropNewest).contention(.handOver).subscribe(recorder)
  }

  @Test func aValueThatWasLeftBehindIsAnsweredWithARequest() {
    subscribe(size: 4) { [source] in
      #expect(source.send(2) == .none)
      #expect(source.send(3) == .none)
    }
    source.send(1)
    recorder.request(.max(2))
    #expect(recorder.values == [1, 2])
    #expect(upstream.history == [.requested(.max(4)), .requested(.max(1)), .requested(.max(1))])
    recorder.request(.max(1))
    #expect(recorder.values == [1, 2, 3])
  }

  @Test func anUpstreamThatChangesThreadsDoesNotOvertakeItself() {
    subscribe(size: 4) { [source] in
      source.send(2)
      source.send(3)
    }
    var next = 4
    upstream.onRequest = { [source, upstream] _ in
      guard upstream.history.count > 1, next < 6 else { return }
      next += 1
      source.send(next - 1)
    }
    source.send(1)
    recorder.request(.unlimited)
    #expect(recorder.values == [1, 2, 3, 4, 5])
  }

  @Test func demandOfAnotherThreadIsServedByTheHolder() {
    subscribe(size: 4, .byRequest) { [recorder] in recorder.request(.max(2)) }
    for value in 1...4 { source.send(value) }
    recorder.request(.max(1))
    #expect(recorder.values == [1, 2, 3])
  }

  @Test func anEndOfAnotherThreadComesBehindItsValues() {
    subscribe(size: 4) { [source] in
      source.send(2)
      source.send(completion: .failure(.first))
      source.send(3)
    }
    source.send(1)
    recorder.request(.unlimited)
    #expect(recorder.history == [.subscription("Buffer"), .value(1), .value(2), .completion(.failure(.first))])
  }

  @Test func nothingIsDeliveredAfterACancellationByAnotherThread() {
    subscribe(size: 4, .byRequest) { [recorder, source] in
      source.send(5)
      recorder.cancel()
      source.send(completion: .finished)
    }
    for value in 1...3 { source.send(value) }
    recorder.request(.unlimited)
    #expect(recorder.history == [.subscription("Buffer"), .value(1)])
    #expect(upstream.history == [.requested(.unlimited), .cancelled])
  }

  @Test func letsGoOfEverythingAtTheEnd() {
    let lifetimes = Lifetimes()
    let source = ScriptedPublisher(of: LifetimeTracked.self, failingWith: TestFailure.self)
    var subscription: (any Subscription)?
    do {
      let tracked = lifetimes.track()
      let recorder = RecordingSubscriber<LifetimeTracked, TestFailure>(.max(1))
      recorder.keepsSubscriptions = false
      recorder.onSubscription = { subscription = $0 }
      recorder.onValue = { _ in tracked.touch() }
      source.buffer(size: 3, prefetch: .byRequest, whenFull: .dropOldest).subscribe(recorder)
    }
    for number in 0..<10 { source.send(lifetimes.track(number)) }
    // Three wait, one is in the recorder's history, and the recorder holds one.
    #expect(lifetimes.live == 5)
    source.send(completion: .failure(.first))
    #expect(lifetimes.live == 0)
    withExtendedLifetime(subscription) {}
  }

  @Test func aLookAtItFromAnotherThreadCutsNothingOff() throws {
    let subject = PassthroughSubject<Int, Never>()
    let recorder = RecordingSubscriber<Int, Never>(.unlimited)
    subject.buffer(size: 2, prefetch: .byRequest, whenFull: .dropOldest).subscribe(recorder)
    let link = try #require(recorder.subscriptions[0] as? BufferLink<RecordingSubscriber<Int, Never>>)
    recorder.onValue = { _ in
      onThreads(1) { _ in #expect(Mirror(reflecting: link).children.count == 4) }
    }
    subject.send(1)
    recorder.onValue = nil
    subject.send(2)
    #expect(recorder.values == [1, 2])
  }
}
