// The operators that a publisher of a result applies at once, so that what they return needs no subscription upstream.
//
// Closures run while the chain is built, on the thread that builds it, at most once, whatever the number of
// subscribers. If the result is an error they are not called, and that is what is published.

extension Result.Publisher where Success: Equatable {
  /// Publishes `true` if the value equals another one, otherwise `false`.
  @_alwaysEmitIntoClient
  public func contains(_ output: Output) -> Result<Bool, Failure>.Publisher { map { $0 == output } }

  /// Publishes the value: there is no other that it could duplicate.
  @_alwaysEmitIntoClient
  public func removeDuplicates() -> Result<Output, Failure>.Publisher { self }
}

extension Result.Publisher where Success: Comparable {
  /// Publishes the value, which is the smallest.
  @_alwaysEmitIntoClient
  public func min() -> Result<Output, Failure>.Publisher { self }

  /// Publishes the value, which is the greatest.
  @_alwaysEmitIntoClient
  public func max() -> Result<Output, Failure>.Publisher { self }
}

// Tests and summaries.
extension Result.Publisher {
  /// Publishes whether the value satisfies a predicate.
  @_alwaysEmitIntoClient
  public func allSatisfy(_ predicate: (Output) -> Bool) -> Result<Bool, Failure>.Publisher { map(predicate) }

  /// Publishes whether the value satisfies a predicate, or fails with the error that it throws.
  @_alwaysEmitIntoClient
  public func tryAllSatisfy(_ predicate: (Output) throws -> Bool) -> Result<Bool, any Error>.Publisher {
    tryMap(predicate)
  }

  /// Publishes whether the value satisfies a predicate.
  @_alwaysEmitIntoClient
  public func contains(where predicate: (Output) -> Bool) -> Result<Bool, Failure>.Publisher { map(predicate) }

  /// Publishes whether the value satisfies a predicate, or fails with the error that it throws.
  @_alwaysEmitIntoClient
  public func tryContains(where predicate: (Output) throws -> Bool) -> Result<Bool, any Error>.Publisher {
    tryMap(predicate)
  }

  /// Publishes an array of the one value.
  @_alwaysEmitIntoClient
  public func collect() -> Result<[Output], Failure>.Publisher { map { [$0] } }

  /// Publishes how many values there are: 1.
  @_alwaysEmitIntoClient
  public func count() -> Result<Int, Failure>.Publisher { map { _ in 1 } }

  /// Publishes the value, which is the smallest; the predicate is not called.
  @_alwaysEmitIntoClient
  public func min(by areInIncreasingOrder: (Output, Output) -> Bool) -> Result<Output, Failure>.Publisher { self }

  /// Publishes the value, or fails with the error that a predicate throws when it compares the value with itself.
  @_alwaysEmitIntoClient
  public func tryMin(
    by areInIncreasingOrder: (Output, Output) throws -> Bool
  ) -> Result<Output, any Error>.Publisher {
    tryRemoveDuplicates(by: areInIncreasingOrder)
  }

  /// Publishes the value, which is the greatest; the predicate is not called.
  @_alwaysEmitIntoClient
  public func max(by areInIncreasingOrder: (Output, Output) -> Bool) -> Result<Output, Failure>.Publisher { self }

  /// Publishes the value, or fails with the error that a predicate throws when it compares the value with itself.
  @_alwaysEmitIntoClient
  public func tryMax(
    by areInIncreasingOrder: (Output, Output) throws -> Bool
  ) -> Result<Output, any Error>.Publisher {
    tryRemoveDuplicates(by: areInIncreasingOrder)
  }
}

// Selections.
extension Result.Publisher {
  /// Publishes the value, which is the first.
  @_alwaysEmitIntoClient
  public func first() -> Result<Output, Failure>.Publisher { self }

  /// Publishes the value, which is the last.
  @_alwaysEmitIntoClient
  public func last() -> Result<Output, Failure>.Publisher { self }

  /// Publishes nothing and finishes, even in place of an error, as in Combine.
  @_alwaysEmitIntoClient
  public func ignoreOutput() -> Empty<Output, Failure> { Empty() }

  /// Publishes the value: there is no other that it could duplicate; the predicate is not called.
  @_alwaysEmitIntoClient
  public func removeDuplicates(by predicate: (Output, Output) -> Bool) -> Result<Output, Failure>.Publisher { self }

  /// Publishes the value, or fails with the error that a predicate throws when it compares the value with itself.
  @_alwaysEmitIntoClient
  public func tryRemoveDuplicates(
    by predicate: (Output, Output) throws -> Bool
  ) -> Result<Output, any Error>.Publisher {
    tryMap { value in
      _ = try predicate(value, value)
      return value
    }
  }
}

// Transformations.
extension Result.Publisher {
  /// Publishes the transformed value.
  @_alwaysEmitIntoClient
  public func map<ElementOfResult>(
    _ transform: (Output) -> ElementOfResult
  ) -> Result<ElementOfResult, Failure>.Publisher {
    result.map(transform).publisher
  }

  /// Publishes the transformed value, or fails with the error that a closure throws.
  @_alwaysEmitIntoClient
  public func tryMap<ElementOfResult>(
    _ transform: (Output) throws -> ElementOfResult
  ) -> Result<ElementOfResult, any Error>.Publisher {
    result.tryMap(transform).publisher
  }

  /// Publishes the value, or fails with the transformed error.
  @_alwaysEmitIntoClient
  public func mapError<TransformedFailure: Error>(
    _ transform: (Failure) -> TransformedFailure
  ) -> Result<Output, TransformedFailure>.Publisher {
    result.mapError(transform).publisher
  }

  /// Publishes what a closure makes of an initial result and the value.
  @_alwaysEmitIntoClient
  public func reduce<Accumulator>(
    _ initialResult: Accumulator, _ nextPartialResult: (Accumulator, Output) -> Accumulator
  ) -> Result<Accumulator, Failure>.Publisher {
    map { nextPartialResult(initialResult, $0) }
  }

  /// Publishes what a closure makes of an initial result and the value, or fails with the error that it throws.
  @_alwaysEmitIntoClient
  public func tryReduce<Accumulator>(
    _ initialResult: Accumulator, _ nextPartialResult: (Accumulator, Output) throws -> Accumulator
  ) -> Result<Accumulator, any Error>.Publisher {
    tryMap { try nextPartialResult(initialResult, $0) }
  }

  /// Publishes what a closure makes of an initial result and the value.
  @_alwaysEmitIntoClient
  public func scan<ElementOfResult>(
    _ initialResult: ElementOfResult, _ nextPartialResult: (ElementOfResult, Output) -> ElementOfResult
  ) -> Result<ElementOfResult, Failure>.Publisher {
    reduce(initialResult, nextPartialResult)
  }

  /// Publishes what a closure makes of an initial result and the value, or fails with the error that it throws.
  @_alwaysEmitIntoClient
  public func tryScan<ElementOfResult>(
    _ initialResult: ElementOfResult, _ nextPartialResult: (ElementOfResult, Output) throws -> ElementOfResult
  ) -> Result<ElementOfResult, any Error>.Publisher {
    tryReduce(initialResult, nextPartialResult)
  }

  /// Publishes the value, or another one instead of failing.
  @_alwaysEmitIntoClient
  public func replaceError(with output: Output) -> Result<Output, Never>.Publisher {
    result.flatMapError { _ in .success(output) }.publisher
  }

  /// Publishes the value or fails: the stream never finishes empty.
  @_alwaysEmitIntoClient
  public func replaceEmpty(with output: Output) -> Result<Output, Failure>.Publisher { self }

  /// Publishes the value or fails: trying again would give the same.
  @_alwaysEmitIntoClient
  public func retry(_ times: Int) -> Result<Output, Failure>.Publisher { self }
}

extension Result.Publisher where Failure == Never {
  /// Publishes the value as a stream that could fail.
  @_alwaysEmitIntoClient
  public func setFailureType<NewFailure: Error>(
    to failureType: NewFailure.Type
  ) -> Result<Output, NewFailure>.Publisher {
    Result<Output, NewFailure>.Publisher(result.get())
  }
}
