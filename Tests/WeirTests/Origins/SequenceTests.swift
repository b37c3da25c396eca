// Tests of the publisher of a sequence's elements.

import TestKit
import Testing
import Weir

@Suite struct SequenceTests {
  typealias Recorder = RecordingSubscriber<Int, Never>

  /// Counts how far it was read.
  final class CountingSequence: Sequence, IteratorProtocol, CustomStringConvertible {
    let upperBound: Int
    var read = 0
    var onNext: (() -> Void)?
    let description = "CountingSequence"

    init(_ upperBound: Int) { self.upperBound = upperBound }

    func next() -> Int? {
      onNext?()
      read += 1
      return read <= upperBound ? read : nil
    }
  }

  @Test func publishesAllElementsThenFinishes() {
    let recorder = Recorder(.unlimited)
    [1, 2, 3].publisher.subscribe(recorder)
    #expect(
      recorder.history == [.subscription("[1, 2, 3]"), .value(1), .value(2), .value(3), .completion(.finished)])
  }

  @Test func anEmptySequenceFinishesWithoutDemand() {
    let recorder = Recorder()
    let sequence = CountingSequence(0)
    sequence.publisher.subscribe(recorder)
    #expect(recorder.history == [.subscription("Empty"), .completion(.finished)])
    #expect(sequence.read == 1)
  }

  @Test func finishesRightAfterTheLastElementWithoutFurtherDemand() {
    let recorder = Recorder(.max(2))
    [1, 2].publisher.subscribe(recorder)
    #expect(recorder.history == [.subscription("[1, 2]"), .value(1), .value(2), .completion(.finished)])
  }

  @Test func looksOneElementAheadAndNoFurther() {
    let recorder = Recorder()
    let sequence = CountingSequence(5)
    sequence.publisher.subscribe(recorder)
    #expect(sequence.read == 1)
    recorder.request(.max(1))
    #expect(sequence.read == 2)
    recorder.request(.max(2))
    #expect(sequence.read == 4)
    #expect(recorder.values == [1, 2, 3])
  }

  @Test func publishesOnlyWhatWasAskedFor() {
    let recorder = Recorder()
    recorder.demandPerValue = { $0 == 2 ? .max(2) : .none }
    (1...9).publisher.subscribe(recorder)
    #expect(recorder.values == [])
    recorder.request(.max(1))
    #expect(recorder.values == [1])
    recorder.request(.max(1))
    #expect(recorder.values == [1, 2, 3, 4])
    recorder.request(.none)
    #expect(recorder.values == [1, 2, 3, 4])
    recorder.request(.unlimited)
    #expect(recorder.values == Array(1...9))
    #expect(recorder.completions == [.finished])
  }

  @Test func aRequestFromWithinAValueOnlyAddsDemand() {
    let recorder = Recorder()
    var depth = 0
    var deepest = 0
    recorder.onValue = { _ in
      depth += 1
      deepest = max(deepest, depth)
      recorder.request(.max(1))
      depth -= 1
    }
    (1...1_000).publisher.subscribe(recorder)
    recorder.request(.max(1))
    #expect(recorder.values == Array(1...1_000))
    #expect(recorder.completions == [.finished])
    #expect(deepest == 1)
  }

  @Test func unlimitedDemandFromWithinAValueCounts() {
    let recorder = Recorder(.max(2))
    recorder.onValue = { if $0 == 2 { recorder.request(.unlimited) } }
    (1...6).publisher.subscribe(recorder)
    #expect(recorder.values == Array(1...6))
  }

  @Test func cancellingDuringAValueStops() {
    for demand in [Subscribers.Demand.max(5), .unlimited] {
      let recorder = Recorder(demand, perValue: .max(1))
      recorder.onValue = { if $0 == 2 { recorder.cancel() } }
      (1...9).publisher.subscribe(recorder)
      recorder.request(.max(3))
      #expect(recorder.history == [.subscription("1...9"), .value(1), .value(2)])
    }
  }

  @Test func cancellingDuringTheLastValueSuppressesTheCompletion() {
    let recorder = Recorder(.unlimited)
    recorder.onValue = { if $0 == 3 { recorder.cancel() } }
    (1...3).publisher.subscribe(recorder)
    #expect(recorder.values == [1, 2, 3])
    #expect(recorder.completions == [])
  }

  @Test func cancellingOnSubscription() {
    let recorder = Recorder()
    recorder.onSubscription = {
      $0.request(.max(1))
      $0.cancel()
      $0.request(.max(1))
      $0.cancel()
    }
    (1...3).publisher.subscribe(recorder)
    #expect(recorder.values == [1])
    #expect(recorder.completions == [])
  }

  @Test func requestsFromWithinTheIteratorOnlyAddDemand() {
    let sequence = CountingSequence(6)
    let recorder = Recorder()
    sequence.publisher.subscribe(recorder)
    sequence.onNext = { if sequence.read == 2 { recorder.request(.max(2)) } }
    recorder.request(.max(2))
    #expect(recorder.values == [1, 2, 3, 4])
  }

  @Test func everySubscriberGetsAllElements() {
    let publisher = [1, 2].publisher
    let first = Recorder(.unlimited)
    let second = Recorder(.unlimited)
    publisher.subscribe(first)
    publisher.subscribe(second)
    #expect(first.values == [1, 2])
    #expect(second.values == [1, 2])
  }

  @Test func aVeryLongSequenceDoesNotOverflowTheStack() {
    var count = 0
    withExtendedLifetime((0..<200_000).publisher.sink { _ in count += 1 }) {}
    #expect(count == 200_000)
  }

  @Test func mapAndFilterAreAppliedAtOnce() {
    var calls = 0
    let publisher = (1...4).publisher
      .map { number -> Int in
        calls += 1
        return number * 10
      }
      .filter { $0 > 10 }
    #expect(calls == 4)
    #expect(publisher == Publishers.Sequence<[Int], Never>(sequence: [20, 30, 40]))
  }

  @Test func describesItsSubscriptionByItsElementsUntilItEnds() {
    let recorder = Recorder(.max(1))
    CountingSequence(2).publisher.subscribe(recorder)
    let subscription = recorder.subscriptions[0]
    #expect("\(subscription)" == "CountingSequence")
    let mirror = Mirror(reflecting: subscription)
    #expect(mirror.children.map(\.label) == ["sequence"])
    #expect(mirror.children.first?.value is CountingSequence)
    recorder.request(.max(1))
    #expect("\(subscription)" == "Sequence")
    #expect((Mirror(reflecting: subscription).children.first?.value as? [Any])?.isEmpty == true)
  }

  @Test func compactMapScanAndRemoveDuplicatesAreAppliedAtOnce() {
    typealias Numbers = Publishers.Sequence<[Int], Never>
    #expect(["1", "a", "2"].publisher.compactMap { Int($0) } == Numbers(sequence: [1, 2]))
    #expect((1...4).publisher.scan(10, +) == Numbers(sequence: [11, 13, 16, 20]))
    #expect([1, 1, 2, 2, 1].publisher.removeDuplicates() == Numbers(sequence: [1, 2, 1]))
    #expect([Int]().publisher.removeDuplicates() == Numbers(sequence: []))
    let optionals: [Int?] = [nil, nil, 1, nil]
    #expect(optionals.publisher.removeDuplicates().sequence == [nil, 1, nil])
  }
}
