// The same program makes the same runs in every process, built for debugging or with optimisation: the numbers here are
// those of both. They change where the explorer does, and nowhere else.

import Testing
import WeirVerify

/// A program without a bug, and how many schedules it has.
struct CountedProgram: Sendable, CustomTestStringConvertible {
  let name: String
  let schedules: Int
  let program: @Sendable (Run) -> Void

  var testDescription: String { name }
}

@Suite struct SameEverywhereTests {
  @Test(arguments: countedPrograms)
  func passesWithTheSameSchedulesEveryTime(counted: CountedProgram) throws {
    for _ in 1...2 {
      let coverage = try verify(memory: .rc11(stale: 2), counted.program)
      #expect(coverage.schedules == counted.schedules)
      #expect(coverage.preemptions == 2)
    }
  }

  /// Who frees a node learns what those know who have had it before, and of no other thing at the same address.
  @Test func whoFreesLearnsOfTheSameObjectOnly() throws {
    for _ in 1...2 {
      let coverage = try verify(memory: .rc11(stale: 2), reusesMemory: true) { run in
        let places = [Place(), Place()]
        for me in 0...1 {
          run.thread("T\(me)") {
            for number in 1...2 { places[me].put(Node(number)) }
            places[1 - me].put(Node(3))
          }
        }
        run.check { for place in places { place.put(nil) } }
      }
      #expect(coverage.schedules == 9)
    }
  }
}

private let countedPrograms = [
  CountedProgram(name: "three rounds of a store and a load", schedules: 849) { run in
    let x = WordBox(), y = WordBox()
    for (name, own, other) in [("A", x, y), ("B", y, x)] {
      run.thread(name) {
        for number in 1...3 {
          own.word.publish(number)
          _ = other.word.acquireLoad()
        }
      }
    }
  },
  CountedProgram(name: "Peterson's lock, twice", schedules: 530) { run in
    let wants = [WordBox(), WordBox()], turn = WordBox()
    for me in 0...1 {
      run.thread("T\(me)") {
        for _ in 1...2 {
          _ = wants[me].word.sequentialExchange(1)
          _ = turn.word.sequentialExchange(1 - me)
          while wants[1 - me].word.sequentialLoad() == 1, turn.word.sequentialLoad() == 1 - me { spinHint() }
          wants[me].word.publish(0)
        }
      }
    }
  },
  CountedProgram(name: "readers that collect twice", schedules: 598) { run in
    let a = WordBox(), b = WordBox()
    func collect() -> [Int] { [a.word.sequentialLoad(), b.word.sequentialLoad()] }
    run.thread("U") {
      _ = a.word.add(1)
      _ = b.word.add(1)
    }
    for name in ["S", "R"] { run.thread(name) { while collect() != collect() {} } }
  },
  CountedProgram(name: "two readers and a writer, by compare-exchange", schedules: 1682) { run in
    let state = WordBox()
    for name in ["A", "B"] {
      run.thread(name) {
        while true {
          let readers = state.word.acquireLoad()
          if readers >= 0, state.word.compareExchange(expected: readers, desired: readers + 1).exchanged { break }
          spinHint()
        }
        _ = state.word.add(-1)
      }
    }
    run.thread("W") {
      while !state.word.compareExchange(expected: 0, desired: -1).exchanged { spinHint() }
      state.word.publish(0)
    }
  },
  CountedProgram(name: "objects within an object, and a list that two threads let go of", schedules: 19) { run in
    let ring = Ring()
    var list: [WordBox]? = [WordBox(), WordBox()]
    for me in 0...1 {
      run.thread("T\(me)") { [list] in
        ring.pass(me)
        _ = list?[me].word.add(1)
      }
    }
    list = nil
  },
  CountedProgram(name: "Lamport's bakery for two, with sequential accesses", schedules: 173) { run in
    let choosing = [WordBox(), WordBox()], tickets = [WordBox(), WordBox()]
    let shared = Inside()
    for me in 0...1 {
      run.thread("T\(me)") {
        let other = 1 - me
        _ = choosing[me].word.sequentialExchange(1)
        let ticket = tickets[other].word.sequentialLoad() + 1
        _ = tickets[me].word.sequentialExchange(ticket)
        _ = choosing[me].word.sequentialExchange(0)
        while choosing[other].word.sequentialLoad() == 1 { spinHint() }
        while true {
          let theirs = tickets[other].word.sequentialLoad()
          if theirs == 0 || (ticket, me) < (theirs, other) { break }
          spinHint()
        }
        shared.count += 1
        _ = tickets[me].word.sequentialExchange(0)
      }
    }
    run.check { run.expect(shared.count, 2, "count") }
  },
]

private final class WordBox: Sendable {
  let word = AtomicWord(0)
}

/// Words within objects of its own.
private final class Ring {
  private let boxes = [WordBox(), WordBox()]
  private let turn = WordBox()

  func pass(_ me: Int) {
    boxes[me].word.publish(1)
    _ = turn.word.sequentialExchange(me)
    _ = boxes[1 - me].word.acquireLoad()
  }
}

private final class Inside {
  @NonAtomic var count = 0
}

private final class Node {
  let number: Int
  let touched = AtomicWord(0)
  init(_ number: Int) { self.number = number }
  deinit { touched.relaxedStore(1) }
}

/// A node that the next one frees.
private final class Place {
  private let word = AtomicWord(0)

  func put(_ node: Node?) {
    let new = node.map { Int(bitPattern: Unmanaged.passRetained($0).toOpaque()) } ?? 0
    let old = word.exchange(new)
    guard let pointer = UnsafeRawPointer(bitPattern: old) else { return }
    Unmanaged<Node>.fromOpaque(pointer).release()
  }
}
