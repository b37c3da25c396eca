// Tests of the unbounded queue from many producers to one consumer: segment borders, close, ownership.

import TestKit
import Testing

#if canImport(Glibc)
  import Glibc
#endif

@testable import WeirQueues

@Suite struct MPSCQueueTests {
  private static let segment = MPSCQueue<Int>.segmentCapacity

  @Test(arguments: [segment - 1, segment, segment + 1, 2 * segment]) func closesAtEverySegmentBorder(count: Int) {
    let queue = MPSCQueue<Int>()
    for number in 0..<count { #expect(queue.enqueue(number)) }
    queue.close()
    #expect(!queue.enqueue(-1))
    #expect(!queue.isDrained)
    #expect((0..<count).map { _ in queue.dequeue() } == Array(0..<count))
    #expect(queue.dequeue() == nil)
    #expect(queue.isDrained)
  }

  /// As long as at any time before, but begun elsewhere in its segment, it needs one more.
  @Test func aQueueOfAThousandHasFiveSegmentsAtMost() {
    let queue = MPSCQueue<Int>()
    var most: [Int] = []
    for _ in 0..<300 {
      for number in 0..<1000 { queue.enqueue(number) }
      most.append(queue.chain.ownedCount)
      let taken = queue.drain { _ in }
      #expect(taken == 1000)
    }
    #expect(most.first == 4)
    #expect(most.max() == 5)
  }

  @Test func ordersEachProducerAndLosesNothingThroughLongBursts() {
    let queue = MPSCQueue<(producer: Int, number: Int)>()
    let (producers, count) = (3, 20_000)
    let seen = Shared([Int](repeating: 0, count: producers))
    let left = Shared(producers * count)
    onThreads(producers + 1) { thread in
      guard thread == producers else {
        for number in 1...count { queue.enqueue((thread, number)) }
        return
      }
      while left.value > 0 {
        guard let (producer, number) = queue.dequeue() else {
          yieldThread()
          continue
        }
        #expect(number == seen.value[producer] + 1)
        seen.value[producer] = number
        left.value -= 1
      }
    }
    #expect(seen.value == Array(repeating: count, count: producers))
  }

  // Under ThreadSanitizer the memory of a process is mostly the sanitizer's.
  #if os(Linux) && !WEIR_TSAN
    @Test func givesTheMemoryOfABurstBack() async {
      await #expect(processExitsWith: .success) {
        let queue = MPSCQueue<Int>()
        let linked = SPSCLinkedQueue<Int>()
        func burst(_ count: Int) {
          for number in 0..<count {
            queue.enqueue(number)
            linked.enqueue(number)
          }
          for number in 0..<count { precondition(queue.dequeue() == number && linked.dequeue() == number) }
        }
        burst(10_000)
        let before = residentBytes()
        for _ in 1...3 {
          burst(1_000_000)
          precondition(residentBytes() - before < before / 10, "\(before) became \(residentBytes())")
        }
      }
    }
  #endif
}

#if os(Linux) && !WEIR_TSAN
  /// The second number of `/proc/self/statm`.
  private func residentBytes() -> Int {
    guard let file = fopen("/proc/self/statm", "r") else { return 0 }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 256)
    fgets(&line, 256, file)
    let text = String(decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    return (Int(text.split(separator: " ")[1]) ?? 0) * sysconf(Int32(_SC_PAGESIZE))
  }
#endif
