// Gives a place in a stream a name, for the messages of failures that come past it.

public import Weir

extension Publisher {
  /// Gives this place in the stream a name, which the reports of what comes past it tell.
  ///
  /// ``StreamCheckpoint/passed`` has the places that a failure, or a value, has come past: in the closures of a sink,
  /// and in any other that is called while it is delivered. The message of `assertNoFailure` names them, and so do
  /// `breakpoint` and `breakpointOnError` before they stop, and in debug builds the messages with which Weir stops a
  /// program that breaks the rules of streams.
  ///
  /// ```swift
  /// let orders = PassthroughSubject<Int, URLError>()
  /// let token = orders
  ///   .checkpoint("orders")
  ///   .sink { completion in
  ///     if case .failure(let error) = completion { print(error.code, StreamCheckpoint.passed) }
  ///   } receiveValue: { print($0) }
  /// orders.send(completion: .failure(URLError(.timedOut)))
  /// token.cancel()
  /// ```
  ///
  /// The operator passes everything on as it comes, on the thread that it comes on, also what comes before its
  /// subscription and after its end. It has no subscription of its own.
  ///
  /// - Parameters:
  ///   - name: What the place is called.
  ///   - file: The file that the place is in.
  ///   - line: The line that the place is in.
  /// - Complexity: O(1) per value, without a lock or an allocation; a subscription has one object.
  @_disfavoredOverload
  @inlinable
  public func checkpoint(
    _ name: String, file: StaticString = #fileID, line: UInt = #line
  ) -> Publishers.Checkpoint<Self> {
    Publishers.Checkpoint(upstream: self, StreamCheckpoint(name: name, file: file, line: line))
  }
}

extension Publishers {
  /// Has the values and failures of another publisher come past a named place.
  public struct Checkpoint<Upstream: Publisher>: Publisher {
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

    /// The place.
    public let checkpoint: StreamCheckpoint

    /// Creates the publisher.
    ///
    /// - Parameters:
    ///   - upstream: Where the values come from.
    ///   - checkpoint: The place.
    @inlinable
    public init(upstream: Upstream, _ checkpoint: StreamCheckpoint) {
      self.upstream = upstream
      self.checkpoint = checkpoint
    }

    /// Attaches a subscriber.
    @inlinable @inline(__always)
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      upstream.receive(subscriber: CheckpointSubscriber(checkpoint.mark, subscriber))
    }
  }
}

/// A place in a stream that has a name; see `checkpoint(_:file:line:)`.
///
/// Any thread may use it.
public struct StreamCheckpoint: Sendable, CustomStringConvertible {
  @usableFromInline let mark: CheckpointMark

  /// Creates a place.
  ///
  /// - Parameters:
  ///   - name: What it is called.
  ///   - file: The file that it is in.
  ///   - line: The line that it is in.
  @inlinable
  public init(name: String, file: StaticString = #fileID, line: UInt = #line) {
    mark = CheckpointMark(name: name, file: file, line: line)
  }

  private init(_ mark: CheckpointMark) { self.mark = mark }

  /// What the place is called.
  public var name: String { mark.name }

  /// The file that the place is in, with its module.
  public var file: StaticString { mark.file }

  /// The line that the place is in.
  public var line: UInt { mark.line }

  /// The name, the file and the line.
  public var description: String { "\"\(name)\" (\(file):\(line))" }

  /// The places that the signal has come past that is being delivered on this thread, the first one first.
  ///
  /// The signal is a value or a failure; a completion without an error has no places of its own. Places that another
  /// signal has come past within whose delivery it was sent are there, too. Empty where nothing is being delivered.
  ///
  /// A failure keeps its places across `receive(on:)`, the operators with timers, and `buffer`. It has none where
  /// another operator or a subject keeps it for later, and in a task that iterates over a stream. A value has those
  /// that it has come past on its thread, since an operator kept it. What threads that meet leave to one another loses
  /// its own, and may have those of the signal that the other thread is delivering.
  ///
  /// - Complexity: O(*n*²) in the number of places.
  public static var passed: [StreamCheckpoint] { CheckpointTrail.marks.map { StreamCheckpoint($0) } }
}
