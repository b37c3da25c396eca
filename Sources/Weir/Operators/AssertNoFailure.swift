// Stops the program if the stream fails.

extension Publisher {
  /// Stops the program if the stream fails, and otherwise passes everything on.
  ///
  /// - Parameters:
  ///   - prefix: Printed before the error, with a colon between them; left out if empty.
  ///   - file: The file that the message names.
  ///   - line: The line that the message names.
  @_alwaysEmitIntoClient @inline(__always)
  public func assertNoFailure(
    _ prefix: String = "", file: StaticString = #file, line: UInt = #line
  ) -> Publishers.AssertNoFailure<Self> {
    Publishers.AssertNoFailure(upstream: self, prefix: prefix, file: file, line: line)
  }
}

extension Publishers {
  /// Stops the program if another publisher fails.
  public struct AssertNoFailure<Upstream: Publisher>: Publisher {
    #if WEIR_INSPECTION
      /// Where it was made.
      public let _assembly = _AssemblySite.here()
    #endif

    /// The upstream's kind of values.
    public typealias Output = Upstream.Output
    /// This stream can't fail.
    public typealias Failure = Never

    /// Where the values come from.
    public let upstream: Upstream

    /// Printed before the error, with a colon between them; left out if empty.
    public let prefix: String

    /// The file that the message names.
    public let file: StaticString

    /// The line that the message names.
    public let line: UInt

    /// Creates the publisher.
    ///
    /// - Parameters:
    ///   - upstream: Where the values come from.
    ///   - prefix: Printed before the error, with a colon between them; left out if empty.
    ///   - file: The file that the message names.
    ///   - line: The line that the message names.
    @_alwaysEmitIntoClient @inline(__always)
    public init(upstream: Upstream, prefix: String, file: StaticString, line: UInt) {
      self.upstream = upstream
      self.prefix = prefix
      self.file = file
      self.line = line
    }

    /// Attaches a subscriber.
    @_alwaysEmitIntoClient @inline(__always)
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      let policy = AssertNoFailurePolicy<Output, Upstream.Failure>(prefix: prefix, file: file, line: line)
      upstream.receive(subscriber: SignalSubscriber(policy, subscriber))
    }
  }
}

@frozen
@usableFromInline
struct AssertNoFailurePolicy<Value, UpstreamFailure: Error>: SignalPolicy {
  @usableFromInline let prefix: String
  @usableFromInline let file: StaticString
  @usableFromInline let line: UInt

  @inlinable @inline(__always)
  init(prefix: String, file: StaticString, line: UInt) {
    self.prefix = prefix
    self.file = file
    self.line = line
  }

  @inlinable static var name: String { "AssertNoFailure" }

  @inlinable
  func convert(_ failure: UpstreamFailure) -> Never {
    fatalError("\(prefix.isEmpty ? "" : "\(prefix): ")\(failure)\(CheckpointTrail.text)", file: file, line: line)
  }

  @usableFromInline
  var children: [Mirror.Child] { [("file", file), ("line", line), ("prefix", prefix)] }
}
