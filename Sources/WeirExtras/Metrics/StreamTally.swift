// The counters behind `measured`: of one subscription, and of all under a name.
// No test file: MeasuredTests does what is here.

import WeirQueues

/// What is counted under a name and labels.
///
/// The lock is not on a value's way, but for one of 64. No code of the user's runs under it.
@usableFromInline
final class StreamFigures: Sendable {
  private struct State {
    var subscriptions = 0
    /// Values of subscriptions that are gone.
    var values = 0
    var drops = 0
    var completions = 0
    var failures = 0
    var cancellations = 0
    var handling = LatencyHistogram()
    var present: [ObjectIdentifier: (tally: StreamTally, isOver: Bool)] = [:]
  }

  /// How a subscription ends.
  @usableFromInline
  enum End {
    case completion
    case failure
    case cancellation
  }

  let name: String
  let labels: [String: String]
  private let clock: @Sendable () -> Int
  private let state = Lock(State())

  init(name: String, labels: [String: String], clock: @escaping @Sendable () -> Int) {
    self.name = name
    self.labels = labels
    self.clock = clock
  }

  /// What figures are sorted by: the name, and the labels in their order.
  var order: [String] { [name] + labels.sorted { $0.key < $1.key }.flatMap { [$0.key, $0.value] } }

  /// The present, in nanoseconds.
  func now() -> Int { clock() }

  /// The counters of a further subscription, which are kept until they are retired.
  @usableFromInline
  func attach() -> StreamTally {
    let number = state.withLock { state in
      defer { state.subscriptions += 1 }
      return state.subscriptions
    }
    let tally = StreamTally(self, first: scrambled(number))
    state.withLock { $0.present[ObjectIdentifier(tally)] = (tally, false) }
    return tally
  }

  /// Counts the end of a subscription; only the first one counts.
  func end(_ tally: StreamTally, _ end: End) {
    state.withLock { state in
      guard state.present[ObjectIdentifier(tally)]?.isOver == false else { return }
      state.present[ObjectIdentifier(tally)]?.isOver = true
      switch end {
      case .completion: state.completions += 1
      case .failure: state.failures += 1
      case .cancellation: state.cancellations += 1
      }
    }
  }

  /// Takes over what was counted for a subscription from which nothing can come any more.
  func retire(_ tally: StreamTally) {
    let retired = state.withLock { state in
      state.values += tally.values
      return state.present.removeValue(forKey: ObjectIdentifier(tally))
    }
    withExtendedLifetime(retired) {}
  }

  func noteDrop() { state.withLock { $0.drops += 1 } }

  func note(nanoseconds: Int) { state.withLock { $0.handling.add(nanoseconds: nanoseconds) } }

  /// - Complexity: O(*n*) in the number of subscriptions that somebody holds.
  func reading() -> StreamReading {
    state.withLock { state in
      StreamReading(
        name: name, labels: labels, subscriptions: state.subscriptions,
        values: state.present.values.reduce(state.values) { $0 + $1.tally.values }, drops: state.drops,
        completions: state.completions, failures: state.failures, cancellations: state.cancellations,
        handling: state.handling.copied)
    }
  }
}

/// A number from 0 to 63, as often one as another also where every second number is asked for, or every 64th: 0 of 0.
private func scrambled(_ number: Int) -> Int {
  // 2⁶⁴ by the golden ratio: multiples of it are spread evenly.
  Int((UInt64(truncatingIfNeeded: number) &* 0x9E37_79B9_7F4A_7C15) >> 58)
}

/// What is counted for one subscription.
///
/// Its upstream alone, which calls serially, writes `ticks`, `depth` and `start`; so these need no read-modify-write.
/// Any thread reads `ticks`, and says that the subscription is over.
@usableFromInline
final class StreamTally: Sendable {
  private let figures: StreamFigures
  /// The tick of the first value. Subscriptions that bring a value each begin at different ones: of these, too, one of
  /// 64 is measured.
  private let first: Int
  /// Counts the values.
  @usableFromInline let ticks: AtomicWord
  /// How many values are on their way downstream, the measured one and those that came within; 0 if none is measured.
  @usableFromInline let depth = AtomicWord(0)
  /// When the measured value came.
  private let start = AtomicWord(0)
  /// Not 0 once the subscription is over.
  @usableFromInline let over = AtomicWord(0)

  init(_ figures: StreamFigures, first: Int) {
    self.figures = figures
    self.first = first
    ticks = AtomicWord(first)
  }

  var values: Int { ticks.relaxedLoad() &- first }

  /// A value comes.
  @inlinable @inline(__always)
  func begin() {
    guard over.relaxedLoad() == 0 else { return refuse() }
    let tick = ticks.relaxedLoad()
    ticks.relaxedStore(tick &+ 1)
    if tick & 63 == 0 || depth.relaxedLoad() != 0 { enter() }
  }

  /// The value that came has been handled downstream.
  @inlinable @inline(__always)
  func finish() {
    if depth.relaxedLoad() != 0 { leave() }
  }

  @usableFromInline
  func refuse() {
    figures.noteDrop()
    if depth.relaxedLoad() != 0 { enter() }
  }

  @usableFromInline
  func enter() {
    let outer = depth.relaxedLoad()
    if outer == 0 { start.relaxedStore(figures.now()) }
    depth.relaxedStore(outer + 1)
  }

  @usableFromInline
  func leave() {
    let outer = depth.relaxedLoad() - 1
    depth.relaxedStore(outer)
    guard outer == 0 else { return }
    let (start, end) = (start.relaxedLoad(), figures.now())
    // A clock of the user's may go back, or leap.
    let (time, isTooMuch) = end.subtractingReportingOverflow(start)
    figures.note(nanoseconds: end < start ? 0 : isTooMuch ? .max : time)
  }

  @usableFromInline
  func end(_ end: StreamFigures.End) {
    figures.end(self, end)
    over.relaxedStore(1)
  }

  func retire() {
    end(.cancellation)
    figures.retire(self)
  }
}

/// What the two sides of a measured subscription hold: when it goes, nothing can come any more.
@usableFromInline
final class TallyHold: Sendable {
  private let tally: StreamTally

  @usableFromInline
  init(_ tally: StreamTally) { self.tally = tally }

  deinit { tally.retire() }
}
