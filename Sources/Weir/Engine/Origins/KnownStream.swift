// Publishers whose values and end are known without a subscription, and can be passed on in place.
//
// Scalar fusion and assembly-time knowledge of the source, as in RxJava and Reactor (David Karnok's `ScalarCallable`).

/// A publisher that can say at once everything that it will ever publish, without any code of the user's.
///
/// Only for a subscriber that wants everything: there is no subscription that could be asked for more later. What is
/// published is read while the gate is held, so a sequence whose iterator may be the user's code is not known.
@usableFromInline
package protocol KnownStream: Publisher {
  /// Passes on all values, one after the other.
  ///
  /// - Parameters:
  ///   - receive: Takes a value.
  ///   - isWelcome: Says whether the next value is welcome, as the first one is.
  /// - Returns: How the stream ends; `nil` if it does not, or if no further value was welcome before its end.
  func publish(_ receive: (Output) -> Void, while isWelcome: () -> Bool) -> Subscribers.Completion<Failure>?

  /// Whether this one can: a sequence only if it is a plain one, a publisher that hides another one only if that one
  /// can.
  var isKnown: Bool { get }

  /// Says the same of a publisher of this type that the caller knows under another name.
  static func isKnown<Alias: Publisher>(_ publisher: Alias) -> Bool

  /// Whether it calls nobody once it has ended: then nobody can tell whether a subscriber takes the end at once, or
  /// when subscribing is over.
  ///
  /// Where streams follow each other without a pause, as in a chain of `append`, taking it later lets the stack unwind.
  static var isSilentAfterItsEnd: Bool { get }

  /// Publishes for a publisher of this type that the caller knows under another name.
  ///
  /// A requirement, and static: the cast of a generic parameter's type to `any KnownStream.Type` is folded where the
  /// type is known, and so is the call of a static witness. A cast of the value, or a generic function that opens the
  /// type, is not.
  static func publish<Alias: Publisher>(
    _ publisher: Alias, _ receive: (Alias.Output) -> Void, while isWelcome: () -> Bool
  ) -> Subscribers.Completion<Alias.Failure>?
}

extension KnownStream {
  @inlinable @inline(__always)
  package var isKnown: Bool { true }

  @inlinable @inline(__always)
  package static var isSilentAfterItsEnd: Bool { true }

  @inlinable @inline(__always)
  package static func isKnown<Alias: Publisher>(_ publisher: Alias) -> Bool {
    // SAFETY: `Alias` is `Self`, by the caller's word.
    unsafe unsafeBitCast(publisher, to: Self.self).isKnown
  }

  @inlinable @inline(__always)
  package static func publish<Alias: Publisher>(
    _ publisher: Alias, _ receive: (Alias.Output) -> Void, while isWelcome: () -> Bool
  ) -> Subscribers.Completion<Alias.Failure>? {
    // SAFETY: `Alias` is `Self`, by the caller's word, so the two have the same values and errors.
    let end = unsafe unsafeBitCast(publisher, to: Self.self)
      .publish({ unsafe receive(unsafeBitCast($0, to: Alias.Output.self)) }, while: isWelcome)
    return unsafe unsafeBitCast(end, to: Subscribers.Completion<Alias.Failure>?.self)
  }
}

/// A sequence that is read without code of the user's: the standard library's, of numbers or in memory.
///
/// Code of the user's would run while a gate is held, and others would wait for it.
@usableFromInline
package protocol PlainSequence {}

extension Array: PlainSequence {}
extension ArraySlice: PlainSequence {}
extension ContiguousArray: PlainSequence {}
extension CollectionOfOne: PlainSequence {}
extension EmptyCollection: PlainSequence {}
extension Repeated: PlainSequence {}
extension Range: PlainSequence where Bound: FixedWidthInteger {}
extension ClosedRange: PlainSequence where Bound: FixedWidthInteger {}
extension StrideTo: PlainSequence where Element: FixedWidthInteger {}
extension StrideThrough: PlainSequence where Element: FixedWidthInteger {}

extension Sequence {
  /// Passes on all elements.
  ///
  /// - Parameters:
  ///   - receive: Takes an element.
  ///   - isWelcome: Says whether the next element is welcome.
  /// - Returns: Whether all elements were passed on.
  @inlinable @inline(__always)
  func publish(_ receive: (Element) -> Void, while isWelcome: () -> Bool) -> Bool {
    var iterator = makeIterator()
    var next = iterator.next()
    while let current = next {
      next = iterator.next()
      receive(current)
      if next != nil, !isWelcome() { return false }
    }
    return true
  }
}
