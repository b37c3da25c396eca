// Tests of the subscriber that writes into a property.

import TestKit
import Testing

@testable import Weir

@Suite struct AssignTests {
  final class Model {
    var number = 0 { didSet { onChange(number) } }
    var onChange: (Int) -> Void = { _ in }
    let tracked: LifetimeTracked?

    init(_ tracked: LifetimeTracked? = nil) { self.tracked = tracked }
  }

  typealias Assign = Subscribers.Assign<Model, Int>

  /// Gives its subscriber a subscription when it is started.
  private struct LatePublisher: Publisher {
    typealias Output = Int
    typealias Failure = Never

    let source = PassthroughSubject<Int, Never>()
    let start = Shared<() -> Void>({})

    func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never {
      start.value = { source.subscribe(subscriber) }
    }
  }

  private let model = Model()
  private let subscription = RecordingSubscription()

  @Test func writesValuesFromTheSubscriptionToTheEnd() {
    let assign = Assign(object: model, keyPath: \.number)
    #expect(assign.receive(12) == .none)
    #expect(model.number == 0)
    assign.receive(subscription: subscription)
    #expect(assign.receive(42) == .none)
    #expect(model.number == 42)
    assign.receive(completion: .finished)
    #expect(assign.receive(100) == .none)
    #expect(model.number == 42)
    #expect(subscription.history == [.requested(.unlimited)])
  }

  @Test func cancelsEverySubscriptionButTheFirst() {
    let assign = Assign(object: model, keyPath: \.number)
    let second = RecordingSubscription()
    let third = RecordingSubscription()
    assign.receive(subscription: subscription)
    assign.receive(subscription: second)
    assign.receive(completion: .finished)
    assign.receive(subscription: third)
    assign.cancel()
    #expect(subscription.history == [.requested(.unlimited)])
    #expect(second.history == [.cancelled])
    #expect(third.history == [.cancelled])
  }

  @Test func cancelsOnce() {
    let assign = Assign(object: model, keyPath: \.number)
    assign.cancel()
    assign.receive(subscription: subscription)
    #expect(assign.receive(1) == .none)
    assign.cancel()
    assign.cancel()
    #expect(assign.receive(2) == .none)
    #expect(model.number == 1)
    #expect(subscription.history == [.requested(.unlimited), .cancelled])
  }

  @Test func letsGoOfTheObjectAtTheEnd() {
    let lifetimes = Lifetimes()
    for isCancelled in [true, false] {
      let assign = Assign(object: Model(lifetimes.track()), keyPath: \.number)
      #expect(assign.object != nil)
      assign.receive(subscription: subscription)
      #expect(assign.object != nil)
      #expect(lifetimes.live == 1)
      if isCancelled { assign.cancel() } else { assign.receive(completion: .finished) }
      #expect(assign.object == nil)
      #expect(lifetimes.live == 0)
    }
  }

  /// As another thread may at that moment; the object stayed as long as the subscriber.
  @Test func letsGoOfTheObjectIfItIsCancelledWhileItsSubscriptionIsBeingStored() {
    let lifetimes = Lifetimes()
    let assign = Assign(object: Model(lifetimes.track()), keyPath: \.number)
    let isStoring = assign.upstream.state.beginActivation()
    #expect(isStoring)
    assign.cancel()
    #expect(lifetimes.live == 0)
    let isStored = assign.upstream.state.endActivation()
    #expect(!isStored)
  }

  @Test func aCancellationFromWithinTheSetterLetsGoOfTheObjectAfterIt() {
    let lifetimes = Lifetimes()
    let assign = Assign(object: Model(lifetimes.track()), keyPath: \.number)
    var livesWithinSetter = 0
    assign.object?.onChange = { [unowned assign] _ in
      assign.cancel()
      livesWithinSetter = lifetimes.live
    }
    assign.receive(subscription: subscription)
    #expect(assign.receive(1) == .none)
    #expect(livesWithinSetter == 1)
    #expect(lifetimes.live == 0)
    #expect(subscription.history == [.requested(.unlimited), .cancelled])
  }

  @Test func acceptsAValueFromWithinTheSetter() {
    let subject = PassthroughSubject<Int, Never>()
    var log: [Int] = []
    model.onChange = { value in
      log.append(value)
      if value < 3 { subject.send(value + 1) }
    }
    let cancellable = subject.assign(to: \.number, on: model)
    subject.send(1)
    #expect(log == [1, 2, 3])
    #expect(model.number == 3)
    cancellable.cancel()
  }

  @Test func theOperatorWritesUntilItIsCancelled() {
    let subject = PassthroughSubject<Int, Never>()
    let cancellable = subject.assign(to: \.number, on: model)
    #expect(model.number == 0)
    subject.send(42)
    #expect(model.number == 42)
    cancellable.cancel()
    subject.send(1)
    #expect(model.number == 42)
    do { _ = subject.assign(to: \.number, on: model) }
    subject.send(100)
    #expect(model.number == 42)
    #expect([1, 2, 3].publisher.assign(to: \.number, on: model) != cancellable)
    #expect(model.number == 3)
  }

  @Test func theOperatorKeepsTheObjectUntilItIsDropped() {
    let lifetimes = Lifetimes()
    let subject = PassthroughSubject<Int, Never>()
    var cancellable: AnyCancellable? = subject.assign(to: \.number, on: Model(lifetimes.track()))
    subject.send(1)
    #expect(lifetimes.live == 1)
    withExtendedLifetime(cancellable) {}
    cancellable = nil
    #expect(lifetimes.live == 0)
  }

  @Test func writesIntoNothingThatWasFreedWhileAnotherThreadCancels() {
    for round in 0..<200 {
      let lifetimes = Lifetimes()
      let assign = Assign(object: Model(lifetimes.track()), keyPath: \.number)
      let subscription = RecordingSubscription()
      assign.receive(subscription: subscription)
      onThreads([
        { for value in 0..<50 { _ = assign.receive(value) } },
        { if round.isMultiple(of: 2) { assign.cancel() } else { assign.receive(completion: .finished) } },
        { _ = assign.object },
      ])
      #expect(lifetimes.live == 0)
      #expect(subscription.history.count == (round.isMultiple(of: 2) ? 2 : 1))
    }
  }

  @Test func describesItself() {
    let assign = Assign(object: model, keyPath: \.number)
    #expect(assign.description == "Assign Model.")
    #expect(assign.playgroundDescription as? String == "Assign Model.")
    let children = Array(assign.customMirror.children)
    #expect(children.map(\.label) == ["object", "keyPath", "status"])
    #expect(children[0].value as? Model === model)
    #expect(children[1].value as? ReferenceWritableKeyPath<Model, Int> == \.number)
    #expect(children[2].value as? String == "awaitingSubscription")
    assign.receive(subscription: subscription)
    #expect(Array(assign.customMirror.children)[2].value as? String == "subscribed")
    assign.cancel()
    #expect(Array(assign.customMirror.children)[2].value as? String == "terminal")
  }

  /// It kept the object, and wrote into it.
  @Test func whatIsCancelledBeforeItsSubscriptionComesIsCancelledThen() {
    let lifetimes = Lifetimes()
    let (late, numbers) = (LatePublisher(), Shared<[Int]>([]))
    do {
      let model = Model(lifetimes.track())
      model.onChange = { numbers.value.append($0) }
      late.assign(to: \.number, on: model).cancel()
    }
    #expect(lifetimes.live == 0)
    late.start.value()
    late.source.send(1)
    #expect(numbers.value == [])
  }
}
