// Encodes and decodes values.

extension Publisher {
  /// Encodes every value; an error of the encoder ends the stream.
  ///
  /// - Parameter encoder: Encodes a value, on the thread that sends it.
  @_alwaysEmitIntoClient @inline(__always)
  public func encode<Coder: TopLevelEncoder>(encoder: Coder) -> Publishers.Encode<Self, Coder> {
    Publishers.Encode(upstream: self, encoder: encoder)
  }

  /// Decodes every value; an error of the decoder ends the stream.
  ///
  /// - Parameters:
  ///   - type: The type of the decoded values.
  ///   - decoder: Decodes a value, on the thread that sends it.
  @_alwaysEmitIntoClient @inline(__always)
  public func decode<Item: Decodable, Coder: TopLevelDecoder>(
    type: Item.Type, decoder: Coder
  ) -> Publishers.Decode<Self, Item, Coder> where Output == Coder.Input {
    Publishers.Decode(upstream: self, decoder: decoder)
  }
}

extension Publishers {
  /// Encodes every value of another publisher.
  ///
  /// When the encoder throws, the upstream is cancelled and the error delivered.
  public struct Encode<Upstream: Publisher, Coder: TopLevelEncoder>: Publisher where Upstream.Output: Encodable {
    #if WEIR_INSPECTION
      /// Where it was made.
      public let _assembly = _AssemblySite.here()
    #endif

    /// What the encoder makes.
    public typealias Output = Coder.Output
    /// Any error: the upstream's, or the encoder's.
    public typealias Failure = any Error

    /// Where the values come from.
    public let upstream: Upstream

    @usableFromInline let transform: (Upstream.Output) throws -> Output

    /// Creates the publisher.
    ///
    /// - Parameters:
    ///   - upstream: Where the values come from.
    ///   - encoder: Encodes a value.
    @_alwaysEmitIntoClient @inline(__always)
    public init(upstream: Upstream, encoder: Coder) {
      self.upstream = upstream
      transform = { try encoder.encode($0) }
    }

    /// Attaches a subscriber.
    @_alwaysEmitIntoClient @inline(__always)
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == any Error {
      let policy = CodingPolicy<Upstream.Output, Output, Upstream.Failure, Encoding>(transform: transform)
      upstream.receive(subscriber: StageSubscriber(policy, to: subscriber))
    }
  }

  /// Decodes every value of another publisher.
  ///
  /// When the decoder throws, the upstream is cancelled and the error delivered.
  public struct Decode<Upstream: Publisher, Output: Decodable, Coder: TopLevelDecoder>: Publisher
  where Upstream.Output == Coder.Input {
    #if WEIR_INSPECTION
      /// Where it was made.
      public let _assembly = _AssemblySite.here()
    #endif

    /// Any error: the upstream's, or the decoder's.
    public typealias Failure = any Error

    /// Where the values come from.
    public let upstream: Upstream

    @usableFromInline let transform: (Upstream.Output) throws -> Output

    /// Creates the publisher.
    ///
    /// - Parameters:
    ///   - upstream: Where the values come from.
    ///   - decoder: Decodes a value.
    @_alwaysEmitIntoClient @inline(__always)
    public init(upstream: Upstream, decoder: Coder) {
      self.upstream = upstream
      transform = { try decoder.decode(Output.self, from: $0) }
    }

    /// Attaches a subscriber.
    @_alwaysEmitIntoClient @inline(__always)
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == any Error {
      let policy = CodingPolicy<Upstream.Output, Output, Upstream.Failure, Decoding>(transform: transform)
      upstream.receive(subscriber: StageSubscriber(policy, to: subscriber))
    }
  }
}

/// Tells encoding from decoding.
@usableFromInline
protocol CodingDirection {
  /// The operator's name, as Combine shows it.
  static var name: StaticString { get }
}

@frozen
@usableFromInline
enum Encoding: CodingDirection {
  @inlinable static var name: StaticString { "Encode" }
}

@frozen
@usableFromInline
enum Decoding: CodingDirection {
  @inlinable static var name: StaticString { "Decode" }
}

/// Changes every value with a coder. What comes before the subscription is coded, too.
@frozen
@usableFromInline
struct CodingPolicy<Input, Output, Cause: Error, Direction: CodingDirection>: StagePolicy {
  @usableFromInline typealias UpstreamFailure = Cause

  @usableFromInline let transform: (Input) throws -> Output

  @inlinable @inline(__always)
  init(transform: @escaping (Input) throws -> Output) { self.transform = transform }

  @inlinable static var name: StaticString { Direction.name }
  @inlinable static var strays: Strays { .ignores }
  @inlinable static var takesEarlySignals: Bool { true }

  @inlinable @inline(__always)
  func step(_ input: Input, _ carrier: some Carrier<Void>) -> Step<Output, any Error> {
    do { return .emit(try transform(input)) } catch { return .fail(error) }
  }
}
