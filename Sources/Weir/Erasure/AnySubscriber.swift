// Hides a subscriber's type, or makes a subscriber of closures.

/// A subscriber whose type is hidden, or that consists of closures.
@frozen
public struct AnySubscriber<Input, Failure: Error>: Subscriber, CustomStringConvertible, CustomReflectable,
  CustomPlaygroundDisplayConvertible
{
  @usableFromInline let erased: ErasedSubscriber<Input, Failure>

  /// The hidden subscriber's identity.
  public let combineIdentifier: CombineIdentifier

  /// Hides the type of a subscriber. One that is hidden already is not wrapped again.
  ///
  /// - Parameter subscriber: The subscriber.
  @_alwaysEmitIntoClient
  public init<Subscriber: Weir.Subscriber>(_ subscriber: Subscriber)
  where Input == Subscriber.Input, Failure == Subscriber.Failure {
    if let other = subscriber as? AnySubscriber<Input, Failure> {
      self = other
    } else {
      erased = .of(subscriber)
      combineIdentifier = subscriber.combineIdentifier
    }
  }

  /// Makes a subscriber of closures.
  ///
  /// - Parameters:
  ///   - receiveSubscription: Called with the subscription; without it, nothing is asked for.
  ///   - receiveValue: Called with each value, and returns how many more are wanted; without it, values are dropped and
  ///     no more are asked for.
  ///   - receiveCompletion: Called with the completion.
  @_alwaysEmitIntoClient
  public init(
    receiveSubscription: ((any Subscription) -> Void)? = nil,
    receiveValue: ((Input) -> Subscribers.Demand)? = nil,
    receiveCompletion: ((Subscribers.Completion<Failure>) -> Void)? = nil
  ) {
    erased = ClosureSubscriber(
      receiveSubscription: receiveSubscription ?? { _ in }, receiveValue: receiveValue ?? { _ in .none },
      receiveCompletion: receiveCompletion ?? { _ in })
    combineIdentifier = CombineIdentifier()
  }

  /// Passes the subscription on.
  @_alwaysEmitIntoClient @inline(__always)
  public func receive(subscription: any Subscription) { erased.receiveSubscription(subscription) }

  /// Passes a value on.
  ///
  /// - Returns: How many more values the hidden subscriber wants.
  @_alwaysEmitIntoClient @inline(__always)
  public func receive(_ value: Input) -> Subscribers.Demand { erased.receiveValue(value) }

  /// Passes the completion on.
  @_alwaysEmitIntoClient @inline(__always)
  public func receive(completion: Subscribers.Completion<Failure>) { erased.receiveCompletion(completion) }

  /// The hidden subscriber's description, or the name of its type if it has none.
  public var description: String {
    let hidden = erased.hidden()
    return (hidden as? any CustomStringConvertible)?.description ?? String(describing: type(of: hidden))
  }

  /// The hidden subscriber's mirror.
  public var customMirror: Mirror {
    let hidden = erased.hidden()
    return (hidden as? any CustomReflectable)?.customMirror ?? Mirror(hidden, children: EmptyCollection())
  }

  /// The hidden subscriber's playground description.
  public var playgroundDescription: Any {
    let hidden = erased.hidden()
    return (hidden as? any CustomPlaygroundDisplayConvertible)?.playgroundDescription ?? description
  }
}
