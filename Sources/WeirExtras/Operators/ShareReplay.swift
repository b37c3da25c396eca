// One subscription to a stream for all its subscribers; who comes late gets the newest values first.

public import Weir
public import WeirQueues

extension Publisher {
  /// Shares one subscription to this stream, and replays the newest values to subscribers that come late.
  ///
  /// Unlike the commonly copied version, which does not compile, it replays the finish too, leaves `nil` among the
  /// values alone, drops what it keeps when the last subscriber cancels before this stream's end, and begins anew after
  /// a failure.
  ///
  /// - Parameter bufferSize: How many values are replayed.
  @_disfavoredOverload
  @inlinable
  public func shareReplay(bufferSize: Int = 1) -> Publishers.ShareReplay<Self> {
    Publishers.ShareReplay(upstream: self, bufferSize: bufferSize)
  }

  /// Shares one subscription to this stream, and replays the newest values to subscribers that come late.
  ///
  /// - Parameters:
  ///   - bufferSize: How many values are replayed.
  ///   - contention: What the upstream's thread does while another one is delivering.
  @inlinable
  public func shareReplay(
    bufferSize: Int = 1, contention: ContentionPolicy
  ) -> Publishers.ShareReplay<Self> {
    Publishers.ShareReplay(upstream: self, bufferSize: bufferSize, contention: contention)
  }

  /// The same with its type erased, for code that names `AnyPublisher`.
  ///
  /// - Parameters:
  ///   - bufferSize: How many values are replayed.
  ///   - contention: What the upstream's thread does while another one is delivering.
  @_disfavoredOverload
  @inlinable
  public func shareReplay(
    bufferSize: Int = 1, contention: ContentionPolicy = .wait
  ) -> AnyPublisher<Output, Failure> {
    Publishers.ShareReplay(upstream: self, bufferSize: bufferSize, contention: contention).eraseToAnyPublisher()
  }
}

extension Publishers {
  /// Shares one subscription to another publisher, and replays the newest values to subscribers that come late.
  ///
  /// It subscribes when the first subscriber comes, and asks for everything. Each subscriber gets what it asks for: one
  /// that asks for less than comes gets the next value when it asks, as long as that is among those kept, and the
  /// oldest kept otherwise.
  ///
  /// What comes while a subscriber is being given what is kept, as it is new or has asked, and has asked for more than
  /// it has got, is kept until it has got it, also beyond `bufferSize`; the upstream's thread waits for it when it
  /// would deliver to it, unless the two threads would wait for each other.
  ///
  /// - When the last subscriber has cancelled before the upstream's end, the upstream is cancelled and what was kept is
  ///   dropped; the next subscriber makes a new connection.
  /// - When the upstream has finished, whoever comes later gets what is kept and the completion.
  /// - When the upstream has failed, whoever comes later makes a new connection; what was kept is dropped then.
  ///
  /// Any thread may subscribe, ask and cancel at any time; all who are subscribed at a time, and came before a failure,
  /// share one connection. A new one may begin while the upstream is still being told that the former is cancelled. Who
  /// subscribes, or asks for its first value, gets what is kept before that returns; who asks for more, what has been
  /// delivered to all who were subscribed before, and a value that is still on its way to others when it has got there.
  /// Neither ever waits for other subscribers; where another thread is calling this very subscriber, or about to, that
  /// one may deliver it when it is through. A subscriber that asks on the thread that is calling it, or another one,
  /// gets it as soon as all have got the value that is being delivered.
  public final class ShareReplay<Upstream: Publisher>: Publisher, Equatable {
    #if WEIR_INSPECTION
      /// Where it was made.
      public let _assembly = _AssemblySite.here()
    #endif

    /// The upstream's kind of values.
    public typealias Output = Upstream.Output
    /// The upstream's kind of error.
    public typealias Failure = Upstream.Failure

    /// Where the values come from.
    public let upstream: Upstream

    /// How many values are replayed.
    public let bufferSize: Int

    /// What the upstream's thread does while another one is delivering.
    public let contention: ContentionPolicy

    @usableFromInline let connection = Lock<ReplayCore<Output, Failure>?>(nil)

    /// Creates the publisher.
    ///
    /// - Parameters:
    ///   - upstream: Where the values come from.
    ///   - bufferSize: How many values are replayed; not negative.
    ///   - contention: What the upstream's thread does while another one is delivering.
    @inlinable
    public init(upstream: Upstream, bufferSize: Int, contention: ContentionPolicy = .wait) {
      precondition(bufferSize >= 0, "ShareReplay can't replay fewer than no values")
      self.contention = contention
      self.upstream = upstream
      self.bufferSize = bufferSize
    }

    /// Attaches a subscriber.
    @inlinable @inline(__always)
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      while true {
        let core = currentConnection()
        guard let isFirst = core.admit() else {
          retire(core)
          continue
        }
        core.subscribe(subscriber)
        if isFirst { upstream.receive(subscriber: ReplayFeed(core)) }
        return
      }
    }

    @inlinable
    func currentConnection() -> ReplayCore<Output, Failure> {
      connection.withLock { connection in
        if let connection { return connection }
        let core = ReplayCore<Output, Failure>(
          limit: bufferSize, name: "ShareReplay", contention: contention)
        connection = core
        return core
      }
    }

    /// Lets go of a connection that is over, which is freed outside the lock.
    @inlinable
    func retire(_ core: ReplayCore<Output, Failure>) {
      connection.withLock { connection in
        if connection === core { connection = nil }
      }
    }

    /// Whether two are the same object.
    public static func == (lhs: ShareReplay, rhs: ShareReplay) -> Bool { lhs === rhs }
  }
}
