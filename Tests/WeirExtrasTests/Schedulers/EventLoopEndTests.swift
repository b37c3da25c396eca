// Streams on an event loop that has ended: what comes too late is let go of with them.

import TestKit
import Testing
import Weir
import WeirExtras

@Suite struct EventLoopEndTests {
  private let lifetimes = Lifetimes()

  /// Subscribes to a stream on a loop that is over then, sends values, and cancels; the subscriber keeps its
  /// subscription, as many do.
  private func expectNothingIsKept<Changed: Publisher>(
    _ change: (PassthroughSubject<LifetimeTracked, Never>, EventLoopScheduler) -> Changed
  ) where Changed.Output == LifetimeTracked, Changed.Failure == Never {
    let loop = EventLoopScheduler(startsThread: false)
    let numbers = PassthroughSubject<LifetimeTracked, Never>()
    let recorder = RecordingSubscriber<LifetimeTracked, Never>(.unlimited)
    change(numbers, loop).subscribe(recorder)
    loop.shutDown()
    loop.run()
    for number in 0..<3 { numbers.send(lifetimes.track(number)) }
    #expect(lifetimes.live == 3)
    recorder.cancel()
    #expect(lifetimes.live == 0)
    recorder.forgetSubscriptions()
  }

  /// In batches the values were kept, and so were the stream and its subscriber.
  @Test(arguments: [nil, .batches(of: 2)] as [DeliveryBatch?]) func whatComesTooLateGoesWithTheStream(
    options: DeliveryBatch?
  ) {
    expectNothingIsKept { $0.receive(on: $1, options: options) }
    expectNothingIsKept { $0.timeout(.seconds(9), scheduler: $1, options: options) }
  }

  @Test func whatComesBehindTheLastBatchGoesWithTheStream() {
    let loop = EventLoopScheduler(startsThread: false)
    let numbers = PassthroughSubject<LifetimeTracked, Never>()
    let recorder = RecordingSubscriber<LifetimeTracked, Never>(.unlimited)
    recorder.onValue = { [lifetimes] in numbers.send(lifetimes.track($0.number + 10)) }
    numbers.receive(on: loop, options: .batches(of: 2, within: .seconds(3600))).subscribe(recorder)
    for number in 0..<4 { numbers.send(lifetimes.track(number)) }
    loop.shutDown()
    loop.run()
    #expect(recorder.values.map(\.number) == [0, 1, 2, 3, 10, 11])
    #expect(lifetimes.live == 10)
    recorder.cancel()
    // Those that it has received.
    #expect(lifetimes.live == 6)
    recorder.forgetSubscriptions()
  }

  @Test func valuesOnTheirWayThroughADelayAreLetGoOfAtTheEnd() {
    let loop = EventLoopScheduler(startsThread: false)
    let log = Log<Int>()
    let numbers = PassthroughSubject<LifetimeTracked, Never>()
    let token = numbers.delay(for: 0, scheduler: loop).sink { log.add($0.number) }
    numbers.send(lifetimes.track(1))
    loop.poll()
    numbers.send(lifetimes.track(2))
    loop.shutDown()
    loop.run()
    #expect(log.all == [1])
    token.cancel()
    #expect(lifetimes.live == 0)
  }

  /// The loop refused the job that cancels: the upstream went on, and kept the subscriber.
  @Test func whatHasSubscribedOnALoopThatIsOverIsCancelledAllTheSame() {
    let loop = EventLoopScheduler(startsThread: false)
    let (subject, cancelled) = (PassthroughSubject<Int, Never>(), Counter())
    do {
      let tracked = lifetimes.track()
      let token = subject.handleEvents(receiveCancel: { cancelled.add() }).subscribe(on: loop).sink { _ in
        tracked.touch()
      }
      while loop.poll() > 0 {}
      subject.send(1)
      loop.shutDown()
      token.cancel()
    }
    #expect(cancelled.value == 1)
    #expect(lifetimes.live == 0)
    loop.run()
  }

  /// Neither did it come, nor was it freed.
  @Test(arguments: [nil, .batches(of: 2)] as [DeliveryBatch?])
  func whatCameWhileTheSubscriptionWasGivenGoesWithTheStream(options: DeliveryBatch?) {
    expectNothingIsKeptOfOpening { $0.receive(on: $1, options: options) }
    expectNothingIsKeptOfOpening { $0.timeout(.seconds(9), scheduler: $1, options: options) }
  }

  /// Subscribes; while the subscriber gets its subscription, another thread asks, runs the loop, and ends it.
  private func expectNothingIsKeptOfOpening<Changed: Publisher>(
    _ change: (AnyPublisher<LifetimeTracked, Never>, EventLoopScheduler) -> Changed
  ) where Changed.Output == LifetimeTracked, Changed.Failure == Never {
    let loop = EventLoopScheduler(startsThread: false)
    let recorder = RecordingSubscriber<LifetimeTracked, Never>()
    recorder.onSubscription = { subscription in
      let other = OtherThread {
        subscription.request(.unlimited)
        loop.poll()
        loop.shutDown()
      }
      #expect(other.comesBack())
    }
    // Erased first, or an array would hold them.
    let numbers = (0..<3).publisher.eraseToAnyPublisher().map { [lifetimes] in lifetimes.track($0) }
    change(numbers.eraseToAnyPublisher(), loop).subscribe(recorder)
    loop.run()
    #expect(recorder.values.isEmpty && lifetimes.live == 3)
    recorder.cancel()
    #expect(lifetimes.live == 0)
    recorder.forgetSubscriptions()
  }

  /// It was forgotten.
  @Test func aCancellationWhileTheSubscriptionWasGivenIsHeeded() {
    let loop = EventLoopScheduler(startsThread: false)
    let upstream = EventLoopScheduler(startsThread: false)
    let (subject, cancelled) = (PassthroughSubject<Int, Never>(), Counter())
    let recorder = RecordingSubscriber<Int, Never>()
    recorder.onSubscription = { subscription in
      let other = OtherThread {
        subscription.cancel()
        loop.poll()
        loop.shutDown()
      }
      #expect(other.comesBack())
    }
    subject.handleEvents(receiveCancel: { cancelled.add() }).subscribe(on: upstream).subscribe(on: loop)
      .subscribe(recorder)
    loop.poll()
    while upstream.poll() > 0 {}
    #expect(recorder.subscriptions.count == 1 && cancelled.value == 1)
    loop.run()
    recorder.forgetSubscriptions()
  }
}
