// Random marble texts, there and back: read, played, recorded and written.

import TestKit
import Testing
import Weir

@testable import WeirTesting

@Suite struct MarbleProgramTests {
  private let values: [Character: Int] = ["a": 1, "b": 2, "c": 3]

  /// A text, and the one that says the same in the shortest way.
  private func makeText(_ random: inout SplitMix) -> (text: String, plain: String) {
    var (text, plain) = ("", "")
    func add(_ piece: String) {
      text += piece
      plain += piece
      if Int.random(in: 0..<4, using: &random) == 0 { text += " " }
    }
    for _ in 0..<Int.random(in: 0..<6, using: &random) {
      switch Int.random(in: 0..<3, using: &random) {
      case 0: add(String(repeating: "-", count: Int.random(in: 1..<5, using: &random)))
      case 1: add(String("abc".randomElement(using: &random)!))
      default:
        let signs = (0..<Int.random(in: 2..<4, using: &random)).map { _ in "abc".randomElement(using: &random)! }
        add("(\(String(signs)))")
      }
    }
    switch Int.random(in: 0..<4, using: &random) {
    case 0: add("|")
    case 1: add("#")
    case 2: add("(b|)")
    default: while plain.last == "-" { plain.removeLast() }
    }
    return (text, plain)
  }

  @Test(arguments: 0..<4) func thereAndBack(quarter: UInt64) throws {
    for seed in programSeeds(quarter: quarter) {
      var random = SplitMix(seed: seed)
      let (text, plain) = makeText(&random)
      let events = try Marbles(text)
      #expect(try events.text() == plain && events == Marbles(plain), "seed \(seed)")

      let scheduler = TestScheduler()
      scheduler.advance(by: .nanoseconds(Int.random(in: 0..<9, using: &random)))
      let frame = [VirtualTime.Stride.nanoseconds(7), .milliseconds(1), 3600].randomElement(using: &random)!
      let hot = try scheduler.hot(text, values: values, failure: TestFailure.first, frame: frame)
      let cold = try scheduler.cold(text, values: values, failure: TestFailure.first, frame: frame)
      let early = [scheduler.record(hot, frame: frame), scheduler.record(cold, frame: frame)]
      scheduler.run()
      let late = scheduler.record(cold, frame: frame)
      scheduler.run()
      for recorder in early + [late] {
        guard try recorder.difference(from: text, values: values) == nil else {
          Issue.record("seed \(seed): \(text)")
          return
        }
        let other = "-" + text
        #expect(try events.events.isEmpty == (recorder.difference(from: other, values: values) == nil))
      }
      #expect(scheduler.scheduledCount == 0)
    }
  }
}
