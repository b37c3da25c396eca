// Tests of what a recorder writes on.

import TestKit
import Testing
import Weir

@testable import WeirTesting

@Suite struct RecorderTapeTests {
  private let tape = RecorderTape<Int, Never>(
    demand: .unlimited,
    clock: FrameClock(now: { MarbleFrame(number: 7) }, frames: { .whole($0.count) }, reaches: { $0.count >= $1 }))

  @Test func whatComesIsWrittenWithItsFrame() {
    Just(1).subscribe(tape)
    #expect(tape.records.map(\.event) == [.value(1), .completion(.finished)])
    #expect(tape.records.map(\.frame) == [MarbleFrame(number: 7), MarbleFrame(number: 7)])
    #expect(tape.completion == .finished && tape.frames(in: MarbleTime(count: 3, unit: .seconds)) == .whole(3))
  }

  @Test func theFirstCancellationIsNoted() {
    #expect(tape.cancellation == nil)
    tape.cancel()
    tape.cancel()
    #expect(tape.cancellation?.frame == MarbleFrame(number: 7))
    #expect(tape.cancellation?.count == 0)
  }

  @Test func whoWaitsIsTold() {
    let told = Counter()
    _ = tape.whenReady(0) { told.add() }
    _ = tape.whenReady(1) { told.add() }
    tape.forget(tape.whenReady(1) { told.add() })
    #expect(told.value == 1)
    _ = tape.receive(5)
    #expect(told.value == 2)
    _ = tape.whenReady(9) { told.add() }
    tape.receive(completion: .finished)
    #expect(told.value == 3)
  }

  /// Former versions searched all who are told for each of those who wait.
  @Test func manyWhoWaitAreToldInTheOrderOfTheirComing() {
    let told = Shared([Int]())
    for number in 0..<20_000 { _ = tape.whenReady(number % 2 + 2) { told.value.append(number) } }
    for _ in 0..<2 { _ = tape.receive(5) }
    #expect(told.value == (0..<10_000).map { 2 * $0 })
    tape.receive(completion: .finished)
    #expect(told.value.suffix(10_000) == ArraySlice((0..<10_000).map { 2 * $0 + 1 }))
  }

  /// Former versions looked at all who wait for each value.
  @Test func whoWaitsForDifferentCountsIsToldWithTheLastValue() {
    let told = Shared([Int]())
    var random = SplitMix(seed: 3)
    let counts = (1...2_000).shuffled(using: &random)
    let numbers = counts.map { count in tape.whenReady(count) { told.value.append(count) } }
    let forgotten = Set(
      zip(counts, numbers).prefix(500).map {
        tape.forget($1); return $0
      })
    for number in 1...2_000 {
      _ = tape.receive(number)
      #expect(told.value.last == (1...number).last { !forgotten.contains($0) })
    }
    #expect(told.value == (1...2_000).filter { !forgotten.contains($0) })
  }
}
