// The operators that pass values on as they come, on the thread that they come on: they carry what their upstream does.

public import Dispatch
public import Weir
public import WeirDispatch

// MARK: One stream

extension Publishers.Map: ContextPassing, ContextCarrying where Upstream: ContextCarrying {}
extension Publishers.TryMap: ContextPassing, ContextCarrying where Upstream: ContextCarrying {}
extension Publishers.MapKeyPath: ContextPassing, ContextCarrying where Upstream: ContextCarrying {}
extension Publishers.MapKeyPath2: ContextPassing, ContextCarrying where Upstream: ContextCarrying {}
extension Publishers.MapKeyPath3: ContextPassing, ContextCarrying where Upstream: ContextCarrying {}
extension Publishers.CompactMap: ContextPassing, ContextCarrying where Upstream: ContextCarrying {}
extension Publishers.TryCompactMap: ContextPassing, ContextCarrying where Upstream: ContextCarrying {}
extension Publishers.Filter: ContextPassing, ContextCarrying where Upstream: ContextCarrying {}
extension Publishers.TryFilter: ContextPassing, ContextCarrying where Upstream: ContextCarrying {}
extension Publishers.IgnoreOutput: ContextPassing, ContextCarrying where Upstream: ContextCarrying {}
extension Publishers.MapError: ContextPassing, ContextCarrying where Upstream: ContextCarrying {}
extension Publishers.SetFailureType: ContextPassing, ContextCarrying where Upstream: ContextCarrying {}
extension Publishers.AssertNoFailure: ContextPassing, ContextCarrying where Upstream: ContextCarrying {}
extension Publishers.Breakpoint: ContextPassing, ContextCarrying where Upstream: ContextCarrying {}
extension Publishers.Print: ContextPassing, ContextCarrying where Upstream: ContextCarrying {}
extension Publishers.HandleEvents: ContextPassing, ContextCarrying where Upstream: ContextCarrying {}
extension Publishers.Scan: ContextPassing, ContextCarrying where Upstream: ContextCarrying {}
extension Publishers.TryScan: ContextPassing, ContextCarrying where Upstream: ContextCarrying {}
extension Publishers.RemoveDuplicates: ContextPassing, ContextCarrying where Upstream: ContextCarrying {}
extension Publishers.TryRemoveDuplicates: ContextPassing, ContextCarrying where Upstream: ContextCarrying {}
extension Publishers.DropWhile: ContextPassing, ContextCarrying where Upstream: ContextCarrying {}
extension Publishers.TryDropWhile: ContextPassing, ContextCarrying where Upstream: ContextCarrying {}
extension Publishers.PrefixWhile: ContextPassing, ContextCarrying where Upstream: ContextCarrying {}
extension Publishers.TryPrefixWhile: ContextPassing, ContextCarrying where Upstream: ContextCarrying {}
extension Publishers.Output: ContextPassing, ContextCarrying where Upstream: ContextCarrying {}
extension Publishers.CollectByCount: ContextPassing, ContextCarrying where Upstream: ContextCarrying {}
extension Publishers.Encode: ContextPassing, ContextCarrying where Upstream: ContextCarrying {}
extension Publishers.Decode: ContextPassing, ContextCarrying where Upstream: ContextCarrying {}
extension Publishers.Reduce: ContextPassing, ContextCarrying where Upstream: ContextCarrying {}
extension Publishers.TryReduce: ContextPassing, ContextCarrying where Upstream: ContextCarrying {}
extension Publishers.Collect: ContextPassing, ContextCarrying where Upstream: ContextCarrying {}
extension Publishers.Count: ContextPassing, ContextCarrying where Upstream: ContextCarrying {}
extension Publishers.Comparison: ContextPassing, ContextCarrying where Upstream: ContextCarrying {}
extension Publishers.TryComparison: ContextPassing, ContextCarrying where Upstream: ContextCarrying {}
extension Publishers.Contains: ContextPassing, ContextCarrying where Upstream: ContextCarrying {}
extension Publishers.ContainsWhere: ContextPassing, ContextCarrying where Upstream: ContextCarrying {}
extension Publishers.TryContainsWhere: ContextPassing, ContextCarrying where Upstream: ContextCarrying {}
extension Publishers.AllSatisfy: ContextPassing, ContextCarrying where Upstream: ContextCarrying {}
extension Publishers.TryAllSatisfy: ContextPassing, ContextCarrying where Upstream: ContextCarrying {}
extension Publishers.First: ContextPassing, ContextCarrying where Upstream: ContextCarrying {}
extension Publishers.FirstWhere: ContextPassing, ContextCarrying where Upstream: ContextCarrying {}
extension Publishers.TryFirstWhere: ContextPassing, ContextCarrying where Upstream: ContextCarrying {}
extension Publishers.Last: ContextPassing, ContextCarrying where Upstream: ContextCarrying {}
extension Publishers.LastWhere: ContextPassing, ContextCarrying where Upstream: ContextCarrying {}
extension Publishers.TryLastWhere: ContextPassing, ContextCarrying where Upstream: ContextCarrying {}
extension Publishers.ReplaceEmpty: ContextPassing, ContextCarrying where Upstream: ContextCarrying {}
extension Publishers.ReplaceError: ContextPassing, ContextCarrying where Upstream: ContextCarrying {}
extension Publishers.Drop: ContextPassing, ContextCarrying where Upstream: ContextCarrying {}
extension Publishers.MeasureInterval: ContextPassing, ContextCarrying where Upstream: ContextCarrying {}
extension Publishers.DropUntilOutput: ContextPassing, ContextCarrying where Upstream: ContextCarrying {}
extension Publishers.PrefixUntilOutput: ContextPassing, ContextCarrying where Upstream: ContextCarrying {}
extension Publishers.Contention: ContextPassing, ContextCarrying where Upstream: ContextCarrying {}
extension Publishers.SubscribeOn: ContextPassing, ContextCarrying where Upstream: ContextCarrying {}
extension Publishers.Catch: ContextPassing, ContextCarrying where Upstream: ContextCarrying {}
extension Publishers.TryCatch: ContextPassing, ContextCarrying where Upstream: ContextCarrying {}
extension Publishers.Retry: ContextPassing, ContextCarrying where Upstream: ContextCarrying {}
extension Publishers.Share: ContextPassing, ContextCarrying where Upstream: ContextCarrying {}
extension Publishers.Multicast: ContextPassing, ContextCarrying where Upstream: ContextCarrying {}
extension Publishers.Autoconnect: ContextPassing, ContextCarrying where Upstream: ContextCarrying {}

extension Publishers.MakeConnectable: ContextCarrying where Upstream: ContextCarrying {
  /// What the upstream carries.
  public var carriedLocals: Upstream.CarriedLocals { upstream.carriedLocals }
}

// MARK: One stream, of the operators of this module

extension Publishers.Pairwise: ContextPassing, ContextCarrying where Upstream: ContextCarrying {}
extension Publishers.IgnoreFailure: ContextPassing, ContextCarrying where Upstream: ContextCarrying {}
extension Publishers.Materialize: ContextPassing, ContextCarrying where Upstream: ContextCarrying {}
extension Publishers.Dematerialize: ContextPassing, ContextCarrying where Upstream: ContextCarrying {}
extension Publishers.WithLatestFrom: ContextPassing, ContextCarrying where Upstream: ContextCarrying {}
extension Publishers.RetryWhen: ContextPassing, ContextCarrying where Upstream: ContextCarrying {}
extension Publishers.RetryWithBackoff: ContextPassing, ContextCarrying where Upstream: ContextCarrying {}
extension Publishers.Checkpoint: ContextPassing, ContextCarrying where Upstream: ContextCarrying {}
extension Publishers.Measured: ContextPassing, ContextCarrying where Upstream: ContextCarrying {}

// MARK: One stream after another

extension Publishers.Concatenate: ContextCarrying where Prefix: ContextCarrying {
  /// What the first stream carries.
  @inlinable
  public var carriedLocals: Prefix.CarriedLocals { prefix.carriedLocals }
}

extension ContextCarrying {
  /// Publishes values before those of this stream, which keep the context of their senders.
  ///
  /// - Parameter elements: The values; they come in the context of who asks for them.
  @inlinable
  public func prepend(_ elements: Output...) -> some ContextCarrying<Output, Failure> { prepend(elements) }

  /// Publishes the elements of a sequence before the values of this stream, which keep the context of their senders.
  ///
  /// - Parameter elements: The sequence; its elements come in the context of who asks for them.
  @inlinable
  public func prepend<Elements: Sequence>(
    _ elements: Elements
  ) -> some ContextCarrying<Output, Failure> where Output == Elements.Element {
    prepend(Publishers.Sequence<Elements, Failure>(sequence: elements))
  }

  /// Publishes the values of another stream before those of this one; both keep the context of their senders.
  ///
  /// - Parameter publisher: The other stream.
  @inlinable
  public func prepend<Prefix: Publisher>(
    _ publisher: Prefix
  ) -> some ContextCarrying<Output, Failure> where Failure == Prefix.Failure, Output == Prefix.Output {
    // Two streams that follow each other have the mark of the first.
    Publishers.Carrying(upstream: Publishers.Concatenate(prefix: publisher, suffix: self), locals: carriedLocals)
  }
}

// MARK: Several streams: a value comes in the context of the sender that has completed it

extension ContextCarrying {
  /// Publishes what this stream and another of the same type publish, as it comes, each value in the context of its
  /// sender. The form for all streams makes one of a list of streams, which may be empty and carry nothing.
  ///
  /// - Parameter other: The other stream.
  @inlinable
  public func merge(with other: Self) -> some ContextCarrying<Output, Failure> { Publishers.Merge(self, other) }
}

extension Publishers.Merge: ContextCarrying where A: ContextCarrying {
  /// What the first stream carries.
  @inlinable
  public var carriedLocals: A.CarriedLocals { a.carriedLocals }
}

extension Publishers.Merge3: ContextCarrying where A: ContextCarrying {
  /// What the first stream carries.
  @inlinable
  public var carriedLocals: A.CarriedLocals { a.carriedLocals }
}

extension Publishers.Merge4: ContextCarrying where A: ContextCarrying {
  /// What the first stream carries.
  @inlinable
  public var carriedLocals: A.CarriedLocals { a.carriedLocals }
}

extension Publishers.Merge5: ContextCarrying where A: ContextCarrying {
  /// What the first stream carries.
  @inlinable
  public var carriedLocals: A.CarriedLocals { a.carriedLocals }
}

extension Publishers.Merge6: ContextCarrying where A: ContextCarrying {
  /// What the first stream carries.
  @inlinable
  public var carriedLocals: A.CarriedLocals { a.carriedLocals }
}

extension Publishers.Merge7: ContextCarrying where A: ContextCarrying {
  /// What the first stream carries.
  @inlinable
  public var carriedLocals: A.CarriedLocals { a.carriedLocals }
}

extension Publishers.Merge8: ContextCarrying where A: ContextCarrying {
  /// What the first stream carries.
  @inlinable
  public var carriedLocals: A.CarriedLocals { a.carriedLocals }
}

extension Publishers.CombineLatest: ContextCarrying where A: ContextCarrying {
  /// What the first stream carries.
  @inlinable
  public var carriedLocals: A.CarriedLocals { a.carriedLocals }
}

extension Publishers.CombineLatest3: ContextCarrying where A: ContextCarrying {
  /// What the first stream carries.
  @inlinable
  public var carriedLocals: A.CarriedLocals { a.carriedLocals }
}

extension Publishers.CombineLatest4: ContextCarrying where A: ContextCarrying {
  /// What the first stream carries.
  @inlinable
  public var carriedLocals: A.CarriedLocals { a.carriedLocals }
}

extension Publishers.CombineLatest5: ContextCarrying where A: ContextCarrying {
  /// What the first stream carries.
  @inlinable
  public var carriedLocals: A.CarriedLocals { a.carriedLocals }
}

extension Publishers.CombineLatest6: ContextCarrying where A: ContextCarrying {
  /// What the first stream carries.
  @inlinable
  public var carriedLocals: A.CarriedLocals { a.carriedLocals }
}

extension Publishers.Zip: ContextCarrying where A: ContextCarrying {
  /// What the first stream carries.
  @inlinable
  public var carriedLocals: A.CarriedLocals { a.carriedLocals }
}

extension Publishers.Zip3: ContextCarrying where A: ContextCarrying {
  /// What the first stream carries.
  @inlinable
  public var carriedLocals: A.CarriedLocals { a.carriedLocals }
}

extension Publishers.Zip4: ContextCarrying where A: ContextCarrying {
  /// What the first stream carries.
  @inlinable
  public var carriedLocals: A.CarriedLocals { a.carriedLocals }
}

extension Publishers.Zip5: ContextCarrying where A: ContextCarrying {
  /// What the first stream carries.
  @inlinable
  public var carriedLocals: A.CarriedLocals { a.carriedLocals }
}

extension Publishers.Zip6: ContextCarrying where A: ContextCarrying {
  /// What the first stream carries.
  @inlinable
  public var carriedLocals: A.CarriedLocals { a.carriedLocals }
}

// MARK: Those whose type is erased elsewhere

extension ContextCarrying {
  /// Passes values on as long as a predicate returns `true`, each in the context of its sender; the first for which it
  /// does not cancels this stream and finishes.
  ///
  /// - Parameter predicate: Returns `true` to pass a value on.
  @_disfavoredOverload
  @inlinable
  public func filterOrComplete(_ predicate: @escaping (Output) -> Bool) -> some ContextCarrying<Output, Failure> {
    prefix(while: predicate)
  }

  /// Subscribes to this stream again when it fails, after a pause on a global queue that doubles with each failure, up
  /// to a minute; when all retries are spent, the last failure is passed on at once. Each value comes in the context of
  /// its sender.
  ///
  /// - Parameters:
  ///   - maxRetries: How many times the stream is subscribed to again at most; not negative.
  ///   - initialDelay: The first pause, in seconds; a minute if that is less.
  @_disfavoredOverload
  @inlinable
  public func retryWithBackoff(
    maxRetries: Int, initialDelay: Double = 0.5
  ) -> some ContextCarrying<Output, Failure> {
    let typed: Publishers.RetryWithBackoff<Self, DispatchQueue> = retryWithBackoff(
      maxRetries: maxRetries, initialDelay: initialDelay, scheduler: DispatchQueue.global())
    return typed
  }
}
