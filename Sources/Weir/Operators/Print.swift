// Prints the signals that pass.

extension Publisher {
  /// Prints a line for every signal that passes between this publisher and its subscriber.
  ///
  /// Demand that is returned for a value has a line of its own, marked `(synchronous)`, unless it is none.
  ///
  /// - Parameters:
  ///   - prefix: Begins each line, with a colon and a space after it; left out if empty.
  ///   - stream: Where the lines go; the standard output if `nil`. Each line is written to a copy of this, so pass an
  ///     object, or a structure that refers to one. It is called on the threads that send the signals.
  @_alwaysEmitIntoClient @inline(__always)
  public func print(_ prefix: String = "", to stream: (any TextOutputStream)? = nil) -> Publishers.Print<Self> {
    Publishers.Print(upstream: self, prefix: prefix, to: stream)
  }
}

extension Publishers {
  /// Prints the signals that pass between another publisher and its subscriber.
  public struct Print<Upstream: Publisher>: Publisher {
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

    /// Begins each line.
    public let prefix: String

    /// Where the lines go; the standard output if `nil`.
    public let stream: (any TextOutputStream)?

    /// Creates the publisher.
    ///
    /// - Parameters:
    ///   - upstream: Where the values come from.
    ///   - prefix: Begins each line.
    ///   - stream: Where the lines go; the standard output if `nil`.
    @_alwaysEmitIntoClient @inline(__always)
    public init(upstream: Upstream, prefix: String, to stream: (any TextOutputStream)? = nil) {
      self.upstream = upstream
      self.prefix = prefix
      self.stream = stream
    }

    /// Attaches a subscriber.
    @_alwaysEmitIntoClient @inline(__always)
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      upstream.receive(
        subscriber: TapSubscriber(PrintPolicy<Output, Failure>(prefix: prefix, stream: stream), to: subscriber))
    }
  }
}

@frozen
@usableFromInline
struct PrintPolicy<Value, Failure: Error>: TapPolicy {
  @usableFromInline let prefix: String
  @usableFromInline let stream: (any TextOutputStream)?

  @inlinable @inline(__always)
  init(prefix: String, stream: (any TextOutputStream)?) {
    self.prefix = prefix.isEmpty ? "" : "\(prefix): "
    self.stream = stream
  }

  @inlinable static var name: StaticString { "Print" }
  @inlinable static var outlivesTheEnd: Bool { true }

  @inlinable
  func see(subscription: any Subscription) { log("receive subscription: (\(subscription))") }

  @inlinable
  func see(value: Value) { log("receive value: (\(value))") }

  @inlinable
  func see(completion: Subscribers.Completion<Failure>) {
    switch completion {
    case .finished: log("receive finished")
    case .failure(let failure): log("receive error: (\(failure))")
    }
  }

  @inlinable
  func see(returned demand: Subscribers.Demand) {
    if demand != .none { log("\(words(for: demand)) (synchronous)") }
  }

  @inlinable
  func see(requested demand: Subscribers.Demand) { log(words(for: demand)) }

  @inlinable
  func seeCancellation() { log("receive cancel") }

  @usableFromInline
  func words(for demand: Subscribers.Demand) -> String {
    demand.max.map { "request max: (\($0))" } ?? "request unlimited"
  }

  @usableFromInline
  func log(_ text: String) {
    guard var stream else { return Swift.print(prefix + text) }
    // The three writes of the standard library's `print`, which would find out anew for each line how to print a
    // string.
    stream.write("")
    stream.write(prefix + text)
    stream.write("\n")
  }
}
