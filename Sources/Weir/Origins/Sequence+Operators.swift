// The operators that a publisher of a sequence applies at once, so that the chain stays one that needs no subscription.
//
// Closures run while the chain is built, on the thread that builds it, at most once per element, whatever the number of
// subscribers. The sequence is read then too, where what is published depends on its elements.

// Tests and summaries.
extension Publishers.Sequence {
  /// Publishes `true` if a predicate returns `true` for all elements, otherwise `false`.
  ///
  /// - Complexity: O(*n*) in the number of elements up to the one that decides.
  @_alwaysEmitIntoClient
  public func allSatisfy(_ predicate: (Elements.Element) -> Bool) -> Result<Bool, Failure>.Publisher {
    Result<Bool, Failure>.Publisher(sequence.allSatisfy(predicate))
  }

  /// Publishes `true` if a predicate returns `true` for all elements, otherwise `false`; or fails with the error that
  /// it throws.
  ///
  /// - Complexity: O(*n*) in the number of elements up to the one that decides.
  @_alwaysEmitIntoClient
  public func tryAllSatisfy(_ predicate: (Elements.Element) throws -> Bool) -> Result<Bool, any Error>.Publisher {
    Result<Bool, any Error> { try sequence.allSatisfy(predicate) }.publisher
  }

  /// Publishes `true` if a predicate returns `true` for an element, otherwise `false`.
  ///
  /// - Complexity: O(*n*) in the number of elements up to the one that decides.
  @_alwaysEmitIntoClient
  public func contains(where predicate: (Elements.Element) -> Bool) -> Result<Bool, Failure>.Publisher {
    Result<Bool, Failure>.Publisher(sequence.contains(where: predicate))
  }

  /// Publishes `true` if a predicate returns `true` for an element, otherwise `false`; or fails with the error that it
  /// throws.
  ///
  /// - Complexity: O(*n*) in the number of elements up to the one that decides.
  @_alwaysEmitIntoClient
  public func tryContains(where predicate: (Elements.Element) throws -> Bool) -> Result<Bool, any Error>.Publisher {
    Result<Bool, any Error> { try sequence.contains(where: predicate) }.publisher
  }

  /// Publishes an array of all elements.
  ///
  /// - Complexity: O(*n*) in the number of elements.
  @_alwaysEmitIntoClient
  public func collect() -> Result<[Elements.Element], Failure>.Publisher {
    Result<[Elements.Element], Failure>.Publisher(Array(sequence))
  }
}

extension Publishers.Sequence where Elements.Element: Equatable {
  /// Publishes `true` if an element equals a value, otherwise `false`.
  ///
  /// - Complexity: O(*n*) in the number of elements up to the one that decides.
  @_alwaysEmitIntoClient
  public func contains(_ output: Elements.Element) -> Result<Bool, Failure>.Publisher {
    Result<Bool, Failure>.Publisher(sequence.contains(output))
  }

  /// Publishes the elements without those that equal the one before.
  ///
  /// - Complexity: O(*n*) in the number of elements.
  @_alwaysEmitIntoClient
  public func removeDuplicates() -> Publishers.Sequence<[Elements.Element], Failure> {
    var last: Elements.Element?
    return filter { element in
      defer { last = element }
      return element != last
    }
  }
}

extension Publishers.Sequence where Failure == Never, Elements.Element: Comparable {
  /// Publishes the smallest element, if there is one.
  ///
  /// - Complexity: O(*n*) in the number of elements.
  @_alwaysEmitIntoClient
  public func min() -> Optional<Elements.Element>.Publisher { min(by: <) }

  /// Publishes the greatest element, if there is one.
  ///
  /// - Complexity: O(*n*) in the number of elements.
  @_alwaysEmitIntoClient
  public func max() -> Optional<Elements.Element>.Publisher { max(by: <) }
}

extension Publishers.Sequence where Failure == Never {
  /// Publishes the smallest element, if there is one, by a predicate that returns `true` if its first argument is the
  /// smaller.
  ///
  /// - Complexity: O(*n*) in the number of elements.
  @_alwaysEmitIntoClient
  public func min(
    by areInIncreasingOrder: (Elements.Element, Elements.Element) -> Bool
  ) -> Optional<Elements.Element>.Publisher {
    sequence.min(by: areInIncreasingOrder).publisher
  }

  /// Publishes the greatest element, if there is one, by a predicate that returns `true` if its first argument is the
  /// smaller.
  ///
  /// - Complexity: O(*n*) in the number of elements.
  @_alwaysEmitIntoClient
  public func max(
    by areInIncreasingOrder: (Elements.Element, Elements.Element) -> Bool
  ) -> Optional<Elements.Element>.Publisher {
    sequence.max(by: areInIncreasingOrder).publisher
  }

  /// Publishes the first element for which a predicate returns `true`, if there is one.
  ///
  /// - Complexity: O(*n*) in the number of elements up to the one that decides.
  @_alwaysEmitIntoClient
  public func first(where predicate: (Elements.Element) -> Bool) -> Optional<Elements.Element>.Publisher {
    sequence.first(where: predicate).publisher
  }
}

// Selections.
extension Publishers.Sequence {
  /// Publishes the elements for which a predicate returns `true`.
  ///
  /// - Complexity: O(*n*) in the number of elements.
  @_alwaysEmitIntoClient
  public func filter(_ isIncluded: (Elements.Element) -> Bool) -> Publishers.Sequence<[Elements.Element], Failure> {
    Publishers.Sequence<[Elements.Element], Failure>(sequence: sequence.filter(isIncluded))
  }

  /// Publishes nothing, and finishes.
  @_alwaysEmitIntoClient
  public func ignoreOutput() -> Empty<Elements.Element, Failure> { Empty() }

  /// Publishes the elements from the first one on for which a predicate returns `false`.
  ///
  /// - Complexity: O(*n*) in the number of elements that are dropped.
  @_alwaysEmitIntoClient
  public func drop(
    while predicate: (Elements.Element) -> Bool
  ) -> Publishers.Sequence<DropWhileSequence<Elements>, Failure> {
    Publishers.Sequence<DropWhileSequence<Elements>, Failure>(sequence: sequence.drop(while: predicate))
  }

  /// Publishes the elements without the first ones.
  ///
  /// - Parameter count: How many elements are dropped. A negative number is a programming error and traps.
  @_alwaysEmitIntoClient
  public func dropFirst(_ count: Int = 1) -> Publishers.Sequence<DropFirstSequence<Elements>, Failure> {
    Publishers.Sequence<DropFirstSequence<Elements>, Failure>(sequence: sequence.dropFirst(count))
  }

  /// Publishes the first elements.
  ///
  /// - Parameter maxLength: How many elements to publish at most. A negative number is a programming error and traps.
  @_alwaysEmitIntoClient
  public func prefix(_ maxLength: Int) -> Publishers.Sequence<PrefixSequence<Elements>, Failure> {
    Publishers.Sequence<PrefixSequence<Elements>, Failure>(sequence: sequence.prefix(maxLength))
  }

  /// Publishes the elements before the first one for which a predicate returns `false`.
  ///
  /// - Complexity: O(*n*) in the number of elements that are published.
  @_alwaysEmitIntoClient
  public func prefix(
    while predicate: (Elements.Element) -> Bool
  ) -> Publishers.Sequence<[Elements.Element], Failure> {
    Publishers.Sequence<[Elements.Element], Failure>(sequence: sequence.prefix(while: predicate))
  }
}

// Transformations.
extension Publishers.Sequence {
  /// Publishes the transformed elements.
  ///
  /// - Complexity: O(*n*) in the number of elements.
  @_alwaysEmitIntoClient
  public func map<ElementOfResult>(
    _ transform: (Elements.Element) -> ElementOfResult
  ) -> Publishers.Sequence<[ElementOfResult], Failure> {
    Publishers.Sequence<[ElementOfResult], Failure>(sequence: sequence.map(transform))
  }

  /// Publishes the transformed elements without those that become `nil`.
  ///
  /// - Complexity: O(*n*) in the number of elements.
  @_alwaysEmitIntoClient
  public func compactMap<ElementOfResult>(
    _ transform: (Elements.Element) -> ElementOfResult?
  ) -> Publishers.Sequence<[ElementOfResult], Failure> {
    Publishers.Sequence<[ElementOfResult], Failure>(sequence: sequence.compactMap(transform))
  }

  /// Publishes the elements, with a value in place of each `nil`.
  ///
  /// As in Combine they stay optional.
  ///
  /// - Complexity: O(*n*) in the number of elements.
  @_alwaysEmitIntoClient
  public func replaceNil<ElementOfResult>(
    with output: ElementOfResult
  ) -> Publishers.Sequence<[Elements.Element], Failure> where Elements.Element == ElementOfResult? {
    map { $0 ?? output }
  }

  /// Publishes, for each element, what a closure makes of the last result and the element.
  ///
  /// - Complexity: O(*n*) in the number of elements.
  @_alwaysEmitIntoClient
  public func scan<ElementOfResult>(
    _ initialResult: ElementOfResult,
    _ nextPartialResult: @escaping (ElementOfResult, Elements.Element) -> ElementOfResult
  ) -> Publishers.Sequence<[ElementOfResult], Failure> {
    var result = initialResult
    return map { element in
      result = nextPartialResult(result, element)
      return result
    }
  }

  /// Publishes what a closure makes of an initial result and all elements.
  ///
  /// - Complexity: O(*n*) in the number of elements.
  @_alwaysEmitIntoClient
  public func reduce<Accumulator>(
    _ initialResult: Accumulator, _ nextPartialResult: @escaping (Accumulator, Elements.Element) -> Accumulator
  ) -> Result<Accumulator, Failure>.Publisher {
    Result<Accumulator, Failure>.Publisher(sequence.reduce(initialResult, nextPartialResult))
  }

  /// Publishes what a closure makes of an initial result and all elements, or fails with the error that it throws.
  ///
  /// - Complexity: O(*n*) in the number of elements.
  @_alwaysEmitIntoClient
  public func tryReduce<Accumulator>(
    _ initialResult: Accumulator,
    _ nextPartialResult: @escaping (Accumulator, Elements.Element) throws -> Accumulator
  ) -> Result<Accumulator, any Error>.Publisher {
    Result<Accumulator, any Error> { try sequence.reduce(initialResult, nextPartialResult) }.publisher
  }

  /// Publishes the elements as a stream with another type of error, with which it never fails.
  @_alwaysEmitIntoClient
  public func setFailureType<NewFailure: Error>(
    to error: NewFailure.Type
  ) -> Publishers.Sequence<Elements, NewFailure> {
    Publishers.Sequence<Elements, NewFailure>(sequence: sequence)
  }
}

// What takes a collection.
extension Publishers.Sequence where Elements: Collection {
  /// Publishes how many elements there are.
  ///
  /// - Complexity: O(*n*) in the number of elements.
  @_alwaysEmitIntoClient
  public func count() -> Result<Int, Failure>.Publisher { Result<Int, Failure>.Publisher(sequence.count) }

  /// Publishes the elements in a range of indices; one that is not valid traps.
  ///
  /// - Complexity: O(*n*) in the number of elements in the range.
  @_alwaysEmitIntoClient
  public func output(in range: Range<Elements.Index>) -> Publishers.Sequence<[Elements.Element], Failure> {
    Publishers.Sequence<[Elements.Element], Failure>(sequence: Array(sequence[range]))
  }
}

extension Publishers.Sequence where Elements: Collection, Failure == Never {
  /// Publishes the first element, if there is one.
  @_alwaysEmitIntoClient
  public func first() -> Optional<Elements.Element>.Publisher { sequence.first.publisher }

  /// Publishes the element at an index, if there is one.
  ///
  /// - Complexity: O(*n*) in the number of elements.
  @_alwaysEmitIntoClient
  public func output(at index: Elements.Index) -> Optional<Elements.Element>.Publisher {
    Optional<Elements.Element>.Publisher(sequence.indices.contains(index) ? sequence[index] : nil)
  }
}

extension Publishers.Sequence where Elements: BidirectionalCollection, Failure == Never {
  /// Publishes the last element, if there is one.
  @_alwaysEmitIntoClient
  public func last() -> Optional<Elements.Element>.Publisher { sequence.last.publisher }

  /// Publishes the last element for which a predicate returns `true`, if there is one.
  ///
  /// - Complexity: O(*n*) in the number of elements behind the one that is found.
  @_alwaysEmitIntoClient
  public func last(where predicate: (Elements.Element) -> Bool) -> Optional<Elements.Element>.Publisher {
    sequence.last(where: predicate).publisher
  }
}

extension Publishers.Sequence where Elements: RandomAccessCollection {
  /// Publishes how many elements there are.
  @_alwaysEmitIntoClient
  public func count() -> Result<Int, Failure>.Publisher { Result<Int, Failure>.Publisher(sequence.count) }

  /// Publishes the elements in a range of indices; one that is not valid traps.
  ///
  /// - Complexity: O(*n*) in the number of elements in the range.
  @_alwaysEmitIntoClient
  public func output(in range: Range<Elements.Index>) -> Publishers.Sequence<[Elements.Element], Failure> {
    Publishers.Sequence<[Elements.Element], Failure>(sequence: Array(sequence[range]))
  }
}

extension Publishers.Sequence where Elements: RandomAccessCollection, Failure == Never {
  /// Publishes how many elements there are.
  @_alwaysEmitIntoClient
  public func count() -> Just<Int> { Just(sequence.count) }

  /// Publishes the element at an index, if there is one.
  ///
  /// - Complexity: O(1) if the indices are a range of integers, as an array's are; otherwise O(*n*) in the number of
  ///   elements.
  @_alwaysEmitIntoClient
  public func output(at index: Elements.Index) -> Optional<Elements.Element>.Publisher {
    Optional<Elements.Element>.Publisher(sequence.indices.contains(index) ? sequence[index] : nil)
  }
}

extension Publishers.Sequence where Elements: RangeReplaceableCollection {
  /// Publishes other values before the elements.
  ///
  /// - Complexity: O(*n*) in the number of elements.
  @_alwaysEmitIntoClient
  public func prepend(_ elements: Elements.Element...) -> Publishers.Sequence<Elements, Failure> { prepend(elements) }

  /// Publishes the elements of another sequence before these.
  ///
  /// - Complexity: O(*n*) in the number of elements of both.
  @_alwaysEmitIntoClient
  public func prepend<OtherSequence: Swift.Sequence>(
    _ elements: OtherSequence
  ) -> Publishers.Sequence<Elements, Failure> where OtherSequence.Element == Elements.Element {
    var result = Elements()
    result.reserveCapacity(sequence.count + elements.underestimatedCount)
    result.append(contentsOf: elements)
    result.append(contentsOf: sequence)
    return Publishers.Sequence(sequence: result)
  }

  /// Publishes the elements of another publisher before these.
  ///
  /// - Complexity: O(*n*) in the number of elements of both.
  @_alwaysEmitIntoClient
  public func prepend(
    _ publisher: Publishers.Sequence<Elements, Failure>
  ) -> Publishers.Sequence<Elements, Failure> {
    publisher.append(sequence)
  }

  /// Publishes other values after the elements.
  ///
  /// - Complexity: O(*n*) in the number of elements.
  @_alwaysEmitIntoClient
  public func append(_ elements: Elements.Element...) -> Publishers.Sequence<Elements, Failure> { append(elements) }

  /// Publishes the elements of another sequence after these.
  ///
  /// - Complexity: O(*n*) in the number of elements of both.
  @_alwaysEmitIntoClient
  public func append<OtherSequence: Swift.Sequence>(
    _ elements: OtherSequence
  ) -> Publishers.Sequence<Elements, Failure> where OtherSequence.Element == Elements.Element {
    var result = sequence
    result.append(contentsOf: elements)
    return Publishers.Sequence(sequence: result)
  }

  /// Publishes the elements of another publisher after these.
  ///
  /// - Complexity: O(*n*) in the number of elements of both.
  @_alwaysEmitIntoClient
  public func append(
    _ publisher: Publishers.Sequence<Elements, Failure>
  ) -> Publishers.Sequence<Elements, Failure> {
    append(publisher.sequence)
  }
}
