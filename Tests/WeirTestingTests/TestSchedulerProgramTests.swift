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

  private(set) var now = VirtualTime()
  private var items: [Item] = []
  private var count = 0

  func schedule(at date: Int, _ action: @escaping () -> Void) { add(date, nil, action) }

  func `repeat`(at date: Int, every interval: Int, _ action: @escaping () -> Void) -> any Cancellable {
    add(date, interval, action)
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
      for _ in 0..<10 { step(depth: 0) }
      clockwork.move(to: 60)
      for token in tokens { token.cancel() }
      clockwork.move(to: 80)
      log.append("end@\(clockwork.now.nanoseconds)")
    }

    private func step(depth: Int) {
      let date = clockwork.now.nanoseconds + Int.random(in: -2..<12, using: &random)
      switch Int.random(in: 0..<6, using: &random) {
      case 0, 1: clockwork.schedule(at: date, action(depth))
      case 2, 3:
        let interval = Int.random(in: 1..<8, using: &random)
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
      let (actual, expected) = (Run(TestScheduler(), seed: seed), Run(Model(), seed: seed))
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
}
