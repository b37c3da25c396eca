// Tests of the subscriber of operators that watch everything.

import TestKit
import Testing
import Weir

private final class Watched { var lines: [String] = [] }

/// Writes down all it sees.
private protocol Watcher: TapPolicy where Value == Int, Failure == TestFailure {
  var watched: Watched { get }
}

extension Watcher {
  static var name: StaticString { "Watcher" }
  func see(subscription: any Subscription) { watched.lines.append("\(subscription)") }
  func see(value: Int) { watched.lines.append("\(value)") }
  func see(completion: Subscribers.Completion<TestFailure>) { watched.lines.append("\(completion)") }
  func see(returned demand: Subscribers.Demand) { watched.lines.append("returned \(demand)") }
  func see(requested demand: Subscribers.Demand) { watched.lines.append("requested \(demand)") }
  func seeCancellation() { watched.lines.append("cancelled") }
}

private struct ShortWatcher: Watcher {
  static var outlivesTheEnd: Bool { false }
  let watched: Watched
}

private struct LongWatcher: Watcher {
  static var outlivesTheEnd: Bool { true }
  let watched: Watched
}

@Suite struct TapSubscriberTests {
  private let publisher = ScriptedPublisher(of: Int.self, failingWith: TestFailure.self)
  private let recorder = RecordingSubscriber<Int, TestFailure>(.max(2), perValue: .max(1))
  private let watched = Watched()

  private func endAndGoOn() {
    publisher.send(1)
    publisher.send(completion: .finished)
    publisher.send(2)
    recorder.request(.max(9))
    recorder.cancel()
  }

  @Test func seesEverythingUntilTheEnd() {
    publisher.subscribe(TapSubscriber(ShortWatcher(watched: watched), to: recorder))
    endAndGoOn()
    #expect(watched.lines == ["RecordingSubscription", "requested max(2)", "1", "returned max(1)", "finished"])
    #expect(recorder.history == [.subscription("Watcher"), .value(1), .completion(.finished), .value(2)])
    #expect(publisher.subscription?.history == [.requested(.max(2))])
  }

  @Test func aRuleMayGoOnWatchingAfterTheEnd() {
    publisher.subscribe(TapSubscriber(LongWatcher(watched: watched), to: recorder))
    endAndGoOn()
    #expect(
      watched.lines.dropFirst(4) == ["finished", "2", "returned max(1)", "requested max(9)", "cancelled"])
    #expect(publisher.subscription?.history == [.requested(.max(2))])
  }

  @Test func letsGoOfItsRuleAtTheEnd() {
    weak var weakWatched: Watched?
    do {
      let watched = Watched()
      weakWatched = watched
      publisher.subscribe(TapSubscriber(ShortWatcher(watched: watched), to: recorder))
    }
    #expect(weakWatched != nil)
    recorder.cancel()
    publisher.forgetSubscriber()
    #expect(weakWatched == nil)
  }
}
