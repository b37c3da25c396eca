// The property wrapper that publishes a property after it was stored.

public import Weir
import WeirQueues

/// Publishes each value of a property after it is stored, and the present one to new subscribers.
///
///     final class StateManager {
///       @PublishedState var isOnboarded = false
///     }
///
/// Subscribers read the new value from the property, or a newer one, which another subscriber may have set meanwhile;
/// those of `@Published`, which publishes before it stores, read the former one. Where a subscriber sets the property
/// to a further value while it is told of one, those behind it are told of the further one first, and of the former
/// then, as by a `CurrentValueSubject`, unless they ask for a number of values: the property has the further one. Like
/// `@Published`, it makes the `objectWillChange` of an `ObservableObject` that doesn't bring its own publish before the
/// value is stored; in the commonly copied version it does not. Any thread may read, write and subscribe.
@propertyWrapper
public final class PublishedState<Value>: PublishedField {
  private let subject: CurrentValueSubject<Value, Never>
  private let change = Lock<ObservableObjectPublisher?>(nil)

  /// Creates the property's storage.
  ///
  /// - Parameter wrappedValue: The first value.
  public init(wrappedValue: Value) { subject = CurrentValueSubject(wrappedValue) }

  /// The property's value.
  public var wrappedValue: Value {
    get { subject.value }
    set {
      willChange?.send()
      subject.send(newValue)
    }
  }

  /// Publishes the property's value when asked for it, then each new one after it is stored.
  public var projectedValue: AnyPublisher<Value, Never> { subject.eraseToAnyPublisher() }

  package var willChange: ObservableObjectPublisher? {
    get { change.withLock { $0 } }
    set { change.withLock { $0 = newValue } }
  }
}

extension PublishedState: Sendable where Value: Sendable {}
