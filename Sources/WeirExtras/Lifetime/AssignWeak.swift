// Writes each value into a property of an object that it does not keep alive.

public import Weir
import WeirQueues

extension Publisher where Failure == Never {
  /// Writes each value into a property of an object, without keeping the object alive.
  ///
  /// Unlike in the commonly copied version, the stream is cancelled when a value finds the object gone.
  ///
  /// - Parameters:
  ///   - keyPath: The property that is written.
  ///   - object: The object whose property is written.
  /// - Returns: An object that cancels the stream when it is cancelled or freed.
  @_disfavoredOverload
  public func assignWeak<Root: AnyObject>(
    to keyPath: ReferenceWritableKeyPath<Root, Output>, on object: Root
  ) -> AnyCancellable {
    let subscriber = WeakAssign(keyPath, object)
    receive(subscriber: subscriber)
    return AnyCancellable(subscriber)
  }
}

/// Asks for everything, and ends the stream at the first value for which its object is gone.
private final class WeakAssign<Root: AnyObject, Input>: Subscriber, Cancellable, CustomStringConvertible {
  typealias Failure = Never

  private let keyPath: ReferenceWritableKeyPath<Root, Input>
  private let upstream = UpstreamSlot()
  private let ended = OneShot()
  private weak var object: Root?

  init(_ keyPath: ReferenceWritableKeyPath<Root, Input>, _ object: Root) {
    self.keyPath = keyPath
    self.object = object
  }

  func receive(subscription: any Subscription) { upstream.connect(subscription)?.request(.unlimited) }

  func receive(_ input: Input) -> Subscribers.Demand {
    guard !ended.hasFired else { return .none }
    if let object { object[keyPath: keyPath] = input } else { cancel() }
    return .none
  }

  func receive(completion: Subscribers.Completion<Never>) {
    _ = ended.fire()
    _ = upstream.complete()
  }

  func cancel() {
    _ = ended.fire()
    upstream.disconnect(evenBefore: true)
  }

  var description: String { "AssignWeak" }
}

#if WEIR_INSPECTION
  extension WeakAssign: InspectedSubscriber {
    static var isEndOfStream: Bool { true }
  }
#endif
