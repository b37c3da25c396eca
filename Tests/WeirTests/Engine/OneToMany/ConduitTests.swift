// Tests of one subscriber of a subject, by itself.

import TestKit
import Testing

@testable import Weir

@Suite struct ConduitTests {
  private let core = SubjectCore<Int, TestFailure>(name: "Test")
  private let recorder = RecordingSubscriber(perValue: .none, of: Int.self, failingWith: TestFailure.self)

  private func makeConduit() -> Conduit<Int, TestFailure> {
    typealias Box = SubscriberBox<RecordingSubscriber<Int, TestFailure>>
    return Conduit(
      core: core, target: .passRetained(Box(recorder)), closures: nil,
      receiveValue: { target, value in unsafeDowncast(target, to: Box.self).subscriber.receive(value) },
      receiveCompletion: { unsafeDowncast($0, to: Box.self).subscriber.receive(completion: $1) })
  }

  @Test func offersOnlyWhatWasAskedFor() {
    let conduit = makeConduit()
    conduit.offer(1)
    conduit.request(.max(2))
    for value in 2...5 { conduit.offer(value) }
    #expect(recorder.values == [2, 3])
  }

  @Test func addsReturnedDemand() {
    let conduit = makeConduit()
    recorder.demandPerValue = { $0 == 2 ? .max(2) : .none }
    conduit.request(.max(1))
    for value in 2...6 { conduit.offer(value) }
    #expect(recorder.values == [2, 3, 4])
  }

  @Test func finishesOnceAndWithoutDemand() {
    let conduit = makeConduit()
    conduit.finish(.failure(.second))
    conduit.finish(.finished)
    conduit.request(.max(1))
    conduit.offer(1)
    #expect(recorder.history == [.completion(.failure(.second))])
  }

  @Test func receivesNothingAfterCancellation() {
    let conduit = makeConduit()
    conduit.request(.unlimited)
    conduit.cancel()
    conduit.cancel()
    conduit.offer(1)
    conduit.finish(.finished)
    #expect(recorder.history == [])
  }

  @Test func trapsWhenAskedForNothing() async {
    await #expect(processExitsWith: .failure) {
      let core = SubjectCore<Int, Never>(name: "Test")
      Conduit(core: core, subscriber: AnySubscriber()).request(.none)
    }
  }

  @Test func freesTheSubscriber() {
    let lifetimes = Lifetimes()
    let conduit: Conduit<Int, Never>
    do {
      let inSubscriber = lifetimes.track()
      let subscriber = RecordingSubscriber(of: Int.self, failingWith: Never.self)
      subscriber.onValue = { _ in inSubscriber.touch() }
      conduit = Conduit(core: SubjectCore(name: "Test"), subscriber: subscriber)
    }
    #expect(lifetimes.live == 1)
    conduit.releaseTarget()
    #expect(lifetimes.live == 0)
    conduit.releaseTarget()
    #expect(lifetimes.live == 0)
  }

  @Test func describesItselfByItsSubjectsName() {
    let conduit = makeConduit()
    conduit.request(.max(3))
    #expect("\(conduit)" == "Test")
    #expect(Mirror(reflecting: conduit).children.map(\.label) == ["parent", "downstream", "demand", "subject"])
  }

  @Test func showsTheSinkThatItIsFor() {
    let sink = Subscribers.Sink<Int, TestFailure>(receiveCompletion: { _ in }, receiveValue: { _ in })
    let children = Array(Conduit(core: core, subscriber: sink).customMirror.children)
    #expect(children[1].value as? Subscribers.Sink<Int, TestFailure> === sink)
  }

  @Test func callsTheClosuresOfASinkDirectlyAfterItsFirstValue() {
    let log = Shared([Int]())
    let sink = Subscribers.Sink<Int, TestFailure>(receiveCompletion: { _ in }, receiveValue: { log.value.append($0) })
    let conduit = Conduit(core: core, subscriber: sink)
    var isDirect: Bool { conduit.direct.relaxedLoad() != 0 }
    #expect(!isDirect)
    sink.receive(subscription: conduit)
    conduit.offer(1)
    #expect(isDirect)
    conduit.offer(2)
    sink.cancel()
    // The subject offers it nothing more, unless another thread is delivering, which is told so.
    conduit.stopDirect()
    #expect(!isDirect)
    conduit.offer(3)
    #expect(log.value == [1, 2])
  }

  @Test func keepsTheClosuresOfASinkThatEndsWithinAValue() {
    let lifetimes = Lifetimes()
    let live = Shared([Int]())
    let subject = PassthroughSubject<Int, TestFailure>()
    var sink: Subscribers.Sink<Int, TestFailure>?
    do {
      let tracked = lifetimes.track()
      sink = Subscribers.Sink(
        receiveCompletion: { _ in },
        receiveValue: { value in
          if value == 2 { subject.send(completion: .finished) }
          live.value.append(lifetimes.live)
          tracked.touch()
        })
    }
    if let sink { subject.subscribe(sink) }
    subject.send(1)
    subject.send(2)
    #expect(live.value == [1, 1])
    #expect(lifetimes.live == 0)
    sink = nil
  }
}
