// Random programs for each queue on one thread, compared with an array.

import TestKit
import Testing

@testable import WeirQueues

@Suite struct QueueProgramTests {
  @Test(arguments: QueueKind.allCases) func aQueueIsAnArray(_ kind: QueueKind) {
    for seed in 0..<10_000 as Range<UInt64> {
      var random = SplitMix(seed: seed)
      let queue = kind.make(Int.self, holding: Int.random(in: 1..<5, using: &random))
      var (model, isClosed) = ([Int](), false)
      for number in 0..<24 {
        var isRight = true
        switch Int.random(in: 0..<20, using: &random) {
        case 0:
          queue.close()
          isClosed = true
        case 1..<12:
          let hasRoom = !isClosed && model.count < queue.capacity ?? .max
          if hasRoom { model.append(number) }
          isRight = queue.enqueue(number) == hasRoom
        default:
          isRight = queue.dequeue() == (model.isEmpty ? nil : model.removeFirst())
        }
        let isDrained = isClosed && model.isEmpty
        if isRight, queue.isClosed() == isClosed, queue.isDrained() == isDrained { continue }
        #expect(isRight && queue.isClosed() == isClosed && queue.isDrained() == isDrained, "seed \(seed)")
        return
      }
    }
  }
}
