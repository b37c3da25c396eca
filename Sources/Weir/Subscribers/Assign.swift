// The subscriber that writes each value into a property.

extension Subscribers {
  /// Asks for everything and writes each value into a property of an object, on the thread that sends it.
  ///
  /// It holds the object until completion or cancellation, or, if a value is being written at that moment, until that
  /// is done. Values that come before the subscription or after the end are not written. Any thread may cancel.
  public final class Assign<Root, Input>: Subscriber, Cancellable, CustomStringConvertible, CustomReflectable,
    CustomPlaygroundDisplayConvertible
  {
    /// `Never`: an error could not be assigned.
    public typealias Failure = Never

    /// The property that is written.
    public let keyPath: ReferenceWritableKeyPath<Root, Input>

    @usableFromInline let upstream = UpstreamSlot()
    /// Read by users that the upstream's state counts, and emptied by the last one after the end.
    @usableFromInline var target: Root?

    /// Creates the subscriber.
    ///
    /// - Parameters:
    ///   - object: The object whose property is written; kept until the stream ends.
    ///   - keyPath: The property that is written.
    @_alwaysEmitIntoClient
    public init(object: Root, keyPath: ReferenceWritableKeyPath<Root, Input>) {
      target = object
      self.keyPath = keyPath
    }

    /// The object; `nil` once the stream has ended.
    ///
    /// Any thread may read this once there is a subscription; before that, only while none can arrive.
    public var object: Root? {
      guard upstream.state.beginUse() else { return upstream.state.hasBegun ? nil : target }
      let object = target
      endUse()
      return object
    }

    /// Accepts the first subscription and asks it for everything; cancels any other.
    @_alwaysEmitIntoClient
    public func receive(subscription: any Subscription) {
      upstream.connect(subscription)?.request(.unlimited)
    }

    /// Writes a value.
    ///
    /// - Returns: No further demand: everything has been asked for already.
    @_alwaysEmitIntoClient
    public func receive(_ value: Input) -> Subscribers.Demand {
      guard upstream.state.beginUse() else { return .none }
      if let target { target[keyPath: keyPath] = value }
      endUse()
      return .none
    }

    /// Releases the object.
    @_alwaysEmitIntoClient
    public func receive(completion: Subscribers.Completion<Never>) {
      if upstream.state.cancel() == .active { endUse() }
    }

    /// Cancels the stream and releases the object. Does nothing before there is a subscription.
    @_alwaysEmitIntoClient
    public func cancel() { end(evenBefore: false) }

    /// What `assign(to:on:)` returns: as `cancel()`, but before there is a subscription it cancels the one that comes.
    @inlinable
    package func asCancellable() -> AnyCancellable { AnyCancellable { self.end(evenBefore: true) } }

    @inlinable
    func end(evenBefore countsEarly: Bool) {
      switch countsEarly ? upstream.state.end() : upstream.state.cancel() {
      case .active:
        upstream.withLink { $0.cancel() }
        endUse()
      // The subscription is just being stored: there are no users yet, and none will come.
      case .activating: target = nil
      case .awaiting: if countsEarly { target = nil }
      case .over: break
      }
    }

    @inlinable
    func endUse() {
      if upstream.endUse() { target = nil }
    }

    /// The name of this type, with that of the object's type.
    public var description: String { "Assign \(Root.self)." }

    /// A mirror with the object, the property, and the state of the subscription.
    public var customMirror: Mirror {
      let state = upstream.state.isActive ? "subscribed" : upstream.state.hasBegun ? "terminal" : "awaitingSubscription"
      return Mirror(self, children: ["object": object as Any, "keyPath": keyPath, "status": state])
    }

    /// The name of this type, with that of the object's type.
    public var playgroundDescription: Any { description }
  }
}

extension Publisher where Failure == Never {
  /// Writes each value into a property of an object, which is kept until the stream ends.
  ///
  /// The property is written on the thread that sends the value.
  ///
  /// - Parameters:
  ///   - keyPath: The property that is written.
  ///   - object: The object whose property is written.
  /// - Returns: An object that cancels the stream when it is cancelled or freed; also before there is a subscription.
  @_alwaysEmitIntoClient
  public func assign<Root>(to keyPath: ReferenceWritableKeyPath<Root, Output>, on object: Root) -> AnyCancellable {
    let assign = Subscribers.Assign(object: object, keyPath: keyPath)
    receive(subscriber: assign)
    return assign.asCancellable()
  }
}
