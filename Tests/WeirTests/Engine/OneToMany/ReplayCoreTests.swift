// Tests of the engine of subjects that replay.

import TestKit
import Testing

@testable import Weir

@Suite struct ReplayCoreTests {
  typealias Recorder = RecordingSubscriber<Int, TestFailure>

  private let core = ReplayCore<Int, TestFailure>(limit: 2, name: "Replay")

  private func record(_ demand: Subscribers.Demand? = .unlimited) -> Recorder {
    let recorder = Recorder(demand)
    core.subscribe(recorder)
    return recorder
  }

  @Test func keepsNumbersStraightWhileItForgets() {
    let slow = record(.max(1))
    for value in 0..<100 { core.send(value) }
    slow.request(.max(1))
    #expect(slow.values == [0, 98])
    #expect(record().values == [98, 99])
    slow.request(.unlimited)
    #expect(slow.values == [0, 98, 99])
  }

  @Test func theFirstIsAdmittedToConnectAndNobodyAfterTheLast() {
    #expect(core.admit() == true)
    #expect(core.admit() == false)
    let (first, second) = (record(), record())
    let upstream = RecordingSubscription()
    let feed = ReplayFeed(core)
    feed.receive(subscription: upstream)
    _ = feed.receive(1)
    first.cancel()
    #expect(upstream.history == [.requested(.unlimited)])
    second.cancel()
    #expect(upstream.history == [.requested(.unlimited), .cancelled])
    #expect(core.admit() == nil)
    _ = feed.receive(2)
    // As from a thread whose value had come before the cancellation.
    core.send(3)
    #expect(record().values == [])
  }

  @Test func afterAFinishEverybodyIsAdmittedAndAfterAFailureNobody() {
    _ = core.admit()
    let feed = ReplayFeed(core)
    feed.receive(subscription: RecordingSubscription())
    _ = feed.receive(1)
    feed.receive(completion: .finished)
    #expect(core.admit() == false)
    #expect(record().log == ["Replay", "1", "finished"])
    let failed = ReplayCore<Int, TestFailure>(limit: 2, name: "Replay")
    _ = failed.admit()
    var admittedWithin: Bool?? = .none
    let recorder = Recorder(.unlimited)
    recorder.onCompletion = { _ in admittedWithin = .some(failed.admit()) }
    failed.subscribe(recorder)
    let failing = ReplayFeed(failed)
    failing.receive(subscription: RecordingSubscription())
    failing.receive(completion: .failure(.first))
    #expect(admittedWithin == .some(nil))
  }

  /// A subscription that does something when it is freed, which a finish does before it is told.
  private final class FreedSubscription: Subscription {
    private let onFree: () -> Void

    init(onFree: @escaping () -> Void) { self.onFree = onFree }

    deinit { onFree() }

    func request(_ demand: Subscribers.Demand) {}
    func cancel() {}
  }

  @Test func nobodyIsAdmittedIfTheLastGoesWhileTheUpstreamFinishes() {
    #expect(core.admit() == true)
    let last = record()
    let feed = ReplayFeed(core)
    feed.receive(subscription: FreedSubscription { last.cancel() })
    _ = feed.receive(1)
    feed.receive(completion: .finished)
    #expect(last.log == ["Replay", "1"])
    #expect(core.admit() == nil)
  }

  @Test func whatSubscribersDoWithinADeliveryComesBehindIt() {
    let first = Recorder(.unlimited)
    let late = Recorder(.unlimited)
    first.onValue = { value in
      guard value == 1 else { return }
      core.subscribe(late)
      core.send(2)
      core.send(completion: .finished)
      #expect(late.log == ["Replay"])
    }
    core.subscribe(first)
    core.send(1)
    #expect(first.log == ["Replay", "1", "2", "finished"])
    #expect(late.log == ["Replay", "1", "2", "finished"])
  }

  @Test(arguments: [true, false])
  func aSubscriptionKeptAfterItsEndKeepsNothing(finishing: Bool) {
    let lifetimes = Lifetimes()
    let recorder = RecordingSubscriber<LifetimeTracked, TestFailure>(.unlimited)
    recorder.demandPerValue = { _ in .max(1) }
    var received = 0
    do {
      let core = ReplayCore<LifetimeTracked, TestFailure>(limit: 2, name: "Replay")
      core.subscribe(
        AnySubscriber<LifetimeTracked, TestFailure>(
          receiveSubscription: { recorder.receive(subscription: $0) },
          receiveValue: { _ in
            received += 1
            return .none
          }, receiveCompletion: { _ in }))
      core.send(lifetimes.track())
      if finishing { core.send(completion: .finished) } else { recorder.cancel() }
    }
    #expect(received == 1)
    #expect(lifetimes.live == 0)
    recorder.request(.max(1))
    recorder.cancel()
    #expect(recorder.subscriptions.count == 1)
  }

  /// Each value sent within a delivery was offered to all who had gone since that began.
  @Test func whoGoesWithinADeliveryLeavesTheListBehindTheValue() {
    let core = ReplayCore<Int, TestFailure>(limit: 1, name: "Replay")
    let (first, others) = (Recorder(.unlimited), (0..<1_000).map { _ in Recorder(.unlimited) })
    var counts: [Int] = []
    first.onValue = { value in
      counts.append(core.members.count)
      guard value == 1 else { return }
      for other in others { other.cancel() }
      for value in 2...3 { core.send(value) }
    }
    core.subscribe(first)
    for other in others { core.subscribe(other) }
    core.send(1)
    #expect(counts.count == 3 && counts[0] == 1_001 && counts[2] <= 10, "\(counts)")
    #expect(first.values == [1, 2, 3])
  }

  /// What was kept for one subscriber was given back, but not its memory.
  @Test func memoryGoesWithWhatIsKept() {
    let core = ReplayCore<Int, TestFailure>(limit: 1, name: "Replay")
    let (first, reader) = (Recorder(.unlimited), Recorder(.unlimited))
    first.onValue = { value in
      guard value == 1 else { return }
      // From another thread, so that all is kept for it until this one takes it into the list.
      #expect(OtherThread { core.subscribe(reader) }.comesBack())
      for value in 2...100_000 { core.send(value) }
    }
    core.subscribe(first)
    core.send(1)
    #expect(reader.values == Array(1...100_000))
    #expect(core.keptCount == 1 && core.values.capacity < 1_000, "\(core.values.capacity)")
  }

  @Test func manySubscribersComeAndGo() {
    let kept = record()
    for _ in 0..<100 {
      let recorders = (0..<20).map { _ in record() }
      for recorder in recorders { recorder.cancel() }
    }
    core.send(1)
    #expect(kept.values == [1])
  }
}
