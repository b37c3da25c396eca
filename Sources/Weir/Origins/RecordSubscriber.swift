// Lets a sequence end as a recording does.

/// Passes everything on, but another completion in place of the sequence's own.
@frozen
@usableFromInline
struct RecordSubscriber<Downstream: Subscriber>: Subscriber {
  @usableFromInline typealias Input = Downstream.Input
  @usableFromInline typealias Failure = Downstream.Failure

  @usableFromInline let downstream: Downstream
  @usableFromInline let completion: Subscribers.Completion<Failure>

  @inlinable
  init(downstream: Downstream, completion: Subscribers.Completion<Failure>) {
    self.downstream = downstream
    self.completion = completion
  }

  @usableFromInline var combineIdentifier: CombineIdentifier { downstream.combineIdentifier }

  @inlinable
  func receive(subscription: any Subscription) {
    guard let link = subscription as? SequenceLink<[Input], Self> else {
      return downstream.receive(subscription: subscription)
    }
    downstream.receive(subscription: RecordLink(link, completion))
  }

  @inlinable
  func receive(_ input: Input) -> Subscribers.Demand { downstream.receive(input) }

  @inlinable
  func receive(completion: Subscribers.Completion<Failure>) { downstream.receive(completion: self.completion) }
}

/// The subscription of one subscriber to a recording: a sequence's, under the name that Combine shows for recordings.
@usableFromInline
final class RecordLink<Downstream: Subscriber>: Link {
  @usableFromInline typealias Elements = SequenceLink<[Downstream.Input], RecordSubscriber<Downstream>>

  @usableFromInline let elements: Elements
  @usableFromInline let completion: Subscribers.Completion<Downstream.Failure>

  @inlinable
  init(_ elements: Elements, _ completion: Subscribers.Completion<Downstream.Failure>) {
    self.elements = elements
    self.completion = completion
    super.init(
      onRequest: { link, demand in link.downcast(to: RecordLink.self).elements.request(demand) },
      onCancel: { link in link.downcast(to: RecordLink.self).elements.cancel() })
  }

  @usableFromInline
  override var description: String { elements.elements?.description ?? "Cancelled Events" }

  @usableFromInline
  override var customMirror: Mirror {
    Mirror(of: self, children: ["sequence": elements.elements ?? [], "completion": completion])
  }
}
