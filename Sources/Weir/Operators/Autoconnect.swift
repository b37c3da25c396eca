// Connects a connectable publisher while it has subscribers.

import WeirQueues

extension Publishers {
  /// Connects another publisher when the first subscriber comes, and disconnects it when the last one has cancelled.
  ///
  /// However many threads subscribe and cancel at once, there is never more than one connection: one thread at a time
  /// connects or disconnects, outside the lock, and looks again afterwards.
  public class Autoconnect<Upstream: ConnectablePublisher>: Publisher {
    /// The upstream's kind of values.
    public typealias Output = Upstream.Output
    /// The upstream's kind of error.
    public typealias Failure = Upstream.Failure

    /// The publisher that is connected.
    public final let upstream: Upstream

    @usableFromInline
    struct State {
      @usableFromInline var subscribers = 0
      @usableFromInline var connection: (any Cancellable)?
      /// Whether a thread is connecting or disconnecting, which will look at `subscribers` again afterwards.
      @usableFromInline var isBusy = false

      @inlinable
      init() {}

      /// Whether the connection is there, or missing, in spite of the subscribers.
      @inlinable
      var isUnsettled: Bool { (connection == nil) != (subscribers == 0) }

      /// Makes the caller the one who settles, if that is needed and nobody is at it.
      @inlinable
      mutating func beginSettling() -> Bool {
        guard isUnsettled, !isBusy else { return false }
        isBusy = true
        return true
      }
    }

    @usableFromInline let state = Lock(State())

    /// Creates the publisher.
    ///
    /// - Parameter upstream: The publisher to connect.
    @inlinable
    public init(upstream: Upstream) { self.upstream = upstream }

    /// Attaches a subscriber, and connects if it is the first.
    @inlinable
    public final func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      let settles = state.withLock { state in
        state.subscribers += 1
        return state.beginSettling()
      }
      upstream.receive(subscriber: AutoconnectSubscriber(subscriber) { self.release() })
      if settles { settle() }
    }

    /// Notes that a subscriber has cancelled, and disconnects if it was the last.
    @inlinable
    final func release() {
      let settles = state.withLock { state in
        state.subscribers -= 1
        return state.beginSettling()
      }
      if settles { settle() }
    }

    /// Connects or disconnects until the connection fits the subscribers. One thread at a time is here.
    @inlinable
    final func settle() {
      while true {
        let (isDone, former) = state.withLock { state -> (Bool, (any Cancellable)?) in
          state.isBusy = state.isUnsettled
          return (!state.isBusy, state.isBusy ? state.connection.take() : nil)
        }
        if isDone { return }
        if let former {
          former.cancel()
        } else {
          let connection = upstream.connect()
          state.withLock { $0.connection = connection }
        }
      }
    }
  }
}

/// Passes everything on, with a subscription that tells of its cancellation.
@frozen
@usableFromInline
struct AutoconnectSubscriber<Downstream: Subscriber>: Subscriber, CustomStringConvertible {
  @usableFromInline typealias Input = Downstream.Input
  @usableFromInline typealias Failure = Downstream.Failure

  @usableFromInline let downstream: Downstream
  @usableFromInline let release: () -> Void
  @usableFromInline let combineIdentifier = CombineIdentifier()

  @inlinable
  init(_ downstream: Downstream, release: @escaping () -> Void) {
    self.downstream = downstream
    self.release = release
  }

  @inlinable
  func receive(subscription: any Subscription) {
    downstream.receive(subscription: CountedSubscription(subscription, release: release))
  }

  @inlinable @inline(__always)
  func receive(_ input: Input) -> Subscribers.Demand { downstream.receive(input) }

  @inlinable
  func receive(completion: Subscribers.Completion<Failure>) { downstream.receive(completion: completion) }

  @usableFromInline var description: String { "Autoconnect" }
}

/// A subscription that tells of its cancellation, once.
@usableFromInline
final class CountedSubscription: Subscription, CustomStringConvertible, CustomPlaygroundDisplayConvertible {
  private let subscription: any Subscription
  private let release: () -> Void
  private let cancelled = OneShot()

  @usableFromInline
  init(_ subscription: any Subscription, release: @escaping () -> Void) {
    self.subscription = subscription
    self.release = release
  }

  @usableFromInline
  var combineIdentifier: CombineIdentifier { subscription.combineIdentifier }

  @usableFromInline
  func request(_ demand: Subscribers.Demand) { subscription.request(demand) }

  @usableFromInline
  func cancel() {
    guard cancelled.fire() else { return }
    release()
    subscription.cancel()
  }

  @usableFromInline
  var description: String { String(describing: subscription) }

  @usableFromInline
  var playgroundDescription: Any { description }
}
