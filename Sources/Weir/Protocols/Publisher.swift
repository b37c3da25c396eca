// The source of a stream.

/// Delivers a sequence of values over time to its subscribers, then at most one completion.
///
/// Any thread may attach a subscriber. A publisher calls each of its subscribers serially: one call at a time, though
/// not always from the same thread.
public protocol Publisher<Output, Failure> {
  /// The kind of values published.
  associatedtype Output
  /// The kind of error that can end the stream; `Never` if none can.
  associatedtype Failure: Error

  /// Attaches a subscriber. Call `subscribe(_:)` rather than this requirement.
  ///
  /// - Parameter subscriber: Receives a subscription first, then values as it asks for them, then a completion.
  #if WEIR_INSPECTION
    // So that operators call the one that notes the subscription, in Inspection.swift.
    @_disfavoredOverload
  #endif
  func receive<S: Subscriber>(subscriber: S) where Failure == S.Failure, Output == S.Input

  #if WEIR_INSPECTION
    /// Where it was made; Weir's operators and subjects know.
    var _assembly: _AssemblySite { get }
  #endif
}

#if !WEIR_INSPECTION
  extension Publisher {
    /// Attaches a subscriber.
    ///
    /// - Parameter subscriber: Receives a subscription first, then values as it asks for them, then a completion.
    @_alwaysEmitIntoClient @inline(__always)
    public func subscribe<Subscriber: Weir.Subscriber>(_ subscriber: Subscriber)
    where Failure == Subscriber.Failure, Output == Subscriber.Input {
      receive(subscriber: subscriber)
    }
  }
#endif
