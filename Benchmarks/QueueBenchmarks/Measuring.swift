// How queues are measured: by one thread, with threads at both ends, and back and forth.

import Dispatch
import Gauge
import WeirQueues

/// Elements that all producers of a round send together: far longer than waking their threads.
let elementsPerRound = 16_000

extension Set<LaunchRequest.Pass> {
  /// Everything but latency.
  static let withoutLatency = Set(LaunchRequest.Pass.allCases).subtracting([.latency, .openLatency])
}

/// Thrown where elements got lost or were multiplied.
struct WrongCount: Error, CustomStringConvertible {
  let description: String

  static func check(_ arrived: Int, expected: Int) throws {
    guard arrived != expected else { return }
    throw WrongCount(description: "\(arrived) elements arrived, expected \(expected)")
  }
}

/// Measures one element in and out.
@inline(__always)
func measureAlone(_ run: BenchmarkRun, _ enqueue: (Int) -> Bool, _ dequeue: () -> Int?) {
  var value = 0
  // The queue comes to its size first.
  for _ in 0..<2000 {
    blackHole(enqueue(value))
    blackHole(dequeue())
  }
  run.measure {
    value &+= 1
    _ = enqueue(value)
    return dequeue()
  }
}

/// Measures rounds in which producers send and consumers take all elements at the same time.
@inline(__always)
func measureThroughput(
  _ run: BenchmarkRun, producers: Int, consumers: Int = 1, _ enqueue: @escaping (Int) -> Bool,
  _ dequeue: @escaping () -> Int?
) throws {
  let share = elementsPerRound / producers
  let taken = elementsPerRound / consumers
  let sum = SharedCount()
  let threads = SenderThreads(producers + consumers) { number in
    var spinner = Spinner()
    if number < producers {
      for value in 1...share {
        while !enqueue(value) { spinner.wait() }
      }
    } else {
      var arrived = 0
      var total = 0
      while arrived < taken {
        guard let value = dequeue() else {
          spinner.wait()
          continue
        }
        total &+= value
        arrived += 1
      }
      _ = sum.word.add(total)
    }
  }
  run.elements = elementsPerRound
  run.countedOperations = 50
  var rounds = 0
  run.measure {
    rounds += 1
    threads.runRound()
  }
  threads.end()
  try WrongCount.check(sum.word.acquireLoad(), expected: rounds * producers * share * (share + 1) / 2)
}

/// The same for the ring, by batches.
func measureBatches(_ run: BenchmarkRun) throws {
  let queue = SPSCRing<Int>(minimumCapacity: 4096)
  let batch = Array(1...64)
  let arrived = SharedCount()
  let threads = SenderThreads(2) { number in
    var spinner = Spinner()
    if number == 0 {
      for _ in 0..<(elementsPerRound / batch.count) {
        var rest = batch[...]
        while !rest.isEmpty {
          let sent = queue.enqueue(contentsOf: rest)
          rest = rest.dropFirst(sent)
          if sent == 0 { spinner.wait() }
        }
      }
    } else {
      var taken: [Int] = []
      taken.reserveCapacity(256)
      var count = 0
      while count < elementsPerRound {
        let more = queue.dequeue(atMost: 256, into: &taken)
        if more == 0 { spinner.wait() }
        blackHole(taken.last)
        taken.removeAll(keepingCapacity: true)
        count += more
      }
      _ = arrived.word.add(count)
    }
  }
  run.elements = elementsPerRound
  run.countedOperations = 50
  var rounds = 0
  run.measure {
    rounds += 1
    threads.runRound()
  }
  threads.end()
  try WrongCount.check(arrived.word.acquireLoad(), expected: rounds * elementsPerRound)
}

/// Measures an element to another thread and an answer back; both spin.
@inline(__always)
func measurePingPong(
  _ run: BenchmarkRun, send: @escaping (Int) -> Void, receive: @escaping () -> Int?, answer: @escaping (Int) -> Void,
  hear: @escaping () -> Int?
) {
  let ended = DispatchSemaphore(value: 0)
  let ends = Unchecked((receive: receive, answer: answer))
  DispatchQueue(label: "answering").async {
    var spinner = Spinner()
    while true {
      guard let value = ends.value.receive() else {
        spinner.wait()
        continue
      }
      ends.value.answer(value)
      spinner = Spinner()
      if value == 0 { break }
    }
    ended.signal()
  }
  func pingPong(_ value: Int) -> Int {
    send(value)
    var spinner = Spinner()
    while true {
      if let answer = hear() { return answer }
      spinner.wait()
    }
  }
  var value = 0
  run.measure {
    value &+= 1
    return pingPong(value)
  }
  _ = pingPong(0)
  ended.wait()
}

private final class SharedCount: Sendable {
  let word = AtomicWord(0)
}
