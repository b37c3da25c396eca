// Which values another thread may deliver because their senders did not have to wait, as an attack sees it from
// outside.

/// The times in which nothing came to a subscriber that wants everything and is called first.
///
/// A sender need not wait for a thread that is kept by a subscriber which takes nothing more: it looks, and looks again
/// a millisecond later whether that is the same call. So the value that it leaves to that thread has waited for a
/// millisecond in which nobody delivered anything to the first subscriber. This knows nothing of what the engine says
/// about itself.
package struct Standstills: Sendable {
  /// What counts as a standstill, and what each of the values that it excuses takes of it: a little less than the
  /// millisecond between two looks, as clocks are read beside them.
  package static let least = 900_000

  /// In the order of time.
  private var spans: [Span] = []

  package init() {}

  package mutating func note(_ span: Span) { if span.length >= Self.least { spans.append(span) } }

  /// How many values may have been left to other threads.
  ///
  /// - Parameters:
  ///   - sends: The `send` of each value that its sender did not deliver.
  ///   - senders: How many threads send: each may leave one value behind in each millisecond of a standstill.
  package func excused(_ sends: [Span], senders: Int) -> Int {
    var places = spans.map { senders * ($0.length / Self.least) }
    return sends.sorted { $0.end < $1.end }.count { send in
      var index = firstIndex(endingAfter: send.start)
      while index < spans.count, spans[index].start < send.end {
        if places[index] > 0, let common = spans[index].overlap(send), common.length >= Self.least {
          places[index] -= 1
          return true
        }
        index += 1
      }
      return false
    }
  }

  private func firstIndex(endingAfter time: Int) -> Int {
    var (low, high) = (0, spans.count)
    while low < high {
      let middle = (low + high) / 2
      if spans[middle].end > time { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
