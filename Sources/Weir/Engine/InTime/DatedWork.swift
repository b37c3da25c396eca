// Work that waits for its date, and the heap that says whose date comes first.

/// Work that is to be run at a date, or again and again from then on.
struct DatedWork {
  /// In nanoseconds of the loop's clock; `Int.max` for never.
  let date: Int
  /// The nanoseconds from one run to the next; 0 for work that is run once.
  let interval: Int
  let work: ScheduledWork

  /// The next run of work that is run again and again: at the first date behind a moment that is a number of intervals
  /// away from this one. `nil` if there is none.
  func following(after now: Int) -> DatedWork? {
    let (step, isTooLong) = interval.multipliedReportingOverflow(by: max(now - date, 0) / interval + 1)
    let (next, isTooLate) = date.addingReportingOverflow(step)
    return isTooLong || isTooLate ? nil : DatedWork(date: next, interval: interval, work: work)
  }
}

/// Works with dates, the first of which is on top; of one date, in the order in which they came.
///
/// A heap whose entries have four others below each: one level in two of a binary heap's, and the four lie side by side
/// (LaMarca and Ladner, "The Influence of Caches on the Performance of Heaps", 1996). Timing wheels (Varghese and
/// Lauck, "Hashed and Hierarchical Timing Wheels", SOSP 1987) insert in O(1), but the order within a tick has to be
/// made by sorting, and a thread that sleeps needs the next date, for which a wheel has to be searched. Here dates are
/// exact to the nanosecond. Cancelling is O(1) all the same: it lets go of the work, and entries without work go
/// together, once they may be half of all.
struct DatedWorks {
  private struct Entry {
    let dated: DatedWork
    /// Counts all that ever came.
    let number: Int

    func isBefore(_ other: Entry) -> Bool { (dated.date, number) < (other.dated.date, other.number) }
  }

  private var entries: [Entry] = []
  private var newest = 0

  /// How many there are, those without work among them.
  var count: Int { entries.count }

  /// The first date.
  var firstDate: Int? { entries.first?.dated.date }

  /// Adds work.
  ///
  /// - Complexity: O(log n) in the number of entries.
  mutating func insert(_ dated: DatedWork) {
    newest += 1
    entries.append(Entry(dated: dated, number: newest))
    rise(from: entries.count - 1)
  }

  /// Takes the first one, if its date has come.
  ///
  /// - Complexity: O(log n) in the number of entries.
  mutating func popFirst(notAfter now: Int) -> DatedWork? {
    guard let first = entries.first, first.dated.date <= now else { return nil }
    let last = entries.removeLast()
    if !entries.isEmpty {
      entries[0] = last
      sink(from: 0)
    }
    return first.dated
  }

  /// Removes entries whose work was let go of.
  ///
  /// - Complexity: O(n) in the number of entries.
  mutating func removeDropped() {
    entries.removeAll { !$0.dated.work.isAlive }
    guard entries.count > 1 else { return }
    for place in stride(from: (entries.count - 2) / 4, through: 0, by: -1) { sink(from: place) }
  }

  /// Lets go of everything.
  mutating func dropAll() {
    let all = entries
    entries = []
    for entry in all { entry.dated.work.drop() }
  }

  private mutating func rise(from start: Int) {
    let entry = entries[start]
    var place = start
    while place > 0 {
      let above = (place - 1) / 4
      guard entry.isBefore(entries[above]) else { break }
      entries[place] = entries[above]
      place = above
    }
    entries[place] = entry
  }

  private mutating func sink(from start: Int) {
    let entry = entries[start]
    var place = start
    while true {
      let first = 4 * place + 1
      guard first < entries.count else { break }
      var least = first
      for other in first + 1..<min(first + 4, entries.count) where entries[other].isBefore(entries[least]) {
        least = other
      }
      guard entries[least].isBefore(entry) else { break }
      entries[place] = entries[least]
      place = least
    }
    entries[place] = entry
  }
}
