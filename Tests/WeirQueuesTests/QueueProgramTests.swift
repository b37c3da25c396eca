// Random programs of all operations for each queue on one thread, compared with an array.

import TestKit
import Testing

@testable import WeirQueues

@Suite struct QueueProgramTests {
  @Test(arguments: QueueKind.allCases) func aQueueIsAnArray(_ kind: QueueKind) {
    for seed in (0..<4).map(programSeeds).joined() {
      var random = SplitMix(seed: seed)
      let queue = kind.make(Int.self, holding: Int.random(in: 1..<5, using: &random))
      var model = Model(capacity: queue.capacity ?? .max)
      for number in 0..<24 {
        let problem = step(queue, &model, number, &random) ?? model.problem(with: queue)
        if problem == nil { continue }
        #expect(problem == nil, "seed \(seed), step \(number)")
        return
      }
    }
  }

  /// Long programs: their queues go through many laps and segments.
  @Test(arguments: QueueKind.allCases) func aLongQueueIsAnArray(_ kind: QueueKind) {
    for seed in 0..<3 as Range<UInt64> {
      var random = SplitMix(seed: seed)
      let queue = kind.make(Int.self, holding: 300)
      var model = Model(capacity: queue.capacity ?? .max)
      for number in 0..<20_000 {
        let problem = step(queue, &model, number, &random, closes: false) ?? model.problem(with: queue)
        if problem == nil { continue }
        #expect(problem == nil, "seed \(seed), step \(number)")
        return
      }
    }
  }

  /// Does the same to both.
  ///
  /// - Returns: What is wrong.
  private func step(
    _ queue: AnyQueue<Int>, _ model: inout Model, _ number: Int, _ random: inout SplitMix, closes: Bool = true
  ) -> String? {
    let amount = Int.random(in: 0..<5, using: &random)
    let batch = Array(number..<number + amount)[...]
    func check<Value: Equatable>(_ what: String, _ value: Value, _ expected: Value) -> String? {
      value == expected ? nil : "\(what): \(value) instead of \(expected)"
    }
    switch Int.random(in: closes ? 0..<24 : 1..<24, using: &random) {
    case 0:
      if let closeReceiving = queue.closeReceiving, amount > 2 {
        closeReceiving()
        // The producer has to learn of it.
        model.isAsked = true
      } else {
        queue.close()
        model.close()
      }
    case 1..<6: return check("enqueue", queue.enqueue(number), model.add([number]) == 1)
    case 6..<10:
      let offer: Offer<Int> = model.isShut ? .closed(number) : model.room == 0 ? .full(number) : .taken
      _ = model.add([number])
      return check("offer", queue.offer(number), offer)
    case 10..<13: return check("enqueue(contentsOf:)", queue.enqueueAll(batch), model.add(batch))
    case 13..<18: return check("dequeue", queue.dequeue(), model.take(1).first)
    case 18..<20:
      var taken: [Int] = []
      let count = queue.dequeueAll(amount, &taken)
      return check("dequeue(atMost:)", taken, model.take(amount)) ?? check("how many", count, taken.count)
    case 20..<22:
      var taken: [Int] = []
      let count = queue.drain(amount) { taken.append($0) }
      return check("drain", taken, model.take(amount)) ?? check("how many", count, taken.count)
    case 22:
      guard let overwrite = queue.overwrite else { return check("trim", queue.trim() >= 0, true) }
      let isFull = !model.isShut && model.room == 0
      let expected: Overwrite<Int> = model.isShut ? .closed(number) : isFull ? .replaced(model.take(1)[0]) : .appended
      _ = model.add([number])
      return check("overwrite", overwrite(number), expected)
    default:
      guard queue.overwrite == nil else { return nil }
      return check("first", queue.first(), model.elements.first)
        ?? check("peek", queue.peek { $0 + 1 }, model.elements.first.map { $0 + 1 })
    }
    return nil
  }
}

/// What a queue ought to be.
private struct Model {
  let capacity: Int
  private(set) var elements: [Int] = []
  private(set) var isClosed = false
  /// Whether the consumer wants no more.
  var isAsked = false

  init(capacity: Int) { self.capacity = capacity }

  var isShut: Bool { isClosed || isAsked }
  var room: Int { capacity - elements.count }

  mutating func close() { isClosed = true }

  mutating func add(_ batch: ArraySlice<Int>) -> Int {
    // The producer's attempt tells it that the consumer has asked.
    if isShut {
      isClosed = true
      return 0
    }
    let count = min(batch.count, room)
    elements += batch.prefix(count)
    return count
  }

  mutating func take(_ limit: Int) -> [Int] {
    let taken = Array(elements.prefix(limit))
    elements.removeFirst(taken.count)
    return taken
  }

  func problem(with queue: AnyQueue<Int>) -> String? {
    if queue.count != elements.count { return "count \(queue.count) instead of \(elements.count)" }
    if queue.isEmpty != elements.isEmpty { return "isEmpty is wrong" }
    if queue.isFull() != (room == 0) { return "isFull is wrong" }
    if queue.isClosed() != isShut { return "isClosed is wrong" }
    if queue.isDrained() != (isClosed && elements.isEmpty) { return "isDrained is wrong" }
    return nil
  }
}
