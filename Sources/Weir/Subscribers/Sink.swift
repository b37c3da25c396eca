// The subscriber made of two closures.

extension Subscribers {
  /// Asks for everything and passes the values and the completion to closures, on the thread that sends them.
  ///
  /// After completion or cancellation nothing more is passed on, and the closures are freed: at once, or when a call of
  /// one of them that is under way, or a delivery of the same subject, is over. Where the system lacks the memory
  /// barrier that this needs, they are freed with the sink. Any thread may cancel.
  public final class Sink<Input, Failure: Error>: Subscriber, Cancellable, CustomStringConvertible, CustomReflectable,
    CustomPlaygroundDisplayConvertible
  {
    @usableFromInline let handlers: GuardedClosures<Input, Failure>
    @usableFromInline let upstream = UpstreamSlot()

    /// Creates a sink.
    ///
    /// - Parameters:
    ///   - receiveCompletion: Called at most once, when the stream finishes or fails; never after a cancellation.
    ///   - receiveValue: Called with each value.
    @_alwaysEmitIntoClient
    public init(
      receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void,
      receiveValue: @escaping ((Input) -> Void)
    ) {
      handlers = GuardedClosures(receiveValue: receiveValue, receiveCompletion: receiveCompletion)
    }

    /// The closure that values are passed to; one that does nothing once that has been freed.
    public var receiveValue: (Input) -> Void { handlers.receiveValue }

    /// The closure that the completion is passed to; one that does nothing once that has been freed.
    public var receiveCompletion: (Subscribers.Completion<Failure>) -> Void { handlers.receiveCompletion }

    /// Accepts the first subscription and asks it for everything; cancels any other.
    @_alwaysEmitIntoClient @inline(__always)
    public func receive(subscription: any Subscription) {
      receive(link: Link.of(subscription))
    }

    /// Accepts the first subscription, as a link, and asks it for everything; cancels any other.
    @inlinable
    package func receive(link: Link) {
      guard upstream.connect(link) else { return }
      if !link.isForeign { handlers.trust() }
      link.request(.unlimited)
    }

    /// Passes a value on.
    ///
    /// - Returns: No further demand: everything has been asked for already.
    @_alwaysEmitIntoClient @inline(__always)
    public func receive(_ value: Input) -> Subscribers.Demand {
      handlers.receive(value, unless: upstream.state)
      return .none
    }

    /// Passes the completion on and frees the closures.
    @_alwaysEmitIntoClient
    public func receive(completion: Subscribers.Completion<Failure>) {
      handlers.finish(completion) {
        switch upstream.state.end() {
        case .over: return false
        case .active: upstream.endUse()
        case .awaiting, .activating: break
        }
        return true
      }
    }

    /// Cancels the stream and frees the closures. Does nothing before there is a subscription.
    @_alwaysEmitIntoClient
    public func cancel() {
      if upstream.disconnect(evenBefore: false) != nil { handlers.retireUnlessBusy() }
    }

    /// The name of the type.
    public var description: String { "Sink" }

    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: EmptyCollection()) }

    /// The name of the type.
    public var playgroundDescription: Any { description }
  }
}

extension Subscribers.Sink: DirectSubscriber {
  @inlinable @inline(__always)
  package func withHandlers<Result>(
    _ body: (borrowing GuardedClosures<Input, Failure>, borrowing UpstreamSlot) -> Result
  ) -> Result { body(handlers, upstream) }
}

extension SubscriberClosures: OwnedClosures {
  @usableFromInline package typealias Owner = Subscribers.Sink<Input, Failure>
}

extension HeldSubscriber {
  /// Holds a subscriber: a sink by itself with its closures, another one in a box.
  @inlinable @inline(__always)
  package init(_ subscriber: Downstream) {
    if let sink = subscriber as? Closures.Owner {
      self.init(direct: sink)
    } else {
      self.init(boxed: subscriber)
    }
  }
}

extension SubjectCore {
  /// Attaches a subscriber; values go to the closures of a sink without the sink.
  ///
  /// - Parameters:
  ///   - subscriber: The subscriber; one that comes after the end gets an empty subscription and the completion.
  ///   - subject: The subject whose engine this is.
  @inlinable @inline(__always)
  package func subscribe<S: Subscriber>(
    _ subscriber: S, to subject: AnyObject
  ) where S.Input == Output, S.Failure == Failure {
    if let sink = subscriber as? Subscribers.Sink<Output, Failure> {
      subscribe(direct: sink, to: subject)
    } else {
      subscribe(boxed: subscriber, to: subject)
    }
  }
}

extension Subscribers.Sink {
  /// What `sink` hands to its caller.
  ///
  /// One of Weir's publishers lets go of the sink when it is cancelled, so that the sink is freed with what this
  /// returns, and its closures with the sink. Another publisher may keep it, so the closures are freed apart. Before
  /// there is a subscription, the sink's own `cancel()` does nothing, as in Combine, while this cancels the one that
  /// comes.
  @inlinable
  package func asCancellable() -> AnyCancellable {
    AnyCancellable {
      switch self.upstream.disconnect(evenBefore: true) {
      case .foreign, .early: self.handlers.retireUnlessBusy()
      case .own, nil: break
      }
    }
  }
}

extension Publisher {
  /// Attaches closures to this stream, and asks for everything.
  ///
  /// The closures are called one at a time, on the thread that sends the value or the completion.
  ///
  /// - Parameters:
  ///   - receiveCompletion: Called at most once, when the stream finishes or fails; never after a cancellation.
  ///   - receiveValue: Called with each value.
  /// - Returns: An object that cancels the stream when it is cancelled or freed; also before there is a subscription.
  @_alwaysEmitIntoClient
  public func sink(
    receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void,
    receiveValue: @escaping ((Output) -> Void)
  ) -> AnyCancellable {
    let sink = Subscribers.Sink<Output, Failure>(receiveCompletion: receiveCompletion, receiveValue: receiveValue)
    receive(subscriber: sink)
    return sink.asCancellable()
  }
}

extension Publisher where Failure == Never {
  /// Attaches a closure to this stream, which can't fail, and asks for everything.
  ///
  /// The closure is called for one value at a time, on the thread that sends it.
  ///
  /// - Parameter receiveValue: Called with each value.
  /// - Returns: An object that cancels the stream when it is cancelled or freed; also before there is a subscription.
  @_alwaysEmitIntoClient
  public func sink(receiveValue: @escaping (Output) -> Void) -> AnyCancellable {
    sink(receiveCompletion: { _ in }, receiveValue: receiveValue)
  }
}
