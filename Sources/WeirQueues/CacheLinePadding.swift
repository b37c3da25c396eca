// Distance between fields that different threads write.

/// Stored between two fields, keeps them on different cache lines: 128 bytes are a line of Apple's arm64, and the pair
/// of lines that x86-64 fetches together.
///
/// Worth its memory where two threads write the two sides again and again: without it each write takes the line away
/// from the other side (false sharing).
@frozen
@usableFromInline
package struct CacheLinePadding {
  @usableFromInline typealias Line = (Int, Int, Int, Int, Int, Int, Int, Int)

  @usableFromInline let lines: (Line, Line)

  @inlinable
  package init() {
    let line: Line = (0, 0, 0, 0, 0, 0, 0, 0)
    lines = (line, line)
  }
}
