// Tests of merge: demand of each stream, what waits, how it ends, and all its arities.

import TestKit
import Testing
import Weir

@Suite struct MergeTests {
  typealias Source = ScriptedPublisher<Int, TestFailure>
  typealias Recorder = RecordingSubscriber<Int, TestFailure>

  private let a = Source(RecordingSubscription("a"))
  private let b = Source(RecordingSubscription("b"))
  private let recorder = Recorder()

  private func subscribe(_ demand: Subscribers.Demand?, perValue: Subscribers.Demand = .none) {
    recorder.initialDemand = demand
    recorder.demandPerValue = { _ in perValue }
    Publishers.Merge(a, b).subscribe(recorder)
  }

  @Test func publishesWhatComesAsItComes() {
    subscribe(.unlimited)
    #expect(a.send(1) == .none)
    b.send(2)
    a.send(3)
    #expect(recorder.history == [.subscription("Merge"), .value(1), .value(2), .value(3)])
    #expect(a.subscription?.history == [.requested(.unlimited)])
    #expect(b.subscription?.history == [.requested(.unlimited)])
    #expect(a.subscriber?.description == "Merge")
  }

  @Test func asksEachStreamForOneValueAtATimeIfDemandIsLimited() {
    subscribe(.max(2))
    #expect(a.subscription?.history == [.requested(.max(1))])
    #expect(b.subscription?.history == [.requested(.max(1))])
    #expect(a.send(1) == .max(1))
    #expect(a.send(2) == .max(1))
    #expect(a.send(3) == .none)
    #expect(b.send(4) == .none)
    #expect(recorder.values == [1, 2])
    recorder.request(.max(1))
    #expect(recorder.values == [1, 2, 3])
    #expect(a.subscription?.history == [.requested(.max(1)), .requested(.max(1))])
    recorder.request(.unlimited)
    #expect(recorder.values == [1, 2, 3, 4])
    #expect(a.subscription?.history == [.requested(.max(1)), .requested(.max(1)), .requested(.unlimited)])
    #expect(b.subscription?.history == [.requested(.max(1)), .requested(.unlimited)])
  }

  @Test func oneValuePerStreamWaitsHoweverFastTheyAre() {
    let recorder = RecordingSubscriber<Int, Never>()
    let counts = [Counter(), Counter()]
    let streams = counts.map { count in
      (0..<1000).publisher.eraseToAnyPublisher().map { value -> Int in
        count.add()
        return value
      }
    }
    Publishers.MergeMany(streams).subscribe(recorder)
    for requested in 1...1990 {
      recorder.request(.max(1))
      #expect(counts[0].value + counts[1].value == requested + (counts.contains { $0.value == 1000 } ? 1 : 2))
    }
    recorder.request(.max(10))
    #expect(recorder.values.count == 2000)
    #expect(recorder.completions == [.finished])
  }

  @Test func asksForNothingWhenAskedForNothing() {
    subscribe(Subscribers.Demand.none)
    a.send(1)
    #expect(recorder.history == [.subscription("Merge")])
    #expect(a.subscription?.history == [.requested(.max(1))])
  }

  @Test func finishesWhenAllHave() {
    subscribe(.unlimited)
    a.send(completion: .finished)
    a.send(completion: .finished)
    #expect(recorder.completions == [])
    b.send(1)
    b.send(completion: .finished)
    #expect(recorder.history == [.subscription("Merge"), .value(1), .completion(.finished)])
    #expect(a.subscription?.history == [.requested(.unlimited)])
    #expect(b.subscription?.history == [.requested(.unlimited)])
  }

  @Test func finishesAfterTheValuesThatWait() {
    subscribe(nil)
    a.send(1)
    b.send(2)
    a.send(completion: .finished)
    b.send(completion: .finished)
    #expect(recorder.history == [.subscription("Merge")])
    recorder.request(.max(2))
    #expect(recorder.history == [.subscription("Merge"), .value(1), .value(2), .completion(.finished)])
  }

  @Test func failsAtOnceAndCancelsTheOthers() {
    subscribe(.max(1))
    b.send(1)
    b.send(2)
    a.send(completion: .failure(.first))
    b.send(completion: .failure(.second))
    #expect(b.send(3) == .none)
    #expect(recorder.history == [.subscription("Merge"), .value(1), .completion(.failure(.first))])
    #expect(a.subscription?.history == [.requested(.max(1))])
    #expect(b.subscription?.history == [.requested(.max(1)), .cancelled])
  }

  @Test func cancelsAllOnce() {
    subscribe(.max(1))
    recorder.cancel()
    recorder.cancel()
    recorder.request(.max(1))
    a.send(1)
    a.send(completion: .finished)
    #expect(recorder.history == [.subscription("Merge")])
    #expect(a.subscription?.history == [.requested(.max(1)), .cancelled])
    #expect(b.subscription?.history == [.requested(.max(1)), .cancelled])
  }

  @Test func doesNotSubscribeToTheRestOnceItHasFailed() {
    let recorder = Recorder(.unlimited)
    Publishers.Merge(Fail<Int, TestFailure>(error: .first), b).subscribe(recorder)
    #expect(recorder.history == [.subscription("Merge"), .completion(.failure(.first))])
    #expect(b.subscriber == nil)
  }

  @Test func doesNotSubscribeAfterACancellationWithTheSubscription() {
    recorder.onSubscription = { $0.cancel() }
    subscribe(nil)
    #expect(a.subscriber == nil)
    #expect(recorder.history == [.subscription("Merge")])
  }

  @Test func streamsThatSendAtOnceComeOneAfterTheOther() {
    let recorder = RecordingSubscriber<Int, Never>(.unlimited)
    [1, 2].publisher.merge(with: [3, 4].publisher, Just(5)).subscribe(recorder)
    #expect(recorder.values == [1, 2, 3, 4, 5])
    #expect(recorder.completions == [.finished])
  }

  // MARK: Arities

  @Test func mergesAnyNumberOfStreamsOfOneType() {
    let none = RecordingSubscriber<Int, Never>(.unlimited)
    Publishers.MergeMany([Just<Int>]()).subscribe(none)
    #expect(none.history == [.subscription("Merge"), .completion(.finished)])
    let many = RecordingSubscriber<Int, Never>(.unlimited)
    Just(1).merge(with: Just(2)).merge(with: Just(3)).subscribe(many)
    #expect(many.values == [1, 2, 3])
    #expect(Publishers.MergeMany(Just(1), Just(2)) == Publishers.MergeMany([Just(1), Just(2)]))
  }

  private let streams = (1...8).map { Just($0).map { $0 * 10 }.eraseToAnyPublisher() }

  private func values(_ merged: some Publisher<Int, Never>) -> [Int] {
    let recorder = RecordingSubscriber<Int, Never>(.unlimited)
    merged.subscribe(recorder)
    #expect(recorder.completions == [.finished])
    return recorder.values
  }

  @Test func mergesUpToEightStreams() {
    let s = streams
    let head = s[0].map { $0 }
    let tens = (1...8).map { $0 * 10 }
    #expect(values(head.merge(with: s[1])) == Array(tens[..<2]))
    #expect(values(head.merge(with: s[1], s[2])) == Array(tens[..<3]))
    #expect(values(head.merge(with: s[1], s[2], s[3])) == Array(tens[..<4]))
    #expect(values(head.merge(with: s[1], s[2], s[3], s[4])) == Array(tens[..<5]))
    #expect(values(head.merge(with: s[1], s[2], s[3], s[4], s[5])) == Array(tens[..<6]))
    #expect(values(head.merge(with: s[1], s[2], s[3], s[4], s[5], s[6])) == Array(tens[..<7]))
    #expect(values(head.merge(with: s[1], s[2], s[3], s[4], s[5], s[6], s[7])) == tens)
  }

  @Test func aMergeOfAMergeIsOneMerge() {
    let s = streams
    let two = s[0].map { $0 }.merge(with: s[1])
    let three = two.merge(with: s[2])
    #expect("\(type(of: three))".hasPrefix("Merge3<"))
    #expect(values(three.merge(with: s[3])) == [10, 20, 30, 40])
    #expect(values(three.merge(with: s[3]).merge(with: s[4])) == [10, 20, 30, 40, 50])
    #expect(values(three.merge(with: s[3], s[4], s[5]).merge(with: s[6])) == [10, 20, 30, 40, 50, 60, 70])
    let eight = two.merge(with: s[2], s[3], s[4], s[5]).merge(with: s[6]).merge(with: s[7])
    #expect("\(type(of: eight))".hasPrefix("Merge8<"))
    #expect(values(eight) == (1...8).map { $0 * 10 })
  }
}
