// Feeds a subject with a stream.

/// Stands between a publisher and a subject: passes values and completion to the subject, and the subject's demand to
/// the publisher. It does not keep the subject alive.
///
/// Values go to the engine of a `PassingSubject`, which is kept: to look for a subject that may be gone takes longer
/// than the rest of a value's way. When the subject is freed it has no subscribers, and cancels its upstreams.
@usableFromInline
final class SubjectSubscriber<Target: Subject>: Subscriber, Cancellable, CustomStringConvertible,
  CustomReflectable, CustomPlaygroundDisplayConvertible
{
  @usableFromInline typealias Input = Target.Output
  @usableFromInline typealias Failure = Target.Failure

  @usableFromInline weak let subject: Target?
  @usableFromInline let core: SubjectCore<Input, Failure>?
  @usableFromInline let link = UpstreamLink(name: "Subject", refusesNone: false)

  @inlinable
  init(_ subject: Target) {
    self.subject = subject
    core = (subject as? any PassingSubject)?.passingCore as? SubjectCore<Input, Failure>
  }

  @inlinable
  func receive(subscription: any Subscription) {
    guard let subject else { return subscription.cancel() }
    if link.connect(subscription) { subject.send(subscription: link) }
  }

  @inlinable
  func receive(_ input: Input) -> Subscribers.Demand {
    guard link.isConnected else { return .none }
    if let core { core.send(input) } else { passToSubject(input) }
    return .none
  }

  @inlinable @inline(never)
  func passToSubject(_ input: Input) { subject?.send(input) }

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

extension Publisher {
  /// Feeds a subject with this stream, and ends the subject's stream when this one ends.
  ///
  /// - Parameter subject: The subject; the stream does not keep it alive.
  /// - Returns: An object that ends the connection when it is cancelled or freed.
  @_alwaysEmitIntoClient
  public func subscribe<S: Subject>(_ subject: S) -> AnyCancellable
  where Failure == S.Failure, Output == S.Output {
    let subscriber = SubjectSubscriber(subject)
    receive(subscriber: subscriber)
    return AnyCancellable(subscriber)
  }
}

extension AnySubscriber {
  /// Makes a subscriber that feeds a subject.
  ///
  /// - Parameter subject: The subject.
  @_alwaysEmitIntoClient
  public init<Subject: Weir.Subject>(_ subject: Subject)
  where Input == Subject.Output, Failure == Subject.Failure {
    self.init(SubjectSubscriber(subject))
  }
}
