// Known bugs of concurrent programs, each found in few schedules and told in few lines; and the right programs, which
// pass.

import Testing
import WeirVerify

/// A program with a bug, and without it.
struct SeededBug: Sendable, CustomTestStringConvertible {
  let name: String
  var bound = 2
  var memory = MemoryModel.tso
  let program: @Sendable (_ run: Run, _ isRight: Bool) -> Void

  var testDescription: String { name }
}

@Suite struct SeededBugsTests {
  @Test func thereAreTwelve() { #expect(seededBugs.count == 12) }

  @Test(arguments: seededBugs)
  func isFoundAndToldInFewLines(bug: SeededBug) throws {
    let failure = try #require(throws: VerificationFailure.self) {
      try verify(bound: bug.bound, memory: bug.memory) { bug.program($0, false) }
    }
    #expect(failure.schedules <= 2_000)
    #expect(failure.trace.count <= 15, "\(failure)")
  }

  @Test(arguments: seededBugs)
  func passesWithoutTheBug(bug: SeededBug) throws {
    let coverage = try verify(bound: bug.bound, memory: bug.memory) { bug.program($0, true) }
    #expect(coverage.preemptions == bug.bound)
  }
}

let seededBugs = plainBugs + orderingBugs + waitingBugs + reclamationBugs

/// What needs nothing but another order of steps.
private let plainBugs = [
  SeededBug(name: "a counter that isn't atomic") { run, isRight in
    let counter = Counter()
    for name in ["A", "B"] { run.thread(name) { counter.increment(isRight) } }
    run.check { run.expect(counter.count.acquireLoad(), 2, "count") }
  },
  SeededBug(name: "a torn publication") { run, isRight in
    let point = Point()
    run.thread("writer") { point.move(to: 1, isRight) }
    run.thread("reader") {
      let (x, y) = point.read(isRight)
      run.expect(x, y, "x, with y")
    }
  },
  SeededBug(name: "a stranded hand-over") { run, isRight in
    let gate = HandOver()
    for number in 1...2 { run.thread("sender \(number)") { gate.send(number, isRight) } }
    run.check { run.expect(gate.delivered.withLock { $0.sorted() }, [1, 2], "delivered") }
  },
]

private final class Counter {
  let count = AtomicWord(0)

  func increment(_ isRight: Bool) {
    if isRight { _ = count.add(1) } else { count.publish(count.acquireLoad() + 1) }
  }
}

/// Two words that belong together.
private final class Point {
  private let x = AtomicWord(0), y = AtomicWord(0)
  private let both = Lock(())

  func move(to place: Int, _ isRight: Bool) {
    func write() {
      x.publish(place)
      y.publish(place)
    }
    if isRight { both.withLock { _ in write() } } else { write() }
  }

  func read(_ isRight: Bool) -> (Int, Int) {
    func values() -> (Int, Int) { (x.acquireLoad(), y.acquireLoad()) }
    return isRight ? both.withLock { _ in values() } : values()
  }
}

/// A sender that finds another one at work leaves its number to that one. This package's gate had the bug: who was
/// about to leave had looked for numbers already.
private final class HandOver {
  let delivered = Lock<[Int]>([])
  private let left = Lock<[Int]>([])
  private let isBusy = AtomicWord(0)
  private let pending = AtomicWord(0)

  func send(_ number: Int, _ isRight: Bool) {
    left.withLock { $0.append(number) }
    if isRight {
      // What is pending and whether somebody is at work are one word.
      guard pending.add(1) == 0 else { return }
      repeat { deliver() } while pending.add(-1) > 1
    } else {
      guard isBusy.exchange(1) == 0 else { return }
      while deliver() {}
      isBusy.publish(0)
    }
  }

  @discardableResult
  private func deliver() -> Bool {
    guard let number = left.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) else { return false }
    delivered.withLock { $0.append(number) }
    return true
  }
}

/// What needs a memory that lets stores wait, or reads something older.
private let orderingBugs = [
  SeededBug(name: "double-checked locking") { run, isRight in
    let lazy = Lazily()
    for name in ["A", "B"] {
      run.thread(name) { run.expect(lazy.value(isRight), 42, "value") }
    }
  },
  SeededBug(name: "Peterson's lock with stores that wait") { run, isRight in
    let lock = PetersonLock()
    let shared = SharedField()
    for me in 0...1 {
      run.thread("T\(me)") {
        lock.lock(me, isRight)
        shared.value += 1
        lock.unlock(me)
      }
    }
    run.check { run.expect(shared.value, 2, "sum") }
  },
  SeededBug(name: "a seqlock that lacks a release", memory: .rc11(stale: 2)) { run, isRight in
    let pair = SequenceLock()
    run.thread("writer") { pair.write(1, isRight) }
    run.thread("reader") {
      if let (first, second) = pair.read() { run.expect(first, second, "first, with second") }
    }
  },
  SeededBug(name: "a work-stealing deque whose owner doesn't wait for its store") { run, isRight in
    let deque = StealingDeque([1, 2])
    let taken = Lock<[Int]>([])
    run.thread("owner") { if let number = deque.take(isRight) { taken.withLock { $0.append(number) } } }
    run.thread("thief") {
      for _ in 1...2 { if let number = deque.steal() { taken.withLock { $0.append(number) } } }
    }
    run.check {
      let taken = taken.withLock { $0 }
      run.expect(Set(taken).count, taken.count, "different numbers among those taken")
    }
  },
]

private final class SharedField {
  @NonAtomic var value = 0
}

/// Made by the first who asks: the second look is under the lock, the first one has to acquire.
private final class Lazily {
  private let isMade = AtomicWord(0)
  private let making = Lock(())
  @NonAtomic private var made = 0

  func value(_ isRight: Bool) -> Int {
    if (isRight ? isMade.acquireLoad() : isMade.relaxedLoad()) == 1 { return made }
    making.withLock { _ in
      guard isMade.relaxedLoad() == 0 else { return }
      made = 42
      isMade.publish(1)
    }
    return made
  }
}

/// G. Peterson, "Myths About the Mutual Exclusion Problem" (1981): each must see the other's flag, or be seen.
private final class PetersonLock {
  private let wants = [Flag(), Flag()]
  private let turn = AtomicWord(0)

  func lock(_ me: Int, _ isRight: Bool) {
    let other = 1 - me
    wants[me].word.publish(1)
    if isRight { _ = turn.sequentialExchange(other) } else { turn.publish(other) }
    while wants[other].word.acquireLoad() == 1, turn.acquireLoad() == other { spinHint() }
  }

  func unlock(_ me: Int) { wants[me].word.publish(0) }
}

private final class Flag {
  let word: AtomicWord

  init(_ value: Int = 0) { word = AtomicWord(value) }
}

/// A pair that readers read again if it was written meanwhile. H. Boehm, "Can Seqlocks Get Along with Programming
/// Language Memory Models?" (2012).
private final class SequenceLock {
  private let sequence = AtomicWord(0)
  private let first = AtomicWord(0), second = AtomicWord(0)

  func write(_ number: Int, _ isRight: Bool) {
    let before = sequence.exchange(1)
    first.relaxedStore(number)
    second.relaxedStore(number)
    if isRight { sequence.publish(before + 2) } else { sequence.relaxedStore(before + 2) }
  }

  func read() -> (Int, Int)? {
    let before = sequence.acquireLoad()
    let pair = (first.relaxedLoad(), second.relaxedLoad())
    // Reads in a way that what was read before can't come after it.
    return before % 2 == 0 && sequence.add(0) == before ? pair : nil
  }
}

/// D. Chase, Y. Lev, "Dynamic Circular Work-Stealing Deque" (2005): the owner must not look at the top before thieves
/// see the bottom that it has taken. N. Lê and others, "Correct and Efficient Work-Stealing for Weak Memory Models"
/// (2013).
private final class StealingDeque {
  private let numbers: [Int]
  private let top = AtomicWord(0)
  private let bottom: AtomicWord

  init(_ numbers: [Int]) {
    self.numbers = numbers
    bottom = AtomicWord(numbers.count)
  }

  func take(_ isRight: Bool) -> Int? {
    let last = bottom.relaxedLoad() - 1
    if isRight { _ = bottom.sequentialExchange(last) } else { bottom.publish(last) }
    let first = top.sequentialLoad()
    if first < last { return numbers[last] }
    let isMine = first == last && top.sequentialCompareExchange(expected: first, desired: first + 1).exchanged
    bottom.relaxedStore(last + 1)
    return isMine ? numbers[last] : nil
  }

  func steal() -> Int? {
    let first = top.sequentialLoad()
    guard first < bottom.sequentialLoad() else { return nil }
    let number = numbers[first]
    return top.sequentialCompareExchange(expected: first, desired: first + 1).exchanged ? number : nil
  }
}

/// Threads that wait for each other.
private let waitingBugs = [
  SeededBug(name: "a lost wake-up") { run, isRight in
    let event = Event()
    run.thread("waiter") { event.wait(isRight) }
    run.thread("setter") { event.set() }
  },
  SeededBug(name: "a missed signal of a condition") { run, isRight in
    let box = ConditionedBox()
    run.thread("consumer") { run.expect(box.take(isRight), 1, "taken") }
    run.thread("producer") { box.put(1) }
  },
]

/// Who waits says so, and looks once more before it sleeps; who sets looks whether somebody waits.
private final class Event {
  private let isSet = AtomicWord(0), isWaiting = AtomicWord(0)
  private let parker = Parker()

  func wait(_ isRight: Bool) {
    if !isRight, isSet.sequentialLoad() == 1 { return }
    _ = isWaiting.sequentialExchange(1)
    if isRight, isSet.sequentialLoad() == 1 { return }
    parker.park()
  }

  func set() {
    _ = isSet.sequentialExchange(1)
    if isWaiting.sequentialLoad() == 1 { parker.unpark() }
  }
}

/// A box with a condition: to look and to join those who wait is one step.
private final class ConditionedBox {
  private struct State {
    var content: Int?
    var waiters: [Parker] = []
  }

  private let state = Lock(State())

  func put(_ number: Int) {
    let waiter = state.withLock { state -> Parker? in
      state.content = number
      return state.waiters.popLast()
    }
    waiter?.unpark()
  }

  func take(_ isRight: Bool) -> Int {
    while true {
      let parker = Parker()
      let content = state.withLock { state -> Int? in
        if isRight, state.content == nil { state.waiters.append(parker) }
        return state.content
      }
      if let content { return content }
      if !isRight { state.withLock { $0.waiters.append(parker) } }
      parker.park()
    }
  }
}
