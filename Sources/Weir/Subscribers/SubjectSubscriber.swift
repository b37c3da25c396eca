// Feeds a subject with a stream.

/// Stands between a publisher and a subject: passes values and completion to the subject, and the subject's demand to the
/// publisher. It does not keep the subject alive.
final class SubjectSubscriber<Target: Subject>: Subscriber, Subscription, CustomStringConvertible, CustomReflectable,
  CustomPlaygroundDisplayConvertible
{
  typealias Input = Target.Output
  typealias Failure = Target.Failure

  private weak var subject: Target?
  private let state = SubscriptionState()
  private var subscription: (any Subscription)?

  init(_ subject: Target) { self.subject = subject }

  func receive(subscription: any Subscription) {
    guard let subject, state.beginActivation() else { return subscription.cancel() }
    self.subscription = subscription
    guard state.endActivation() else {
      self.subscription = nil
      return subscription.cancel()
    }
    subject.send(subscription: self)
  }

  func receive(_ input: Input) -> Subscribers.Demand {
    if state.isActive { subject?.send(input) }
    return .none
  }

  func receive(completion: Subscribers.Completion<Failure>) {
    guard state.cancel() == .active else { return }
    if state.endUse() { subscription = nil }
    subject?.send(completion: completion)
  }

  func request(_ demand: Subscribers.Demand) {
    guard state.beginUse() else { return }
    subscription?.request(demand)
    if state.endUse() { subscription = nil }
  }

  func cancel() {
    guard state.cancel() == .active else { return }
    subscription?.cancel()
    if state.endUse() { subscription = nil }
  }

  var description: String { "Subject" }
  var playgroundDescription: Any { description }
  var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "downstreamSubject": subject as Any, "upstreamSubscription": subscription as Any, "subject": subject as Any,
      ])
  }
}
