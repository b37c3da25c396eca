// Random programs for the scheduler whose clock the test moves, each compared with a model that searches a list.

import TestKit
import Testing
import Weir
import WeirTesting

/// What a program uses of a scheduler, in nanoseconds.
private protocol Clockwork: AnyObject {
  var now: VirtualTime { get }
  func schedule(at date: Int, _ action: @escaping () -> Void)
  func `repeat`(at date: Int, every interval: Int, _ action: @escaping () -> Void) -> any Cancellable
  func move(to date: Int)
}

extension TestScheduler: Clockwork where SchedulerTimeType == VirtualTime, SchedulerOptions == Never {
  func schedule(at date: Int, _ action: @escaping () -> Void) {
    schedule(after: VirtualTime(nanoseconds: date), action)
  }
  func `repeat`(at date: Int, every interval: Int, _ action: @escaping () -> Void) -> any Cancellable {
    schedule(after: VirtualTime(nanoseconds: date), interval: .nanoseconds(interval), action)
  }
  func move(to date: Int) { advance(to: VirtualTime(nanoseconds: date)) }
}

/// Runs the earliest action, and of those the one that was scheduled first.
private final class Model: Clockwork {
  private struct Item {
    var date: Int
    let number: Int
    let interval: Int?
    let action: () -> Void
  }

  private(set) var now: VirtualTime
  private var items: [Item] = []
  private var count = 0

  init(now: VirtualTime) { self.now = now }

  func schedule(at date: Int, _ action: @escaping () -> Void) { add(date, nil, action) }

  func `repeat`(at date: Int, every interval: Int, _ action: @escaping () -> Void) -> any Cancellable {
    // What isn't positive counts as a nanosecond.
    add(date, max(interval, 1), action)
    let number = count
    return AnyCancellable { [weak self] in self?.items.removeAll { $0.number == number } }
  }

  private func add(_ date: Int, _ interval: Int?, _ action: @escaping () -> Void) {
    count += 1
    items.append(Item(date: date, number: count, interval: interval, action: action))
  }

  func move(to date: Int) {
    while let next = items.min(by: { ($0.date, $0.number) < ($1.date, $1.number) }), next.date <= date {
      items.removeAll { $0.number == next.number }
      now = max(now, VirtualTime(nanoseconds: next.date))
      if let interval = next.interval {
        var again = next
        again.date += interval
        items.append(again)
      }
      next.action()
    }
    now = max(now, VirtualTime(nanoseconds: date))
  }
}

@Suite struct TestSchedulerProgramTests {
  /// Runs a program, whose actions depend on the seed and on what has run before.
  private final class Run {
    private let clockwork: any Clockwork
    private var random: SplitMix
    private var tokens: [any Cancellable] = []
    private var made = 0
    var log: [String] = []

    init(_ clockwork: any Clockwork, seed: UInt64) {
      self.clockwork = clockwork
      random = SplitMix(seed: seed)
    }

    func run() {
      let beginning = clockwork.now.nanoseconds
      for _ in 0..<10 { step(depth: 0) }
      clockwork.move(to: beginning + 60)
      for token in tokens { token.cancel() }
      clockwork.move(to: beginning + 80)
      log.append("end@\(clockwork.now.nanoseconds)")
    }

    private func step(depth: Int) {
      let date = clockwork.now.nanoseconds + Int.random(in: -2..<12, using: &random)
      switch Int.random(in: 0..<6, using: &random) {
      case 0, 1: clockwork.schedule(at: date, action(depth))
      case 2, 3:
        let drawn = Int.random(in: 1..<8, using: &random)
        // No time between them means the least.
        let interval = drawn == 1 ? made % 3 - 1 : drawn
        tokens.append(clockwork.repeat(at: date, every: interval, action(depth)))
      case 4: tokens.randomElement(using: &random)?.cancel()
      default: clockwork.move(to: date)
      }
    }

    private func action(_ depth: Int) -> () -> Void {
      made += 1
      return { [unowned self, made] in
        log.append("\(made)@\(clockwork.now.nanoseconds)")
        if depth < 2, Int.random(in: 0..<3, using: &random) == 0 { step(depth: depth + 1) }
      }
    }
  }

  @Test(arguments: 0..<4) func actionsRunAsInTheModel(quarter: UInt64) {
    for seed in programSeeds(quarter: quarter) {
      var random = SplitMix(seed: ~seed)
      let beginning = VirtualTime(nanoseconds: .random(in: -1_000_000_000...1_000_000_000, using: &random))
      let scheduler = TestScheduler<VirtualTime, Never>(now: beginning)
      let (actual, expected) = (Run(scheduler, seed: seed), Run(Model(now: beginning), seed: seed))
      actual.run()
      expected.run()
      guard actual.log == expected.log else {
        #expect(actual.log == expected.log, "seed \(seed)")
        return
      }
    }
  }

  /// Repetitions that are left alone run as often as they are due, and of the others none runs once all threads are
  /// through.
  @Test func threadsCancelWhileTheClockMoves() {
    for seed in programSeedsOfThreads {
      var random = SplitMix(seed: seed)
      let scheduler = TestScheduler()
      let intervals = (0..<6).map { _ in Int.random(in: 1..<5, using: &random) }
      let counters = intervals.map { _ in Counter() }
      let tokens = Shared(
        zip(intervals, counters).map { interval, counter in
          scheduler.repeat(at: 0, every: interval) { counter.add() }
        })
      onThreads(3) { thread in
        switch thread {
        case 0: scheduler.move(to: 40)
        case 1: for index in [0, 2] { tokens.value[index].cancel() }
        default: for index in [2, 4] { tokens.value[index].cancel() }
        }
      }
      let before = counters.map(\.value)
      scheduler.move(to: 80)
      let due = [1, 3, 5].allSatisfy { counters[$0].value == 80 / intervals[$0] + 1 }
      let still = [0, 2, 4].allSatisfy { counters[$0].value == before[$0] && before[$0] <= 40 / intervals[$0] + 1 }
      guard due, still, scheduler.scheduledCount == 3 else {
        Issue.record("seed \(seed)")
        return
      }
    }
  }

  /// What one thread schedules while another moves the clock and a third one cancels runs as often as it is due, none
  /// too early, and what is left runs in its order.
  @Test func threadsScheduleWhileTheClockMoves() {
    for seed in programSeedsOfThreads {
      let problem = ThreadedRun(seed: seed).problem()
      guard problem == nil else {
        Issue.record("seed \(seed): \(problem!)")
        return
      }
    }
  }
}

/// A scheduler whose clock one thread moves from a random date on, while a second one schedules and a third one
/// cancels.
private final class ThreadedRun: @unchecked Sendable {
  private struct Item {
    /// Counted from the beginning.
    let date: Int
    /// What it is repeated by, if it is.
    let interval: Int?
    let isCancelled: Bool
  }

  private let seed: UInt64
  private let beginning: Int
  private let scheduler: TestScheduler<VirtualTime, Never>
  private let items: [Item]
  /// Who has run, and when: only the thread that moves the clock adds to it.
  private var log: [(item: Int, date: Int)] = []
  private let tokens: [Shared<(any Cancellable)?>]
  /// How many tokens are there.
  private let made = Counter()

  init(seed: UInt64) {
    self.seed = seed
    var random = SplitMix(seed: seed)
    beginning = .random(in: -1_000_000_000...1_000_000_000, using: &random)
    scheduler = TestScheduler(now: VirtualTime(nanoseconds: beginning))
    items = (0..<8).map { _ in
      let interval = Bool.random(using: &random) ? Int.random(in: 0..<5, using: &random) : nil
      let isCancelled = interval != nil && Bool.random(using: &random)
      return Item(date: .random(in: -2..<20, using: &random), interval: interval, isCancelled: isCancelled)
    }
    tokens = items.map { _ in Shared(nil) }
  }

  func problem() -> String? {
    onThreads([{ [self] in move() }, { [self] in schedule() }, { [self] in cancel() }])
    let before = log
    scheduler.move(to: beginning + 24)
    if !isRising(log.map(\.date)) { return "the clock went back" }
    let rest = log.dropFirst(before.count).filter { items[$0.item].interval == nil }.map(\.item)
    let order = rest.sorted { (items[$0].date, $0) < (items[$1].date, $1) }
    if rest != order { return "\(rest) ran, not \(order)" }
    for (number, item) in items.enumerated() {
      let runs = log.filter { $0.item == number }.map(\.date)
      let due = item.interval.map { (24 - item.date) / max($0, 1) + 1 } ?? 1
      let early = runs.enumerated().contains { $1 < item.date + $0 * max(item.interval ?? 0, 1) }
      if early { return "\(number) ran at \(runs)" }
      if item.isCancelled ? runs.count > due : runs.count != due { return "\(number) ran \(runs.count) times" }
      if item.isCancelled, before.filter({ $0.item == number }).count < runs.count { return "\(number) ran on" }
    }
    let left = items.filter { $0.interval != nil && !$0.isCancelled }.count
    return scheduler.scheduledCount == left ? nil : "\(scheduler.scheduledCount) wait instead of \(left)"
  }

  private func isRising(_ dates: [Int]) -> Bool { zip(dates, dates.dropFirst()).allSatisfy { $0 <= $1 } }

  private func move() {
    for date in [2, 5, 6, 12] { scheduler.move(to: beginning + date) }
  }

  private func schedule() {
    for (number, item) in items.enumerated() {
      let action = { [unowned self] in log.append((number, scheduler.now.nanoseconds - beginning)) }
      if let interval = item.interval {
        tokens[number].value = scheduler.repeat(at: beginning + item.date, every: interval, action)
      } else {
        scheduler.schedule(at: beginning + item.date, action)
      }
      made.add()
    }
  }

  private func cancel() {
    for number in items.indices where items[number].isCancelled {
      made.wait(for: number + 1)
      tokens[number].value?.cancel()
    }
  }
}
