// Feeds a subject with a stream.

/// Stands between a publisher and a subject: passes values and completion to the subject, and the subject's demand to
/// the publisher. It does not keep the subject alive.
@usableFromInline
final class SubjectSubscriber<Target: Subject>: Subscriber, Cancellable, CustomStringConvertible,
  CustomReflectable, CustomPlaygroundDisplayConvertible
{
  @usableFromInline typealias Input = Target.Output
  @usableFromInline typealias Failure = Target.Failure

  @usableFromInline weak let subject: Target?
  @usableFromInline let link = UpstreamLink(name: "Subject", refusesNone: false)

  @inlinable
  init(_ subject: Target) { self.subject = subject }

  @inlinable
  func receive(subscription: any Subscription) {
    guard let subject else { return subscription.cancel() }
    if link.connect(subscription) { subject.send(subscription: link) }
  }

  @inlinable
  func receive(_ input: Input) -> Subscribers.Demand {
    if link.isConnected { subject?.send(input) }
    return .none
  }

  @inlinable
  func receive(completion: Subscribers.Completion<Failure>) {
    if link.complete() { subject?.send(completion: completion) }
  }

  @inlinable
  func cancel() { link.disconnect() }

  @usableFromInline var description: String { "Subject" }
  @usableFromInline var playgroundDescription: Any { description }
  @usableFromInline var customMirror: Mirror {
    Mirror(
      of: self,
      children: [
        "downstreamSubject": subject as Any, "upstreamSubscription": link.upstream as Any, "subject": subject as Any,
      ])
  }
}
