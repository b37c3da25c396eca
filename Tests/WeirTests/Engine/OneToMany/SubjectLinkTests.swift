// Tests of one subscriber of a subject, by itself.

import TestKit
import Testing

@testable import Weir

@Suite struct SubjectLinkTests {
  private let core = SubjectCore<Int, TestFailure>(name: "Test")
  private let recorder = RecordingSubscriber(perValue: .none, of: Int.self, failingWith: TestFailure.self)

  private func makeLink() -> SubjectLink<Int, TestFailure> {
    SubjectLink(core: core, boxed: recorder)
  }

  @Test func offersOnlyWhatWasAskedFor() {
    let link = makeLink()
    link.offer(1)
    link.request(.max(2))
    for value in 2...5 { link.offer(value) }
    #expect(recorder.values == [2, 3])
  }

  @Test func addsReturnedDemand() {
    let link = makeLink()
    recorder.demandPerValue = { $0 == 2 ? .max(2) : .none }
    link.request(.max(1))
    for value in 2...6 { link.offer(value) }
    #expect(recorder.values == [2, 3, 4])
  }

  @Test func finishesOnceAndWithoutDemand() {
    let link = makeLink()
    link.finish(.failure(.second))
    link.finish(.finished)
    link.request(.max(1))
    link.offer(1)
    #expect(recorder.history == [.completion(.failure(.second))])
  }

  @Test func receivesNothingAfterCancellation() {
    let link = makeLink()
    link.request(.unlimited)
    link.cancel()
    link.cancel()
    link.offer(1)
    link.finish(.finished)
    #expect(recorder.history == [])
  }

  @Test func trapsWhenAskedForNothing() async {
    await #expect(processExitsWith: .failure) {
      let core = SubjectCore<Int, Never>(name: "Test")
      SubjectLink(core: core, boxed: AnySubscriber<Int, Never>()).request(.none)
    }
  }

  @Test func freesTheSubscriber() {
    let lifetimes = Lifetimes()
    let link: SubjectLink<Int, Never>
    do {
      let inSubscriber = lifetimes.track()
      let subscriber = RecordingSubscriber(of: Int.self, failingWith: Never.self)
      subscriber.onValue = { _ in inSubscriber.touch() }
      link = SubjectLink(core: SubjectCore(name: "Test"), boxed: subscriber)
    }
    #expect(lifetimes.live == 1)
    link.releaseTarget()
    #expect(lifetimes.live == 0)
    link.releaseTarget()
    #expect(lifetimes.live == 0)
  }

  @Test func describesItselfByItsSubjectsName() {
    let link = makeLink()
    link.request(.max(3))
    #expect("\(link)" == "Test")
    #expect(Mirror(reflecting: link).children.map(\.label) == ["parent", "downstream", "demand", "subject"])
  }

  @Test func showsTheSinkThatItIsFor() {
    let sink = Subscribers.Sink<Int, TestFailure>(receiveCompletion: { _ in }, receiveValue: { _ in })
    let children = Array(SubjectLink(core: core, direct: sink).customMirror.children)
    #expect(children[1].value as? Subscribers.Sink<Int, TestFailure> === sink)
  }

  @Test func callsTheClosuresOfASinkDirectlyAfterItsFirstValue() {
    let log = Shared([Int]())
    let sink = Subscribers.Sink<Int, TestFailure>(receiveCompletion: { _ in }, receiveValue: { log.value.append($0) })
    let link = SubjectLink(core: core, direct: sink)
    var isDirect: Bool { link.direct.relaxedLoad() != 0 }
    #expect(!isDirect)
    sink.receive(subscription: link)
    link.offer(1)
    #expect(isDirect)
    link.offer(2)
    sink.cancel()
    // The subject offers it nothing more, unless another thread is delivering, which is told so.
    link.stopDirect()
    #expect(!isDirect)
    link.offer(3)
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

extension SubjectLink {
  /// A link to a subscriber of any kind, as the core makes it.
  fileprivate convenience init<S: Subscriber>(core: SubjectCore<Output, Failure>, boxed subscriber: S)
  where S.Input == Output, S.Failure == Failure {
    self.init(
      core: core, target: .passRetained(SubscriberBox(subscriber)), closures: nil,
      receiveValue: { unsafeDowncast($0, to: SubscriberBox<S>.self).subscriber.receive($1) },
      receiveCompletion: { unsafeDowncast($0, to: SubscriberBox<S>.self).subscriber.receive(completion: $1) })
  }

  /// A link to a subscriber whose closures may be called in its place.
  fileprivate convenience init<S: DirectSubscriber>(core: SubjectCore<Output, Failure>, direct subscriber: S)
  where S.Input == Output, S.Failure == Failure {
    self.init(
      core: core, target: .passRetained(subscriber), closures: subscriber.retainedClosures(),
      receiveValue: { unsafeDowncast($0, to: S.self).receive($1) },
      receiveCompletion: { unsafeDowncast($0, to: S.self).receive(completion: $1) })
  }
}
