// The choice of a processor for a launch.

import Testing

@testable import Gauge

@Suite struct CalmProcessorTests {
  /// The moves of a choice among processors, of which those without times can't be reached.
  private func moves(_ candidates: [Int32], _ times: [Int32: [UInt64]]) -> [Int32] {
    var moves: [Int32] = []
    CalmProcessor(
      candidates: { candidates },
      move: { processor in
        guard times[processor] != nil else { return false }
        moves.append(processor)
        return true
      },
      times: { times[moves[moves.count - 1]] ?? [] }
    ).settle()
    return moves
  }

  @Test func theFirstThatIsCalmIsTaken() {
    #expect(moves([2, 5, 7], [2: [10, 10, 10], 5: [9, 9, 9], 7: [8, 8, 8]]) == [2])
    #expect(moves([2, 5, 7], [2: [10, 10, 15], 5: [10, 11, 12], 7: [8, 8, 8]]) == [2, 5])
  }

  @Test func whereNoneIsCalmItIsTheFastest() {
    #expect(moves([2, 5, 7], [2: [10, 30], 5: [5, 10], 7: [10, 20]]) == [2, 5, 7, 5])
    #expect(moves([2, 5, 7], [2: [10, 30], 5: [10, 25], 7: [10, 20]]) == [2, 5, 7])
    #expect(moves([2, 5, 7], [2: [10, 30], 5: [10, 30], 7: [10, 30]]) == [2, 5, 7, 2])
  }

  @Test func whereItCannotGoIsNoChoice() {
    #expect(moves([2, 5, 7], [2: [10, 30], 7: [10, 40]]) == [2, 7, 2])
    #expect(moves([2, 5], [:]) == [])
    #expect(moves([2], [2: [10, 30]]) == [])
    #expect(moves([], [:]) == [])
  }

  @Test func afterwardsTheThreadMayRunWhereItMightBefore() async throws {
    try await onOwnThread {
      let choice = CalmProcessor()
      let before = choice.candidates()
      choice.settle()
      #expect(choice.candidates() == before)
      #expect(choice.times().allSatisfy { $0 > 0 })
      #if os(Linux)
        #expect(!before.isEmpty && before.count <= CalmProcessor.mostTried)
        #expect(before.allSatisfy(choice.move))
        #expect(choice.candidates() == before)
        #expect(before == before.sorted())
      #endif
    }
  }
}
