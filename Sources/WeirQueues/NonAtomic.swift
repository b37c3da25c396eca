// A field that is not atomic, of which an exploration finds the data races.
// With WEIR_EXPLORER the one of `Explored.swift` takes its place.
// No test file: Tests/ConsumerTests/Verification tests it.

#if !WEIR_EXPLORER

  /// A field that several threads may touch, but not at once: atomic words or a lock are to keep them apart.
  ///
  /// It is the value and nothing else. In a package that explores its code with `WeirVerify`, each access is noted, and
  /// two that nothing orders, one of which writes, are a failure: a data race. So mark what is guarded by other means:
  ///
  /// ```swift
  /// final class Mailbox: @unchecked Sendable {
  ///   private let isFull = AtomicWord(0)
  ///   @NonAtomic private var letter = ""
  /// }
  /// ```
  ///
  /// Its first value counts as a write, too. In a structure each copy is a place of its own, from its first write on.
  @propertyWrapper
  @frozen
  public struct NonAtomic<Value> {
    /// The value.
    public var wrappedValue: Value

    /// Creates a field with a first value.
    @inlinable @inline(__always)
    public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
  }
#endif
