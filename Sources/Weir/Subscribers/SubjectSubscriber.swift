// Feeds a subject with a stream.

/// Stands between a publisher and a subject: passes values and completion to the subject, and the subject's demand to the
/// publisher. It does not keep the subject alive.
final class SubjectSubscriber<Target: Subject>: Subscriber, Cancellable, CustomStringConvertible,
  CustomReflectable, CustomPlaygroundDisplayConvertible
{
  typealias Input = Target.Output
  typealias Failure = Target.Failure

  private weak var subject: Target?
  private let link = UpstreamLink(name: "Subject", refusesNone: false)

  init(_ subject: Target) { self.subject = subject }

  func receive(subscription: any Subscription) {
    guard let subject else { return subscription.cancel() }
    if link.connect(subscription) { subject.send(subscription: link) }
  }

  func receive(_ input: Input) -> Subscribers.Demand {
    if link.isConnected { subject?.send(input) }
    return .none
  }

  func receive(completion: Subscribers.Completion<Failure>) {
    if link.complete() { subject?.send(completion: completion) }
  }

  func cancel() { link.disconnect() }

  var description: String { "Subject" }
  var playgroundDescription: Any { description }
  var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "downstreamSubject": subject as Any, "upstreamSubscription": link.upstream as Any, "subject": subject as Any,
      ])
  }
}
