// All kinds of queues behind one face, for tests of what they owe alike.

@testable import WeirQueues

/// A kind of queue, and how to make one.
enum QueueKind: CaseIterable {
  case spscRing, spscLinked, mpsc, mpmc, channel, growingChannel

  /// Those whose first element can be looked at.
  static let oneConsumer: [QueueKind] = [.spscRing, .spscLinked, .mpsc]

  /// Those with any number of consumers.
  static let manyConsumers: [QueueKind] = [.mpmc, .channel, .growingChannel]

  /// Those whose two ends close apart from each other.
  static let oneProducer: [QueueKind] = [.spscRing, .spscLinked]

  /// A queue that holds as many elements at least; how many it then holds, if it is bounded.
  func make<Element>(_ type: Element.Type = Element.self, holding count: Int = 4) -> AnyQueue<Element> {
    switch self {
    case .spscRing:
      let queue = SPSCRing<Element>(minimumCapacity: count)
      var face = AnyQueue(queue)
      (face.capacity, face.isFull) = (queue.capacity, { queue.isFull })
      (face.first, face.peek) = ({ queue.first }, { queue.peek($0) })
      face.closeReceiving = { queue.closeReceiving() }
      return face
    case .spscLinked:
      let queue = SPSCLinkedQueue<Element>()
      var face = AnyQueue(queue)
      (face.first, face.peek) = ({ queue.first }, { queue.peek($0) })
      face.closeReceiving = { queue.closeReceiving() }
      face.trim = { queue.trim() }
      return face
    case .mpsc:
      let queue = MPSCQueue<Element>()
      var face = AnyQueue(queue)
      (face.first, face.peek) = ({ queue.first }, { queue.peek($0) })
      face.trim = { queue.trim() }
      return face
    case .mpmc:
      let queue = MPMCQueue<Element>(minimumCapacity: count)
      var face = AnyQueue(queue)
      (face.capacity, face.isFull) = (queue.capacity, { queue.isFull })
      face.overwrite = { queue.overwrite(with: $0) }
      return face
    case .channel, .growingChannel:
      let queue = ChannelFace<Element>(self == .channel ? Channel(minimumCapacity: count) : Channel())
      var face = AnyQueue(queue)
      (face.capacity, face.isFull) = (queue.channel.sender.capacity, { queue.core.queue.isFull })
      face.overwrite = { queue.channel.sender.sendReplacing($0) }
      face.trim = { queue.channel.receiver.trim() }
      return face
    }
  }
}

/// What all queues have alike.
protocol TestedQueue<Element>: AnyObject {
  associatedtype Element
  func enqueue(_ element: consuming Element) -> Bool
  func offer(_ element: consuming Element) -> Offer<Element>
  func enqueue(contentsOf elements: ArraySlice<Element>) -> Int
  func dequeue() -> Element?
  func dequeue(atMost limit: Int, into elements: inout [Element]) -> Int
  func drain<Failure: Error>(
    atMost limit: Int, _ body: (consuming Element) throws(Failure) -> Void
  ) throws(Failure) -> Int
  var count: Int { get }
  var isEmpty: Bool { get }
  func close()
  var isClosed: Bool { get }
  var isDrained: Bool { get }
}

extension SPSCRing: TestedQueue {}
extension SPSCLinkedQueue: TestedQueue {}
extension MPSCQueue: TestedQueue {}
extension MPMCQueue: TestedQueue {}

/// A channel, used without waiting.
private final class ChannelFace<Element>: TestedQueue {
  let channel: Channel<Element>

  init(_ channel: Channel<Element>) { self.channel = channel }

  var core: ChannelCore<Element> { channel.receiver.core }
  func enqueue(_ element: consuming Element) -> Bool { channel.sender.trySend(element).isTaken }
  func offer(_ element: consuming Element) -> Offer<Element> { channel.sender.trySend(element) }
  func enqueue(contentsOf elements: ArraySlice<Element>) -> Int { channel.sender.trySend(contentsOf: elements) }
  func dequeue() -> Element? { channel.receiver.tryReceive().taken() }
  func dequeue(atMost limit: Int, into elements: inout [Element]) -> Int {
    channel.receiver.tryReceive(atMost: limit, into: &elements)
  }
  func drain<Failure: Error>(
    atMost limit: Int, _ body: (consuming Element) throws(Failure) -> Void
  ) throws(Failure) -> Int { try channel.receiver.drain(atMost: limit, body) }
  var count: Int { channel.sender.count }
  var isEmpty: Bool { channel.receiver.isEmpty }
  func close() { channel.sender.close() }
  var isClosed: Bool { channel.receiver.isClosed }
  var isDrained: Bool { core.queue.isDrained }
}

/// A queue of any kind, and what only some of them have.
struct AnyQueue<Element> {
  let queue: any TestedQueue<Element>
  var capacity: Int?
  var isFull: () -> Bool = { false }
  var first: () -> Element? = { nil }
  var peek: ((borrowing Element) -> Int) -> Int? = { _ in nil }
  var closeReceiving: (() -> Void)?
  var trim: () -> Int = { 0 }
  var overwrite: ((Element) -> Overwrite<Element>)?

  init(_ queue: any TestedQueue<Element>) { self.queue = queue }

  var isEmpty: Bool { queue.isEmpty }
  var count: Int { queue.count }
  func enqueue(_ element: Element) -> Bool { queue.enqueue(element) }
  func offer(_ element: Element) -> Offer<Element> { queue.offer(element) }
  func enqueueAll(_ elements: ArraySlice<Element>) -> Int { queue.enqueue(contentsOf: elements) }
  func dequeue() -> Element? { queue.dequeue() }
  func dequeueAll(_ limit: Int, _ elements: inout [Element]) -> Int { queue.dequeue(atMost: limit, into: &elements) }
  func drain(_ limit: Int, _ body: (Element) -> Void) -> Int { queue.drain(atMost: limit) { body($0) } }
  func throwingDrain(_ body: (Element) throws -> Void) throws -> Int { try queue.drain(atMost: .max) { try body($0) } }
  func close() { queue.close() }
  func isClosed() -> Bool { queue.isClosed }
  func isDrained() -> Bool { queue.isDrained }
}
