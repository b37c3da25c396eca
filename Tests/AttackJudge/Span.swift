// A time with a beginning and an end.

/// A time, in nanoseconds.
package struct Span: Equatable, Sendable {
  package var start: Int
  package var end: Int

  package init(_ start: Int, _ end: Int) { (self.start, self.end) = (start, end) }

  package var length: Int { end - start }

  /// What two times have in common; `nil` if nothing.
  package func overlap(_ other: Span) -> Span? {
    let common = Span(max(start, other.start), min(end, other.end))
    return common.start <= common.end ? common : nil
  }
}
