// The page's first example: a buffer with one place against its sequential specification.

import Shared
import Testing
import WeirVerify

/// A buffer with one place as one thread sees it.
struct OnePlaceSpecification: SequentialSpecification {
  enum Operation { case put(Int), take }
  enum Outcome: Equatable { case isIn(Bool), taken(Int?) }

  private var content: Int?

  mutating func perform(_ operation: Operation) -> Outcome {
    switch operation {
    case .put(let number):
      if content != nil { return .isIn(false) }
      content = number
      return .isIn(true)
    case .take:
      defer { content = nil }
      return .taken(content)
    }
  }
}

@Suite struct OnePlaceBufferTests {
  @Test(arguments: [MemoryModel.tso, .rc11(stale: 1)])
  func theRightOneIsLinearizable(memory: MemoryModel) throws {
    let coverage = try verify(bound: 2, memory: memory) { run in producersAndConsumer(run, OnePlaceBuffer()) }
    #expect(coverage.preemptions == 2)
  }

  @Test func theBrokenOneIsNot() throws {
    let failure = try #require(throws: VerificationFailure.self) {
      try verify(bound: 2) { run in producersAndConsumer(run, BrokenBuffer()) }
    }
    #expect(failure.trace.count <= 15)
  }
}

private func producersAndConsumer(_ run: Run, _ buffer: some OnePlace) {
  let history = run.history(of: OnePlaceSpecification())
  for number in 1...2 {
    run.thread("producer \(number)") { history.record(.put(number)) { .isIn(buffer.put(number)) } }
  }
  run.thread("consumer") { history.record(.take) { .taken(buffer.take()) } }
}
