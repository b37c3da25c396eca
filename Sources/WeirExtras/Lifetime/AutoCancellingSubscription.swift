// A property that holds one subscription at a time.

public import Weir
import WeirQueues

/// Holds a subscription; assigning another one cancels the former.
///
///     @AutoCancellingSubscription private var load: AnyCancellable?
///
/// Assigning builds the new subscription before the former one is cancelled; `$load.replace { ... }` cancels first. Any
/// thread may assign, unlike with the commonly copied version. The subscription is cancelled when the property's owner
/// is freed, unless somebody else has its `$load`; copies of a structure that has such a property share it.
@propertyWrapper
public struct AutoCancellingSubscription: Sendable {
  /// Where the subscription is, and more ways to change it.
  public let projectedValue: Slot

  /// Creates a property without a subscription.
  public init() { projectedValue = Slot(nil) }

  /// Creates a property with a subscription.
  ///
  /// - Parameter wrappedValue: The subscription.
  public init(wrappedValue: AnyCancellable?) { projectedValue = Slot(wrappedValue) }

  /// The subscription.
  public var wrappedValue: AnyCancellable? {
    get { projectedValue.current }
    nonmutating set { projectedValue.set(newValue) }
  }

  /// A place for one subscription.
  public final class Slot: Cancellable, Sendable {
    private let subscription: Lock<AnyCancellable?>

    init(_ subscription: AnyCancellable?) { self.subscription = Lock(subscription) }

    // Also where somebody else holds the subscription.
    deinit { set(nil) }

    var current: AnyCancellable? { subscription.withLock { $0 } }

    /// Stores a subscription and cancels the former one, outside the lock.
    func set(_ subscription: AnyCancellable?) {
      var exchanged = subscription
      self.subscription.withLock { swap(&$0, &exchanged) }
      if exchanged !== subscription { exchanged?.cancel() }
    }

    /// Cancels the subscription, then makes and stores another one.
    ///
    /// - Parameter make: Makes the subscription.
    public func replace(_ make: () -> AnyCancellable) {
      set(nil)
      set(make())
    }

    /// Cancels the subscription.
    public func cancel() { set(nil) }
  }
}
