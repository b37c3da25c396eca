// Subjects that can neither fail nor be finished by who feeds them.

public import Weir

/// A `PassthroughSubject` that nobody can end: its streams finish when it is freed, and not before.
///
/// Any thread may send, subscribe or cancel at any time.
public final class PassthroughRelay<Output>: Publisher {
  #if WEIR_INSPECTION
    /// Where it was made.
    public let _assembly = _AssemblySite.here()
  #endif

  /// `Never`: this publisher can't fail.
  public typealias Failure = Never

  @usableFromInline let subject = PassthroughSubject<Output, Never>()

  /// Creates a relay without subscribers.
  public init() {}

  deinit { subject.send(completion: .finished) }

  /// Sends a value to every subscriber that has asked for one.
  ///
  /// - Parameter value: The value.
  @inlinable
  public func accept(_ value: Output) { subject.send(value) }

  /// Attaches a subscriber.
  @inlinable
  public func receive<Downstream: Subscriber>(subscriber: Downstream)
  where Downstream.Input == Output, Downstream.Failure == Never {
    subject.receive(subscriber: subscriber)
  }
}

/// A `CurrentValueSubject` that nobody can end: its streams finish when it is freed, and not before.
///
/// Any thread may send, read, subscribe or cancel at any time.
public final class CurrentValueRelay<Output>: Publisher {
  #if WEIR_INSPECTION
    /// Where it was made.
    public let _assembly = _AssemblySite.here()
  #endif

  /// `Never`: this publisher can't fail.
  public typealias Failure = Never

  @usableFromInline let subject: CurrentValueSubject<Output, Never>

  /// Creates a relay without subscribers.
  ///
  /// - Parameter value: The first value.
  public init(_ value: Output) { subject = CurrentValueSubject(value) }

  deinit { subject.send(completion: .finished) }

  /// The newest value.
  @inlinable
  public var value: Output { subject.value }

  /// Stores a value and sends it to every subscriber that has asked for one.
  ///
  /// - Parameter value: The value.
  @inlinable
  public func accept(_ value: Output) { subject.send(value) }

  /// Attaches a subscriber, which gets the newest value when it first asks for values.
  @inlinable
  public func receive<Downstream: Subscriber>(subscriber: Downstream)
  where Downstream.Input == Output, Downstream.Failure == Never {
    subject.receive(subscriber: subscriber)
  }
}

extension Publisher where Failure == Never {
  /// Feeds a relay with this stream's values; the end of the stream does not reach it.
  ///
  /// - Parameter relay: The relay; the stream does not keep it alive.
  /// - Returns: An object that ends the connection when it is cancelled or freed.
  @_disfavoredOverload
  public func subscribe(_ relay: PassthroughRelay<Output>) -> AnyCancellable {
    sink { [weak relay] in relay?.accept($0) }
  }

  /// Feeds a relay with this stream's values; the end of the stream does not reach it.
  ///
  /// - Parameter relay: The relay; the stream does not keep it alive.
  /// - Returns: An object that ends the connection when it is cancelled or freed.
  @_disfavoredOverload
  public func subscribe(_ relay: CurrentValueRelay<Output>) -> AnyCancellable {
    sink { [weak relay] in relay?.accept($0) }
  }
}

extension PassthroughRelay: Sendable where Output: Sendable {}

extension CurrentValueRelay: Sendable where Output: Sendable {}
