// The operators that a publisher of one value applies at once, so that what they return needs no subscription upstream.
//
// Closures run while the chain is built, on the thread that builds it, once, whatever the number of subscribers.

extension Just where Output: Comparable {
  /// Publishes the value, which is the smallest.
  @_alwaysEmitIntoClient
  public func min() -> Just<Output> { self }

  /// Publishes the value, which is the greatest.
  @_alwaysEmitIntoClient
  public func max() -> Just<Output> { self }
}

extension Just where Output: Equatable {
  /// Publishes `true` if the value equals another one, otherwise `false`.
  @_alwaysEmitIntoClient
  public func contains(_ output: Output) -> Just<Bool> { Just<Bool>(self.output == output) }

  /// Publishes the value: there is no other that it could duplicate.
  @_alwaysEmitIntoClient
  public func removeDuplicates() -> Just<Output> { self }
}

// Tests and summaries.
extension Just {
  /// Publishes whether the value satisfies a predicate.
  @_alwaysEmitIntoClient
  public func allSatisfy(_ predicate: (Output) -> Bool) -> Just<Bool> { map(predicate) }

  /// Publishes whether the value satisfies a predicate, or fails with the error that it throws.
  @_alwaysEmitIntoClient
  public func tryAllSatisfy(_ predicate: (Output) throws -> Bool) -> Result<Bool, any Error>.Publisher {
    tryMap(predicate)
  }

  /// Publishes whether the value satisfies a predicate.
  @_alwaysEmitIntoClient
  public func contains(where predicate: (Output) -> Bool) -> Just<Bool> { map(predicate) }

  /// Publishes whether the value satisfies a predicate, or fails with the error that it throws.
  @_alwaysEmitIntoClient
  public func tryContains(where predicate: (Output) throws -> Bool) -> Result<Bool, any Error>.Publisher {
    tryMap(predicate)
  }

  /// Publishes an array of the one value.
  @_alwaysEmitIntoClient
  public func collect() -> Just<[Output]> { Just<[Output]>([output]) }

  /// Publishes how many values there are: 1.
  @_alwaysEmitIntoClient
  public func count() -> Just<Int> { Just<Int>(1) }

  /// Publishes the value, which is the smallest; the predicate is not called.
  @_alwaysEmitIntoClient
  public func min(by areInIncreasingOrder: (Output, Output) -> Bool) -> Just<Output> { self }

  /// Publishes the value, which is the greatest; the predicate is not called.
  @_alwaysEmitIntoClient
  public func max(by areInIncreasingOrder: (Output, Output) -> Bool) -> Just<Output> { self }
}

// Selections.
extension Just {
  /// Publishes the value if a predicate returns `true` for it, and finishes in any case.
  @_alwaysEmitIntoClient
  public func filter(_ isIncluded: (Output) -> Bool) -> Optional<Output>.Publisher {
    Optional<Output>.Publisher(isIncluded(output) ? output : nil)
  }

  /// Publishes nothing, and finishes.
  @_alwaysEmitIntoClient
  public func ignoreOutput() -> Empty<Output, Never> { Empty() }

  /// Publishes the value if none is to be dropped.
  ///
  /// - Parameter count: How many values are dropped. A negative number is a programming error and traps.
  @_alwaysEmitIntoClient
  public func dropFirst(_ count: Int = 1) -> Optional<Output>.Publisher {
    precondition(count >= 0, "count must not be negative")
    return Optional<Output>.Publisher(count == 0 ? output : nil)
  }

  /// Publishes the value unless a predicate returns `true` for it.
  @_alwaysEmitIntoClient
  public func drop(while predicate: (Output) -> Bool) -> Optional<Output>.Publisher { filter { !predicate($0) } }

  /// Publishes the value, which is the first.
  @_alwaysEmitIntoClient
  public func first() -> Just<Output> { self }

  /// Publishes the value if a predicate returns `true` for it.
  @_alwaysEmitIntoClient
  public func first(where predicate: (Output) -> Bool) -> Optional<Output>.Publisher { filter(predicate) }

  /// Publishes the value, which is the last.
  @_alwaysEmitIntoClient
  public func last() -> Just<Output> { self }

  /// Publishes the value if a predicate returns `true` for it.
  @_alwaysEmitIntoClient
  public func last(where predicate: (Output) -> Bool) -> Optional<Output>.Publisher { filter(predicate) }

  /// Publishes the value if its position, 0, is asked for.
  ///
  /// - Parameter index: Which value to publish. A negative number is a programming error and traps.
  @_alwaysEmitIntoClient
  public func output(at index: Int) -> Optional<Output>.Publisher {
    precondition(index >= 0, "index must not be negative")
    return Optional<Output>.Publisher(index == 0 ? output : nil)
  }

  /// Publishes the value if a range of positions begins with 0, also if the range is empty, as in Combine.
  ///
  /// - Parameter range: Which values to publish.
  @_alwaysEmitIntoClient
  public func output<Range: RangeExpression>(in range: Range) -> Optional<Output>.Publisher where Range.Bound == Int {
    Optional<Output>.Publisher(range.relative(to: 0..<Int.max).lowerBound == 0 ? output : nil)
  }

  /// Publishes the value unless none is asked for.
  ///
  /// - Parameter maxLength: How many values to publish at most. A negative number is a programming error and traps.
  @_alwaysEmitIntoClient
  public func prefix(_ maxLength: Int) -> Optional<Output>.Publisher {
    precondition(maxLength >= 0, "maxLength must not be negative")
    return Optional<Output>.Publisher(maxLength > 0 ? output : nil)
  }

  /// Publishes the value if a predicate returns `true` for it.
  @_alwaysEmitIntoClient
  public func prefix(while predicate: (Output) -> Bool) -> Optional<Output>.Publisher { filter(predicate) }

  /// Publishes the value: there is no other that it could duplicate; the predicate is not called.
  @_alwaysEmitIntoClient
  public func removeDuplicates(by predicate: (Output, Output) -> Bool) -> Just<Output> { self }

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
extension Just {
  /// Publishes the transformed value.
  @_alwaysEmitIntoClient
  public func map<ElementOfResult>(_ transform: (Output) -> ElementOfResult) -> Just<ElementOfResult> {
    Just<ElementOfResult>(transform(output))
  }

  /// Publishes the transformed value, or fails with the error that a closure throws.
  @_alwaysEmitIntoClient
  public func tryMap<ElementOfResult>(
    _ transform: (Output) throws -> ElementOfResult
  ) -> Result<ElementOfResult, any Error>.Publisher {
    Result<ElementOfResult, any Error> { try transform(output) }.publisher
  }

  /// Publishes the transformed value if it is not `nil`, and finishes in any case.
  @_alwaysEmitIntoClient
  public func compactMap<ElementOfResult>(
    _ transform: (Output) -> ElementOfResult?
  ) -> Optional<ElementOfResult>.Publisher {
    Optional<ElementOfResult>.Publisher(transform(output))
  }

  /// Publishes what a closure makes of an initial result and the value.
  @_alwaysEmitIntoClient
  public func reduce<Accumulator>(
    _ initialResult: Accumulator, _ nextPartialResult: (Accumulator, Output) -> Accumulator
  ) -> Result<Accumulator, Never>.Publisher {
    Result<Accumulator, Never>.Publisher(nextPartialResult(initialResult, output))
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
  ) -> Result<ElementOfResult, Never>.Publisher {
    reduce(initialResult, nextPartialResult)
  }

  /// Publishes what a closure makes of an initial result and the value, or fails with the error that it throws.
  @_alwaysEmitIntoClient
  public func tryScan<ElementOfResult>(
    _ initialResult: ElementOfResult, _ nextPartialResult: (ElementOfResult, Output) throws -> ElementOfResult
  ) -> Result<ElementOfResult, any Error>.Publisher {
    tryReduce(initialResult, nextPartialResult)
  }
}

// Errors, of which there are none, and further values.
extension Just {
  /// Publishes the value as a stream that could fail.
  @_alwaysEmitIntoClient
  public func setFailureType<Failure: Error>(to failureType: Failure.Type) -> Result<Output, Failure>.Publisher {
    Result<Output, Failure>.Publisher(output)
  }

  /// Publishes the value as a stream that could fail; the closure is not called.
  @_alwaysEmitIntoClient
  public func mapError<Failure: Error>(_ transform: (Never) -> Failure) -> Result<Output, Failure>.Publisher {
    setFailureType(to: Failure.self)
  }

  /// Publishes the value: there is no error to replace.
  @_alwaysEmitIntoClient
  public func replaceError(with output: Output) -> Just<Output> { self }

  /// Publishes the value: the stream is not empty.
  @_alwaysEmitIntoClient
  public func replaceEmpty(with output: Output) -> Just<Output> { self }

  /// Publishes the value: there is no error after which to try again.
  @_alwaysEmitIntoClient
  public func retry(_ times: Int) -> Just<Output> { self }

  /// Publishes other values before the value.
  ///
  /// - Complexity: O(*n*) in the number of values.
  @_alwaysEmitIntoClient
  public func prepend(_ elements: Output...) -> Publishers.Sequence<[Output], Never> { prepend(elements) }

  /// Publishes the elements of a sequence before the value.
  ///
  /// - Complexity: O(*n*) in the number of elements.
  @_alwaysEmitIntoClient
  public func prepend<Elements: Sequence>(_ elements: Elements) -> Publishers.Sequence<[Output], Never>
  where Output == Elements.Element {
    Publishers.Sequence(sequence: elements + [output])
  }

  /// Publishes other values after the value.
  ///
  /// - Complexity: O(*n*) in the number of values.
  @_alwaysEmitIntoClient
  public func append(_ elements: Output...) -> Publishers.Sequence<[Output], Never> { append(elements) }

  /// Publishes the elements of a sequence after the value.
  ///
  /// - Complexity: O(*n*) in the number of elements.
  @_alwaysEmitIntoClient
  public func append<Elements: Sequence>(_ elements: Elements) -> Publishers.Sequence<[Output], Never>
  where Output == Elements.Element {
    Publishers.Sequence(sequence: [output] + elements)
  }
}
