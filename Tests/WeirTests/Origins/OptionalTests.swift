// Tests of the publisher of a value that may be missing.

import TestKit
import Testing
import Weir

@Suite struct OptionalTests {
  typealias Recorder = RecordingSubscriber<Int, Never>

  @Test func publishesAValueOnDemandThenFinishes() {
    let recorder = Recorder()
    Optional(42).publisher.subscribe(recorder)
    #expect(recorder.history == [.subscription("Optional")])
    recorder.request(.max(1))
    recorder.request(.max(1))
    #expect(recorder.history == [.subscription("Optional"), .value(42), .completion(.finished)])
  }

  @Test func withoutAValueFinishesAtOnce() {
    let recorder = Recorder()
    Int?.none.publisher.subscribe(recorder)
    #expect(recorder.history == [.subscription("Empty"), .completion(.finished)])
  }

  @Test func cancellingBeforeTheRequestDeliversNothing() {
    let recorder = Recorder(.unlimited)
    recorder.onSubscription = { $0.cancel() }
    Optional(42).publisher.subscribe(recorder)
    #expect(recorder.history == [.subscription("Optional")])
  }

  @Test func trapsWhenAskedForNothing() async {
    await #expect(processExitsWith: .failure) {
      Optional(42).publisher.subscribe(
        RecordingSubscriber(.some(.none), of: Int.self, failingWith: Never.self))
    }
  }

  @Test func mapAndFilterAreAppliedAtOnce() {
    #expect(Optional(4).publisher.map { "\($0)" } == Optional("4").publisher)
    #expect(Int?.none.publisher.map { "\($0)" } == String?.none.publisher)
    #expect(Optional(4).publisher.filter { $0 > 3 } == Optional(4).publisher)
    #expect(Optional(4).publisher.filter { $0 > 4 } == Int?.none.publisher)
    #expect(Optional(4).publisher.output == 4)
  }

  @Test func describesItsSubscription() {
    let recorder = Recorder()
    Optional(42).publisher.subscribe(recorder)
    let subscription = recorder.subscriptions[0]
    #expect("\(subscription)" == "Optional")
    let children = Array(Mirror(reflecting: subscription).children)
    #expect(children.map(\.label) == [nil])
    #expect(children.first?.value as? Int == 42)
  }

  @Test func compactMapScanAndRemoveDuplicatesAreAppliedAtOnce() {
    #expect(Optional("4").publisher.compactMap { Int($0) } == Optional(4).publisher)
    #expect(Optional("a").publisher.compactMap { Int($0) } == Int?.none.publisher)
    #expect(String?.none.publisher.compactMap { Int($0) } == Int?.none.publisher)
    #expect(Optional(4).publisher.scan("<") { "\($0)\($1)" } == Optional("<4").publisher)
    #expect(Int?.none.publisher.scan("<") { "\($0)\($1)" } == String?.none.publisher)
    #expect(Optional(4).publisher.removeDuplicates() == Optional(4).publisher)
    #expect(Optional(4).publisher.removeDuplicates { _, _ in fatalError("called") } == Optional(4).publisher)
  }
}
