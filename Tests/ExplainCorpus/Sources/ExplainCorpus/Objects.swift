// Changes in objects: how many there are, who holds them, and how they are reached.

import Gauge
import Synchronization

@BenchmarkBuilder var objectBenchmarks: [Benchmark] {
  Benchmark("corpus/extra-allocation") { run in
    let post = Post()
    run.measure { post.deliver(opaque(5)) }
  }
  Benchmark("corpus/class-for-struct") { run in
    let values = numbers(30)
    run.measure { digest(values) &+ centroid(of: values) }
  }
  Benchmark("corpus/retain-in-loop") { run in
    let nodes = numbers(30).map(Node.init)
    run.measure { tally(nodes) }
  }
  Benchmark("corpus/weak-reference") { run in
    let parent = Parent()
    let children = (0..<10).map { Child($0, parent) }
    run.measure { urgency(of: children) }
  }
  Benchmark("corpus/closure-box") { run in
    let pipeline = Pipeline(offset: opaque(3))
    let values = numbers(20)
    run.measure { pipeline.run(values) }
  }
  Benchmark("corpus/lock") { run in
    let meter = Meter()
    let values = numbers(10)
    run.measure {
      for value in values { meter.record(value) }
      return digest(values)
    }
  }
  Benchmark("corpus/atomic") { run in
    let tickets = Tickets()
    run.measure { issue(10, from: tickets) }
  }
  Benchmark("corpus/exclusivity") { run in
    let account = Account()
    let update = opaque { (balance: inout Int) in balance &+= 3 }
    run.measure {
      for _ in 0..<20 { account.change(by: update) }
      return account.balance
    }
  }
}

final class Letter {
  var value: Int
  init(_ value: Int) { self.value = value }
}

final class Post {
  var sent = 0

  func stamp(_ value: Int) -> Int { value &* 3 &+ 1 }

  func deliver(_ value: Int) -> Int {
    #if REGRESSED
      let letter = opaque(Letter(stamp(value)))
      sent &+= letter.value
    #else
      sent &+= stamp(value)
    #endif
    return sent
  }
}

#if REGRESSED
  final class Point {
    let x: Int, y: Int
    init(x: Int, y: Int) { (self.x, self.y) = (x, y) }
  }
#else
  struct Point {
    let x: Int, y: Int
  }
#endif

func centroid(of values: [Int]) -> Int {
  var points: [Point] = []
  points.reserveCapacity(values.count)
  for value in values { points.append(Point(x: value, y: value / 2)) }
  var sum = 0
  for point in points { sum &+= point.x &+ point.y }
  return sum / points.count
}

final class Node {
  let value: Int
  init(_ value: Int) { self.value = value }
}

func tally(_ nodes: [Node]) -> Int {
  var sum = 0
  #if REGRESSED
    var last: Node?
    for node in nodes {
      last = opaque(node)
      sum &+= node.value
    }
    blackHole(last)
  #else
    for node in nodes { sum &+= node.value }
  #endif
  return sum
}

final class Parent { var level = 3 }

final class Child {
  let number: Int
  #if REGRESSED
    weak var parent: Parent?
  #else
    let parent: Parent?
  #endif

  init(_ number: Int, _ parent: Parent) {
    self.number = number
    self.parent = parent
  }

  func priority() -> Int { (parent?.level ?? 0) &* number }
}

func urgency(of children: [Child]) -> Int {
  var sum = 0
  for child in children { sum &+= child.priority() }
  return sum
}

struct Pipeline {
  let offset: Int

  func shift(_ values: [Int], by amount: Int) -> Int {
    var sum = 0
    #if REGRESSED
      for value in values {
        let stages: [() -> Int] = [{ value &+ amount }]
        sum &+= opaque(stages)[0]()
      }
    #else
      for value in values { sum &+= value &+ amount }
    #endif
    return sum
  }

  func run(_ values: [Int]) -> Int { shift(values, by: offset) &+ digest(values) }
}

final class Meter: Sendable {
  private let protected = Mutex(0)
  private let relaxed = Atomic(0)

  func record(_ value: Int) {
    #if REGRESSED
      protected.withLock { $0 &+= value }
    #else
      relaxed.wrappingAdd(value, ordering: .relaxed)
    #endif
  }
}

final class Tickets: Sendable {
  private let last = Atomic(0)

  func next() -> Int {
    #if REGRESSED
      while true {
        let seen = last.load(ordering: .relaxed)
        let (exchanged, _) = last.compareExchange(
          expected: seen, desired: seen &+ 1, ordering: .sequentiallyConsistent)
        if exchanged { return seen }
      }
    #else
      return last.wrappingAdd(1, ordering: .relaxed).oldValue
    #endif
  }
}

func issue(_ count: Int, from tickets: Tickets) -> Int {
  var sum = 0
  for _ in 0..<count { sum ^= tickets.next() }
  return sum
}

final class Account {
  #if REGRESSED
    var balance = 0
  #else
    @exclusivity(unchecked) var balance = 0
  #endif

  func change(by update: (inout Int) -> Void) { update(&balance) }
}
