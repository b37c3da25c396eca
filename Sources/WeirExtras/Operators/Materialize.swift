// Turns a stream's events into values, and such values into events.

public import Weir

/// What can happen in a stream, as a value.
@frozen
public enum StreamSignal<Output, Failure: Error> {
  /// A value came.
  case value(Output)
  /// The stream failed.
  case failure(Failure)
  /// The stream finished.
  case finished
}

extension StreamSignal: Equatable where Output: Equatable, Failure: Equatable {}
extension StreamSignal: Hashable where Output: Hashable, Failure: Hashable {}
extension StreamSignal: Sendable where Output: Sendable {}

extension Publisher {
  /// Publishes what happens in this stream as values: its values, then its end; then finishes.
  @_disfavoredOverload
  @inlinable
  public func materialize() -> Publishers.Materialize<Self> { Publishers.Materialize(upstream: self) }

  /// Turns signals back into the stream that they describe: the opposite of `materialize()`.
  ///
  /// The first signal of an end cancels this stream; if there is none, the result ends with this stream.
  @inlinable @inline(__always)
  @_disfavoredOverload
  public func dematerialize<Value, Cause: Error>() -> Publishers.Dematerialize<Self, Value, Cause>
  where Output == StreamSignal<Value, Cause>, Failure == Never {
    Publishers.Dematerialize(upstream: self)
  }
}

extension Publishers {
  /// Publishes what happens in another publisher's stream as values.
  ///
  /// The signal of the end is a value like the others: it waits for demand.
  public struct Materialize<Upstream: Publisher>: Publisher {
    #if WEIR_INSPECTION
      /// Where it was made.
      public let _assembly = _AssemblySite.here()
    #endif

    /// What can happen.
    public typealias Output = StreamSignal<Upstream.Output, Upstream.Failure>
    /// `Never`: this publisher can't fail.
    public typealias Failure = Never

    /// Where the values come from.
    public let upstream: Upstream

    /// Creates the publisher.
    ///
    /// - Parameter upstream: Where the values come from.
    @inlinable
    public init(upstream: Upstream) { self.upstream = upstream }

    /// Attaches a subscriber.
    @inlinable @inline(__always)
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Never {
      MaterializePolicy<Upstream.Output, Upstream.Failure>().attach(upstream.map { .value($0) }, to: subscriber)
    }
  }

  /// Turns another publisher's signals back into the stream that they describe.
  public struct Dematerialize<Upstream: Publisher, Output, Failure: Error>: Publisher
  where Upstream.Output == StreamSignal<Output, Failure>, Upstream.Failure == Never {
    #if WEIR_INSPECTION
      /// Where it was made.
      public let _assembly = _AssemblySite.here()
    #endif

    /// Where the signals come from.
    public let upstream: Upstream

    /// Creates the publisher.
    ///
    /// - Parameter upstream: Where the signals come from.
    @inlinable @inline(__always)
    public init(upstream: Upstream) { self.upstream = upstream }

    /// Attaches a subscriber.
    @inlinable @inline(__always)
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      upstream.receive(subscriber: StageSubscriber(DematerializePolicy(), to: subscriber))
    }
  }
}

extension Publishers.Materialize: Equatable where Upstream: Equatable {}
extension Publishers.Dematerialize: Equatable where Upstream: Equatable {}

/// Follows the end of a stream with a value that tells of it.
@frozen
@usableFromInline
struct MaterializePolicy<Value, Cause: Error>: SuccessionPolicy {
  @usableFromInline typealias Input = StreamSignal<Value, Cause>
  @usableFromInline typealias UpstreamFailure = Cause
  @usableFromInline typealias Successor = Just<Input>
  @usableFromInline typealias Failure = Never

  @inlinable
  init() {}

  @inlinable static var name: String { "Materialize" }
  @inlinable static var isTrusting: Bool { false }

  @inlinable
  func follow(_ completion: Subscribers.Completion<Cause>) -> Following<Just<Input>, Never> {
    switch completion {
    case .finished: .stream(Just(.finished))
    case .failure(let failure): .stream(Just(.failure(failure)))
    }
  }
}

@frozen
@usableFromInline
struct DematerializePolicy<Output, Failure: Error>: StagePolicy {
  @usableFromInline typealias Input = StreamSignal<Output, Failure>
  @usableFromInline typealias UpstreamFailure = Never
  @usableFromInline typealias Carry = Void

  @inlinable @inline(__always)
  init() {}

  @inlinable static var name: StaticString { "Dematerialize" }
  @inlinable static var strays: Strays { .ignores }

  @inlinable @inline(__always)
  func convert(_ failure: Never) -> Failure {}

  @inlinable @inline(__always)
  func step(_ input: Input, _ carrier: some Carrier<Void>) -> Step<Output, Failure> {
    switch input {
    case .value(let value): .emit(value)
    case .finished: .finish
    case .failure(let failure): .fail(failure)
    }
  }
}
