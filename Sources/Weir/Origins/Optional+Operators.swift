// The operators that a publisher of a value that may be missing applies at once: what they return needs no subscription
// upstream.
//
// Closures run while the chain is built, on the thread that builds it, at most once, whatever the number of
// subscribers.

extension Optional.Publisher where Wrapped: Equatable {
  /// Publishes `true` if the value equals another one, otherwise `false`; nothing if there is no value.
  @_alwaysEmitIntoClient
  public func contains(_ output: Output) -> Optional<Bool>.Publisher { map { $0 == output } }

  /// Publishes the value: there is no other that it could duplicate.
  @_alwaysEmitIntoClient
  public func removeDuplicates() -> Optional<Wrapped>.Publisher { self }
}

extension Optional.Publisher where Wrapped: Comparable {
  /// Publishes the value, which is the smallest.
  @_alwaysEmitIntoClient
  public func min() -> Optional<Wrapped>.Publisher { self }

  /// Publishes the value, which is the greatest.
  @_alwaysEmitIntoClient
  public func max() -> Optional<Wrapped>.Publisher { self }
}

// Tests and summaries.
extension Optional.Publisher {
  /// Publishes whether the value satisfies a predicate; nothing if there is no value.
  @_alwaysEmitIntoClient
  public func allSatisfy(_ predicate: (Output) -> Bool) -> Optional<Bool>.Publisher { map(predicate) }

  /// Publishes whether the value satisfies a predicate; nothing if there is no value.
  @_alwaysEmitIntoClient
  public func contains(where predicate: (Output) -> Bool) -> Optional<Bool>.Publisher { map(predicate) }

  /// Publishes an array of the value, or an empty one if there is none.
  @_alwaysEmitIntoClient
  public func collect() -> Optional<[Output]>.Publisher {
    Optional<[Output]>.Publisher(output.map { [$0] } ?? [])
  }

  /// Publishes 1 if there is a value; nothing if there is none, as in Combine.
  @_alwaysEmitIntoClient
  public func count() -> Optional<Int>.Publisher { map { _ in 1 } }

  /// Publishes the value, which is the smallest; the predicate is not called.
  @_alwaysEmitIntoClient
  public func min(by areInIncreasingOrder: (Output, Output) -> Bool) -> Optional<Output>.Publisher { self }

  /// Publishes the value, which is the greatest; the predicate is not called.
  @_alwaysEmitIntoClient
  public func max(by areInIncreasingOrder: (Output, Output) -> Bool) -> Optional<Output>.Publisher { self }
}

// Selections.
extension Optional.Publisher {
  /// Publishes the value if a predicate returns `true` for it.
  @_alwaysEmitIntoClient
  public func filter(_ isIncluded: (Output) -> Bool) -> Optional<Output>.Publisher {
    compactMap { isIncluded($0) ? $0 : nil }
  }

  /// Publishes nothing, and finishes.
  @_alwaysEmitIntoClient
  public func ignoreOutput() -> Empty<Output, Failure> { Empty() }

  /// Publishes the value if none is to be dropped.
  ///
  /// - Parameter count: How many values are dropped. A negative number is a programming error and traps.
  @_alwaysEmitIntoClient
  public func dropFirst(_ count: Int = 1) -> Optional<Output>.Publisher {
    precondition(count >= 0, "count must not be negative")
    return count == 0 ? self : Optional<Output>.Publisher(nil)
  }

  /// Publishes the value unless a predicate returns `true` for it.
  @_alwaysEmitIntoClient
  public func drop(while predicate: (Output) -> Bool) -> Optional<Output>.Publisher { filter { !predicate($0) } }

  /// Publishes the value, which is the first.
  @_alwaysEmitIntoClient
  public func first() -> Optional<Output>.Publisher { self }

  /// Publishes the value if a predicate returns `true` for it.
  @_alwaysEmitIntoClient
  public func first(where predicate: (Output) -> Bool) -> Optional<Output>.Publisher { filter(predicate) }

  /// Publishes the value, which is the last.
  @_alwaysEmitIntoClient
  public func last() -> Optional<Output>.Publisher { self }

  /// Publishes the value if a predicate returns `true` for it.
  @_alwaysEmitIntoClient
  public func last(where predicate: (Output) -> Bool) -> Optional<Output>.Publisher { filter(predicate) }

  /// Publishes the value if its position, 0, is asked for.
  ///
  /// - Parameter index: Which value to publish. A negative number is a programming error and traps.
  @_alwaysEmitIntoClient
  public func output(at index: Int) -> Optional<Output>.Publisher {
    precondition(index >= 0, "index must not be negative")
    return index == 0 ? self : Optional<Output>.Publisher(nil)
  }

  /// Publishes the value if a range of positions contains 0.
  ///
  /// - Parameter range: Which values to publish. A negative lower bound traps, and so does an upper bound of
  ///   `Int.max - 1` or more, as in Combine.
  @_alwaysEmitIntoClient
  public func output<Range: RangeExpression>(in range: Range) -> Optional<Output>.Publisher where Range.Bound == Int {
    let range = range.relative(to: 0..<Int.max)
    precondition(range.lowerBound >= 0, "lowerBound must not be negative")
    precondition(range.upperBound < .max - 1, "upperBound must be less than Int.max - 1")
    return range.contains(0) ? self : Optional<Output>.Publisher(nil)
  }

  /// Publishes the value unless none is asked for.
  ///
  /// - Parameter maxLength: How many values to publish at most. A negative number is a programming error and traps.
  @_alwaysEmitIntoClient
  public func prefix(_ maxLength: Int) -> Optional<Output>.Publisher {
    precondition(maxLength >= 0, "maxLength must not be negative")
    return maxLength > 0 ? self : Optional<Output>.Publisher(nil)
  }

  /// Publishes the value if a predicate returns `true` for it.
  @_alwaysEmitIntoClient
  public func prefix(while predicate: (Output) -> Bool) -> Optional<Output>.Publisher { filter(predicate) }

  /// Publishes the value: there is no other that it could duplicate; the predicate is not called.
  @_alwaysEmitIntoClient
  public func removeDuplicates(by predicate: (Output, Output) -> Bool) -> Optional<Output>.Publisher { self }
}

// Transformations.
extension Optional.Publisher {
  /// Publishes the transformed value.
  @_alwaysEmitIntoClient
  public func map<ElementOfResult>(
    _ transform: (Output) -> ElementOfResult
  ) -> Optional<ElementOfResult>.Publisher {
    Optional<ElementOfResult>.Publisher(output.map(transform))
  }

  /// Publishes the transformed value if it is not `nil`.
  @_alwaysEmitIntoClient
  public func compactMap<ElementOfResult>(
    _ transform: (Output) -> ElementOfResult?
  ) -> Optional<ElementOfResult>.Publisher {
    Optional<ElementOfResult>.Publisher(output.flatMap(transform))
  }

  /// Publishes what a closure makes of an initial result and the value; nothing if there is no value, as in Combine.
  @_alwaysEmitIntoClient
  public func reduce<Accumulator>(
    _ initialResult: Accumulator, _ nextPartialResult: (Accumulator, Output) -> Accumulator
  ) -> Optional<Accumulator>.Publisher {
    map { nextPartialResult(initialResult, $0) }
  }

  /// Publishes what a closure makes of an initial result and the value, if there is one.
  @_alwaysEmitIntoClient
  public func scan<ElementOfResult>(
    _ initialResult: ElementOfResult, _ nextPartialResult: (ElementOfResult, Output) -> ElementOfResult
  ) -> Optional<ElementOfResult>.Publisher {
    reduce(initialResult, nextPartialResult)
  }

  /// Publishes the value, if any: there is no error to replace.
  @_alwaysEmitIntoClient
  public func replaceError(with output: Output) -> Optional<Output>.Publisher { self }

  /// Publishes the value, or another one if there is none.
  @_alwaysEmitIntoClient
  public func replaceEmpty(with output: Output) -> Just<Output> { Just(self.output ?? output) }

  /// Publishes the value, if any: there is no error after which to try again.
  @_alwaysEmitIntoClient
  public func retry(_ times: Int) -> Optional<Output>.Publisher { self }
}
