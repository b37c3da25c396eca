// Connects a connectable publisher while it has subscribers.

import WeirQueues

extension ConnectablePublisher {
  /// Connects when the first subscriber is attached, and disconnects when the last one has cancelled.
  @_alwaysEmitIntoClient
  public func autoconnect() -> Publishers.Autoconnect<Self> { Publishers.Autoconnect(upstream: self) }
}

extension Publishers {
  /// Connects another publisher when the first subscriber is attached, and disconnects it when the last one has
  /// cancelled.
  ///
  /// However many threads subscribe and cancel at once, there is never more than one connection: one thread at a time
  /// connects or disconnects, outside the lock, and then looks again. It connects only for subscribers that are
  /// attached, so that none misses what its connection sends at once. A subscriber that is attached from within the
  /// first subscription, or while it connects, on the same thread, connects a second time, as in Combine; that
  /// connection is then replaced by the first subscriber's own, and the first of the two to cancel disconnects both.
  /// What is replaced is freed: of a publisher whose connections live on when they are freed, it lives on.
  public class Autoconnect<Upstream: ConnectablePublisher>: Publisher {
    #if WEIR_INSPECTION
      /// Where it was made.
      public let _assembly = _AssemblySite.here()
    #endif

    /// The upstream's kind of values.
    public typealias Output = Upstream.Output
    /// The upstream's kind of error.
    public typealias Failure = Upstream.Failure

    /// The publisher that is connected.
    public final let upstream: Upstream

    @usableFromInline
    struct State {
      @usableFromInline var subscribers = 0
      /// How many are being attached: some of the subscribers, and some that have cancelled meanwhile.
      @usableFromInline var arriving = 0
      @usableFromInline var connection: (any Cancellable)?
      /// The thread that is connecting or disconnecting, and will look at `subscribers` again afterwards; 0 for none.
      @usableFromInline var settler = 0
      /// Subscribers that came from within the first one's subscription, and have connected themselves.
      @usableFromInline var nested = 0
      /// Whether the settler connects, or is about to and attaches the first subscriber.
      @usableFromInline var isConnecting = false

      @inlinable
      init() {}

      /// Whether the connection is there, or missing, in spite of the subscribers.
      @inlinable
      var isUnsettled: Bool { connection == nil ? hasAttached : subscribers == 0 }

      /// Whether a subscriber is there that is no longer being attached.
      @inlinable
      var hasAttached: Bool { subscribers > arriving }

      /// Makes the caller the one who settles, if that is needed and nobody is at it.
      @inlinable
      mutating func beginSettling() -> Bool {
        guard isUnsettled, settler == 0 else { return false }
        settler = currentThreadIdentity()
        return true
      }

      /// Counts a subscriber.
      @inlinable
      mutating func arrive() -> Arrival {
        subscribers += 1
        arriving += 1
        if isConnecting, settler == currentThreadIdentity(), connection == nil, subscribers > 1 {
          nested += 1
          return .nested
        }
        guard connection == nil, settler == 0 else { return .later }
        settler = currentThreadIdentity()
        isConnecting = true
        return .first
      }

      /// Forgets a subscriber that has cancelled.
      @inlinable
      mutating func leave(isNested: Bool) {
        subscribers -= subscribers > 0 ? 1 : 0
        if isNested, nested > 0 { nested -= 1 }
      }

      /// Forgets the subscribers that the first one's own connection passes over.
      @inlinable
      mutating func forgetNested() {
        if nested > 0 { subscribers = Swift.max(1, subscribers - nested) }
        nested = 0
        isConnecting = false
      }
    }

    /// What a subscriber finds.
    @frozen
    @usableFromInline
    enum Arrival {
      /// Nobody has connected: it is up to this one.
      case first
      /// The thread's own first subscriber, further up the stack, is still to connect.
      case nested
      /// There is a connection, or another thread is at it.
      case later
    }

    @usableFromInline let state = Lock(State())

    /// Creates the publisher.
    ///
    /// - Parameter upstream: The publisher to connect.
    @_alwaysEmitIntoClient
    public init(upstream: Upstream) { self.upstream = upstream }

    /// Attaches a subscriber, and connects if it is the first.
    @_alwaysEmitIntoClient @inline(__always)
    public final func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      let arrival = state.withLock { $0.arrive() }
      upstream.receive(subscriber: AutoconnectSubscriber(self, subscriber, isNested: arrival == .nested))
      let (isWanted, isUnsettled) = state.withLock { state in
        state.arriving -= 1
        return (state.hasAttached, arrival == .later && state.beginSettling())
      }
      switch arrival {
      case .first:
        // It connects although a nested subscriber may have, unless all of them have cancelled meanwhile.
        if isWanted { connect() }
        state.withLock { $0.forgetNested() }
        settle()
      case .nested: connect()
      case .later: if isUnsettled { settle() }
      }
    }

    /// Connects, and drops the former connection if there is one.
    @inlinable
    final func connect() {
      let connection = upstream.connect()
      // The former one is freed after the lock: its `deinit` is user code.
      let former = state.withLock { state in
        defer { state.connection = connection }
        return state.connection
      }
      withExtendedLifetime(former) {}
    }

    /// Notes that a subscriber has cancelled, disconnects if it was the last, and has it leave the upstream. Who has
    /// come meanwhile is connected after that, as the one that leaves would hear of it, too.
    @inlinable
    final func release(isNested: Bool, _ leaveUpstream: () -> Void) {
      let (settles, former) = state.withLock { state -> (Bool, (any Cancellable)?) in
        state.leave(isNested: isNested)
        let settles = state.beginSettling()
        return (settles, settles ? state.connection.take() : nil)
      }
      former?.cancel()
      leaveUpstream()
      if settles { settle() }
    }

    /// Connects or disconnects until the connection fits the subscribers. One thread at a time is here.
    @inlinable
    final func settle() {
      while true {
        let (isDone, former) = state.withLock { state -> (Bool, (any Cancellable)?) in
          // Who has connected itself meanwhile stays counted, also when a later first subscriber connects.
          if !state.isUnsettled { (state.settler, state.nested) = (0, 0) }
          let former = state.settler == 0 ? nil : state.connection.take()
          state.isConnecting = state.settler != 0 && former == nil
          return (state.settler == 0, former)
        }
        if isDone { return }
        if let former { former.cancel() } else { connect() }
      }
    }
  }
}

/// Passes everything on, with a subscription that tells of its cancellation.
@frozen
@usableFromInline
struct AutoconnectSubscriber<Upstream: ConnectablePublisher, Downstream: Subscriber>: Subscriber,
  CustomStringConvertible
{
  @usableFromInline typealias Input = Downstream.Input
  @usableFromInline typealias Failure = Downstream.Failure

  @usableFromInline let parent: Publishers.Autoconnect<Upstream>
  @usableFromInline let downstream: Downstream
  @usableFromInline let isNested: Bool
  @usableFromInline let combineIdentifier = CombineIdentifier()

  @inlinable
  init(_ parent: Publishers.Autoconnect<Upstream>, _ downstream: Downstream, isNested: Bool) {
    self.parent = parent
    self.downstream = downstream
    self.isNested = isNested
  }

  @inlinable
  func receive(subscription: any Subscription) {
    downstream.receive(
      subscription: CountedLink(subscription) { [parent, isNested] leaveUpstream in
        parent.release(isNested: isNested, leaveUpstream)
      })
  }

  @inlinable @inline(__always)
  func receive(_ input: Input) -> Subscribers.Demand { downstream.receive(input) }

  @inlinable
  func receive(completion: Subscribers.Completion<Failure>) { downstream.receive(completion: completion) }

  @usableFromInline var description: String { "Autoconnect" }
}

extension AutoconnectSubscriber: CustomReflectable, CustomPlaygroundDisplayConvertible {
  @usableFromInline var customMirror: Mirror {
    Mirror(of: self, children: ["parent": parent, "downstream": downstream])
  }
  @usableFromInline var playgroundDescription: Any { description }
}

/// A subscription that tells of its cancellation, once.
@usableFromInline
final class CountedLink: WrapperLink {
  private let release: (() -> Void) -> Void
  private let cancelled = OneShot()

  /// - Parameters:
  ///   - subscription: What it passes everything on to.
  ///   - release: Takes the cancellation, and has what it is given cancel the subscription.
  @usableFromInline
  init(_ subscription: any Subscription, release: @escaping (() -> Void) -> Void) {
    self.release = release
    super.init(
      subscription,
      onRequest: { link, demand in link.downcast(to: CountedLink.self).upstream.request(demand) },
      onCancel: { link in link.downcast(to: CountedLink.self).disconnect() })
  }

  private func disconnect() {
    guard cancelled.fire() else { return }
    release { upstream.cancel() }
  }
}
