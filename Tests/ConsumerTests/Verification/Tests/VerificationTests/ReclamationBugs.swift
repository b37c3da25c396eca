// Bugs of lock-free structures that give memory back: it is used again, or gone, while another thread is still at it.

import WeirVerify

let reclamationBugs = [
  SeededBug(name: "ABA") { run, isRight in
    let stack = IndexStack(2)
    let taken = Lock<[Int]>([])
    run.thread("A") { if let node = stack.pop(isRight) { taken.withLock { $0.append(node) } } }
    run.thread("B") {
      let first = stack.pop(isRight), second = stack.pop(isRight)
      if let second { taken.withLock { $0.append(second) } }
      if let first { stack.push(first, isRight) }
    }
    run.check {
      var all = taken.withLock { $0 }
      while let node = stack.pop(isRight) { all.append(node) }
      run.expect(Set(all).count, all.count, "different nodes among those taken")
    }
  },
  SeededBug(name: "use after free in a Treiber stack") { run, isRight in
    let stack = TreiberStack()
    stack.push(1)
    for name in ["A", "B"] { run.thread(name) { run.expect(stack.pop(isRight), in: [1, nil], "popped") } }
  },
  SeededBug(name: "a Michael-Scott queue that reads behind its step") { run, isRight in
    let queue = MichaelScottQueue([1, 2])
    for name in ["A", "B"] {
      run.thread(name) { run.expect(queue.dequeue(isRight), in: [1, 2, nil], "dequeued") }
    }
  },
]

/// A stack of nodes by their numbers, which come back. R. Treiber, "Systems Programming: Coping with Parallelism"
/// (1986), counts in the head how often it was changed.
private final class IndexStack {
  private let head: AtomicWord
  /// For each node the next one's number; -1 at the end.
  private let next: [NodeLink]

  /// A stack of nodes 0, 1, ...
  init(_ nodes: Int) {
    next = (0..<nodes).map { NodeLink($0 + 1 < nodes ? $0 + 1 : -1) }
    head = AtomicWord(0)
  }

  private func node(_ head: Int) -> Int { Int(Int32(truncatingIfNeeded: head)) }

  private func head(_ node: Int, after former: Int, _ isRight: Bool) -> Int {
    let counted = isRight ? (former >> 32 &+ 1) << 32 : 0
    return counted | node & 0xFFFF_FFFF
  }

  func push(_ new: Int, _ isRight: Bool) {
    while true {
      let former = head.acquireLoad()
      next[new].word.relaxedStore(node(former))
      if head.compareExchange(expected: former, desired: head(new, after: former, isRight)).exchanged { return }
    }
  }

  func pop(_ isRight: Bool) -> Int? {
    while true {
      let former = head.acquireLoad()
      guard node(former) >= 0 else { return nil }
      let following = next[node(former)].word.relaxedLoad()
      if head.compareExchange(expected: former, desired: head(following, after: former, isRight)).exchanged {
        return node(former)
      }
    }
  }
}

private final class NodeLink {
  let word: AtomicWord

  init(_ value: Int) { word = AtomicWord(value) }
}

/// Frees nodes that others may be looking at.
private final class TreiberStack {
  private struct Node: ~Copyable {
    let number: Int
    let next: AtomicWord
  }

  private let head = AtomicWord(0)
  private let popping = Lock(())

  func push(_ number: Int) {
    while true {
      let former = head.acquireLoad()
      let node = UnsafeMutablePointer<Node>.allocate(capacity: 1)
      node.initialize(to: Node(number: number, next: AtomicWord(former)))
      if head.compareExchange(expected: former, desired: Int(bitPattern: node)).exchanged { return }
      free(node)
    }
  }

  func pop(_ isRight: Bool) -> Int? { isRight ? popping.withLock { _ in pop() } : pop() }

  private func pop() -> Int? {
    while true {
      let former = head.acquireLoad()
      guard let node = UnsafeMutablePointer<Node>(bitPattern: former) else { return nil }
      let next = node.pointee.next.relaxedLoad()
      guard head.compareExchange(expected: former, desired: next).exchanged else { continue }
      defer { free(node) }
      return node.pointee.number
    }
  }

  private func free(_ node: UnsafeMutablePointer<Node>) {
    node.deinitialize(count: 1)
    node.deallocate()
  }
}

/// M. Michael, M. Scott, "Simple, Fast, and Practical Non-Blocking and Blocking Concurrent Queue Algorithms" (1996):
/// the value is read before the head is moved, as from then on another thread may take the node away.
private final class MichaelScottQueue {
  private final class Node {
    let next: AtomicWord
    let value: AtomicWord

    init(_ value: Int, next: Int) {
      self.next = AtomicWord(next)
      self.value = AtomicWord(value)
    }
  }

  private static let takenAway = -1
  private let nodes: [Node]
  private let head = AtomicWord(0)

  /// A queue with these numbers behind a node that only stands there.
  init(_ values: [Int]) {
    let all = [0] + values
    nodes = all.indices.map { Node(all[$0], next: $0 + 1 < all.count ? $0 + 1 : -1) }
  }

  func dequeue(_ isRight: Bool) -> Int? {
    while true {
      let first = head.acquireLoad()
      let next = nodes[first].next.acquireLoad()
      guard next >= 0 else { return nil }
      let value = isRight ? nodes[next].value.acquireLoad() : 0
      guard head.compareExchange(expected: first, desired: next).exchanged else { continue }
      nodes[first].value.publish(Self.takenAway)
      return isRight ? value : nodes[next].value.acquireLoad()
    }
  }
}
