// Tests of the publisher of one value.

import TestKit
import Testing
import Weir

@Suite struct JustTests {
  typealias Recorder = RecordingSubscriber<Int, Never>

  @Test func publishesItsValueOnDemandThenFinishes() {
    let recorder = Recorder()
    Just(42).subscribe(recorder)
    #expect(recorder.history == [.subscription("Just")])
    recorder.request(.max(100))
    recorder.request(.max(1))
    #expect(recorder.history == [.subscription("Just"), .value(42), .completion(.finished)])
  }

  @Test func aRequestFromWithinTheValueDoesNothing() {
    let recorder = Recorder(.unlimited, perValue: .max(3))
    recorder.onValue = { _ in recorder.request(.unlimited) }
    Just(42).subscribe(recorder)
    #expect(recorder.history == [.subscription("Just"), .value(42), .completion(.finished)])
  }

  @Test func cancellingBeforeTheRequestDeliversNothing() {
    let recorder = Recorder(.unlimited)
    recorder.onSubscription = { $0.cancel() }
    Just(42).subscribe(recorder)
    #expect(recorder.history == [.subscription("Just")])
  }

  @Test func cancellingDuringTheValueSuppressesTheCompletion() {
    let recorder = Recorder(.unlimited)
    recorder.onValue = { _ in recorder.cancel() }
    Just(42).subscribe(recorder)
    #expect(recorder.history == [.subscription("Just"), .value(42)])
  }

  @Test func trapsWhenAskedForNothing() async {
    await #expect(processExitsWith: .failure) {
      Just(42).subscribe(RecordingSubscriber(.some(.none), of: Int.self, failingWith: Never.self))
    }
  }

  @Test func mapAndFilterAreAppliedAtOnce() {
    #expect(Just(4).map { "\($0)" } == Just("4"))
    #expect(Just(4).filter { $0 > 3 } == Optional<Int>.Publisher(4))
    #expect(Just(4).filter { $0 > 4 } == Optional<Int>.Publisher(nil))
    #expect(Just(4) != Just(5))
  }

  @Test func describesItsSubscription() {
    let recorder = Recorder()
    Just(42).subscribe(recorder)
    let subscription = recorder.subscriptions[0]
    #expect("\(subscription)" == "Just")
    let children = Array(Mirror(reflecting: subscription).children)
    #expect(children.map(\.label) == [nil])
    #expect(children.first?.value as? Int == 42)
  }

  @Test func compactMapAndRemoveDuplicatesAreAppliedAtOnce() {
    #expect(Just("4").compactMap { Int($0) } == Optional(4).publisher)
    #expect(Just("a").compactMap { Int($0) } == Int?.none.publisher)
    #expect(Just(4).removeDuplicates() == Just(4))
    #expect(Just(4).removeDuplicates { _, _ in fatalError("called") } == Just(4))
  }
}
