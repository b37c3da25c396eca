// Publishes the one result of work that began when the future was made.

/// Publishes one value, or fails, once a promise is kept.
///
/// The work begins when the future is made, not when it is subscribed to. Its result is kept and given to every
/// subscriber, early or late: a value when it is asked for, an error at once. If nobody can keep the promise any more,
/// the subscribers are released and nothing is published.
///
/// Any thread may keep the promise, subscribe or cancel. The subscribers that are waiting are called on the thread that
/// keeps the promise, in the order of their subscription.
///
/// - Complexity: Keeping the promise is O(*n*) in the number of subscribers that are waiting; subscribing and
///   cancelling take amortised constant time.
public final class Future<Output, Failure: Error>: Publisher {
  #if WEIR_INSPECTION
    /// Where it was made.
    public let _assembly = _AssemblySite.here()
  #endif

  /// Takes the result of the work, on any thread; calls after the first do nothing.
  public typealias Promise = (Result<Output, Failure>) -> Void

  @usableFromInline let core: PromiseCore<Output, Failure>

  /// Creates a future and begins its work.
  ///
  /// - Parameter attemptToFulfill: Begins the work; called before the initialiser returns, with the closure that takes
  ///   the result.
  @_alwaysEmitIntoClient
  public init(_ attemptToFulfill: @escaping (@escaping Promise) -> Void) {
    core = FuturePromise<Output, Failure>()
    let keeper = PromiseKeeper(core)
    attemptToFulfill { keeper.core.resolve($0) }
  }

  /// The same future for those who only have its core, such as mirrors of its subscriptions.
  init(sharing core: PromiseCore<Output, Failure>) { self.core = core }

  /// Attaches a subscriber, which gets the result when there is one and it has asked for values.
  @_alwaysEmitIntoClient
  public func receive<Downstream: Subscriber>(subscriber: Downstream)
  where Output == Downstream.Input, Failure == Downstream.Failure {
    core.subscribe(.of(subscriber))
  }
}

// SAFETY: the core's result and those who wait for it are behind a lock; the result goes from thread to thread.
extension Future: @unchecked Sendable where Output: Sendable {}

/// The promise of a future, which mirrors of its subscriptions show.
@usableFromInline
final class FuturePromise<Output, Failure: Error>: PromiseCore<Output, Failure>, CustomReflectable {
  @inlinable
  package override init() { super.init() }

  @usableFromInline var customMirror: Mirror { Mirror(of: self) }

  @usableFromInline override package var publisher: Any? { Future(sharing: self) }
}
