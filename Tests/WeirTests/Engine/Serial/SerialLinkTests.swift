// Tests of what the engines of several streams have in common: whose signal is taken when,
// and when the subscriber goes.

import TestKit
import Testing
import WeirQueues

@testable import Weir

@Suite struct SerialLinkTests {
  typealias Recorder = RecordingSubscriber<Int, Never>

  private let lifetimes = Lifetimes()

  private func link(to recorder: Recorder, _ policy: ContentionPolicy = .wait) -> SerialLink<Recorder, Int> {
    withThreadMark(policy.mark) {
      SerialLink(downstream: HeldSubscriber(recorder), name: "Test", onRequest: { _, _ in }, onCancel: { _ in })
    }
  }

  @Test func aSignalIsTakenAtOnceIfTheGateIsFree() {
    let link = link(to: Recorder())
    var taken: [Int] = []
    link.receive(1) { taken.append($0) }
    #expect(taken == [1])
    #expect(link.description == "Test")
  }

  @Test func aSignalOfTheHolderIsTakenAtOnceWhileNobodyWaits() {
    let link = link(to: Recorder())
    var taken: [String] = []
    func process(_ signal: Int) {
      taken.append("\(signal) begins")
      if signal == 1 { link.receive(2, process) }
      taken.append("\(signal) ends")
    }
    link.receive(1, process)
    #expect(taken == ["1 begins", "2 begins", "2 ends", "1 ends"])
  }

  @Test func underHandOverASignalOfTheHolderGoesBehindThoseOfOthers() {
    let link = link(to: Recorder(), .handOver)
    var taken: [Int] = []
    func process(_ signal: Int) {
      taken.append(signal)
      switch signal {
      case 1:
        onThreads(1) { _ in
          link.receive(2, process)
          link.receive(3, process)
        }
        link.receive(4, process)
        #expect(taken == [1])
      case 2:
        // 3 and 4 are out of the gate's list by now, and still come first.
        link.receive(5, process)
        #expect(taken == [1, 2])
      default: break
      }
    }
    link.receive(1, process)
    #expect(taken == [1, 2, 3, 4, 5])
    link.receive(6, process)
    #expect(taken == [1, 2, 3, 4, 5, 6])
  }

  @Test func aSignalOfTheHolderIsTakenAtOnceBehindThoseThatOthersHaveLeft() {
    let link = link(to: Recorder())
    var taken: [Int] = []
    func process(_ signal: Int) {
      taken.append(signal)
      guard signal == 1 else { return }
      onThreads(1) { _ in
        link.receive(2, .long, unless: { true }, process)
        link.receive(3, .short, process)
        link.receive(4, .none, process)
      }
      #expect(taken == [1])
      link.receive(5, process)
      #expect(taken == [1, 2, 3, 4, 5])
    }
    link.receive(1, process)
    #expect(taken == [1, 2, 3, 4, 5])
  }

  @Test func anErrandOfTheHolderIsDoneInPlaceBehindTheSignalsOfOthers() {
    let link = link(to: Recorder())
    var done: [String] = []
    func process(_ signal: Int) {
      done.append("\(signal)")
      guard signal == 1 else { return link.owe(.run { done.append("errand of \(signal)") }) }
      onThreads(1) { _ in link.receive(2, process) }
      link.receive(3, process)
      link.receive(4, process)
      done.append("1 ends")
    }
    link.receive(1, process)
    #expect(done == ["1", "2", "3", "errand of 3", "4", "errand of 4", "1 ends", "errand of 2"])
  }

  @Test func aSignalThatTheHolderSendsWhileItTakesThoseOfOthersComesBehindItsFormerOne() {
    let link = link(to: Recorder())
    var done: [String] = []
    func process(_ signal: Int) {
      done.append("\(signal)")
      switch signal {
      case 1:
        onThreads(1) { _ in link.receive(2, process) }
        link.receive(3, process)
      case 2: link.receive(4, process)
      default: link.owe(.run { done.append("errand of \(signal)") })
      }
      done.append("\(signal) ends")
    }
    link.receive(1, process)
    let nested = ["3", "3 ends", "errand of 3", "4", "4 ends", "errand of 4"]
    #expect(done == ["1", "2"] + nested + ["2 ends", "1 ends"])
  }

  @Test func errandsAreDoneOutsideTheGateInTheirOrder() {
    let link = link(to: Recorder(.unlimited))
    let done = Shared<[String]>([])
    let subscription = RecordingSubscription()
    let isFree = { onThreads(1) { _ in link.receive(9, .long) { _ in done.value.append("other") } } }
    func process(_ signal: Int) {
      done.value.append("\(signal)")
      switch signal {
      case 1: link.owe(.ask(.of(subscription), .max(1), then: .askForAll(slot: 2)))
      case 2: link.owe(.run { isFree() })
      default: break
      }
    }
    link.receive(1, process)
    #expect(done.value == ["1", "2", "other"])
    #expect(subscription.history == [.requested(.max(1))])
  }

  @Test func anErrandWithinADeliveryIsDoneInPlace() {
    let link = link(to: Recorder())
    var done: [Int] = []
    link.receive(1) { _ in
      link.receive(2) { _ in link.owe(.run { done.append(2) }) }
      done.append(1)
    }
    #expect(done == [2, 1])
  }

  @Test func whoMakesWayHasTheGateAgainAfterwards() {
    let link = link(to: Recorder())
    var taken: [Int] = []
    func process(_ signal: Int) {
      taken.append(signal)
      if signal == 1 {
        onThreads(1) { _ in link.receive(2, .none, process) }
        #expect(link.makeWay(process))
        taken.append(3)
      }
    }
    link.receive(1, process)
    #expect(taken == [1, 2, 3])
  }

  @Test func theSubscriberIsFreedAfterTheEndWhenTheGateIsLeft() {
    let tracked = lifetimes
    let link = makeLink()
    #expect(tracked.live == 1)
    link.receive(1) { _ in
      link.noteEnd()
      link.receive(2) { _ in }
      #expect(tracked.live == 1)
      link.withDownstream { _ = $0.receive(3) }
    }
    #expect(tracked.live == 0)
    link.receive(4) { _ in }
  }

  @Test func theSubscriberIsFreedWithALinkThatNeverEnds() {
    do {
      let link = makeLink()
      #expect(lifetimes.live == 1)
      withExtendedLifetime(link) {}
    }
    #expect(lifetimes.live == 0)
  }

  private func makeLink() -> SerialLink<Recorder, Int> {
    let tracked = lifetimes.track()
    let recorder = Recorder()
    recorder.onValue = { _ in tracked.touch() }
    return link(to: recorder)
  }
}

extension Int: SerialSignal {
  /// For a link of these tests, whose signals are numbers.
  public static func goOn(_ step: NextStep) -> Int {
    if case .askForAll(let slot) = step { slot } else { 0 }
  }
}
