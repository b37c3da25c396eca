// What a channel keeps its elements in: a queue of fixed capacity, or one that grows.

/// A queue that any thread fills and any thread empties.
@frozen
@usableFromInline
enum ChannelQueue<Element: ~Copyable>: ~Copyable {
  case bounded(MPMCQueue<Element>)
  case growing(GrowingQueue<Element>)

  @inlinable @inline(__always)
  func offer(_ element: consuming Element) -> Offer<Element> {
    switch self {
    case .bounded(let queue): queue.offer(element)
    case .growing(let queue): queue.queue.offer(element)
    }
  }

  @inlinable @inline(__always)
  func overwrite(with element: consuming Element) -> Overwrite<Element> {
    switch self {
    case .bounded(let queue): return queue.overwrite(with: element)
    case .growing(let queue):
      switch queue.queue.offer(element) {
      case .taken: return .appended
      case .full(let back): return .closed(back)
      case .closed(let back): return .closed(back)
      }
    }
  }

  @inlinable @inline(__always)
  func dequeue() -> Element? {
    switch self {
    case .bounded(let queue): queue.dequeue()
    case .growing(let queue): queue.dequeue()
    }
  }

  @inlinable
  func close() {
    switch self {
    case .bounded(let queue): queue.close()
    case .growing(let queue): queue.queue.close()
    }
  }

  @inlinable
  var isClosed: Bool {
    switch self {
    case .bounded(let queue): queue.isClosed
    case .growing(let queue): queue.queue.isClosed
    }
  }

  @inlinable
  var isDrained: Bool {
    switch self {
    case .bounded(let queue): queue.isDrained
    case .growing(let queue): queue.withTurn { $0.isDrained }
    }
  }

  @inlinable
  var count: Int {
    switch self {
    case .bounded(let queue): queue.count
    case .growing(let queue): queue.withTurn { $0.count }
    }
  }

  @inlinable
  var isFull: Bool {
    switch self {
    case .bounded(let queue): queue.isFull
    case .growing: false
    }
  }

  @inlinable
  var capacity: Int? {
    switch self {
    case .bounded(let queue): queue.capacity
    case .growing: nil
    }
  }

  @inlinable
  func trim() -> Int {
    switch self {
    case .bounded: 0
    case .growing(let queue): queue.queue.trim()
    }
  }
}

extension ChannelQueue where Element: Copyable {
  @inlinable
  func enqueue(contentsOf elements: ArraySlice<Element>) -> Int {
    switch self {
    case .bounded(let queue): queue.enqueue(contentsOf: elements)
    case .growing(let queue): queue.queue.enqueue(contentsOf: elements)
    }
  }

  @inlinable
  func dequeue(atMost limit: Int, into elements: inout [Element]) -> Int {
    switch self {
    case .bounded(let queue): return queue.dequeue(atMost: limit, into: &elements)
    case .growing(let queue): return queue.withTurn { $0.dequeue(atMost: limit, into: &elements) }
    }
  }
}

/// A queue that grows, whose consumers take turns.
@safe
@usableFromInline
final class GrowingQueue<Element: ~Copyable> {
  @usableFromInline let queue = MPSCQueue<Element>()
  @usableFromInline let turn = SpinLock()

  @inlinable
  init() {}

  @inlinable @inline(never)
  func dequeue() -> Element? { withTurn { $0.dequeue() } }

  /// Does something on the consumer's side, alone there. No user code runs inside: elements are moved.
  @inlinable @inline(__always)
  func withTurn<Result: ~Copyable>(_ body: (MPSCQueue<Element>) -> Result) -> Result {
    // releases and acquires what the consumer's side notes of its place in the queue
    turn.lock()
    defer { turn.unlock() }
    return body(queue)
  }
}
