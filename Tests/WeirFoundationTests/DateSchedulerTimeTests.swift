// Tests of moments and lengths of time that are reckoned in dates.

import Foundation
import Testing
import Weir
import WeirFoundation

@Suite struct DateSchedulerTimeTests {
  typealias Time = RunLoop.SchedulerTimeType
  typealias Stride = RunLoop.SchedulerTimeType.Stride

  @Test func unitsAreSeconds() {
    #expect(Stride.seconds(2).magnitude == 2)
    #expect(Stride.seconds(1.5).timeInterval == 1.5)
    #expect(Stride.milliseconds(2).magnitude == 0.002)
    #expect(Stride.microseconds(2).magnitude == 0.000_002)
    #expect(Stride.nanoseconds(-2).magnitude == -0.000_000_002)
    #expect((3 as Stride).magnitude == 3)
    #expect((0.5 as Stride).magnitude == 0.5)
    #expect(Stride(0.25).magnitude == 0.25)
    #expect(Stride(exactly: 7)?.magnitude == 7)
    #expect(Stride(exactly: UInt64.max) == nil)
  }

  @Test func lengthsAreReckonedWith() {
    #expect(Stride(2) + 3 == 5)
    #expect(Stride(2) - 3 == -1)
    #expect(Stride(2) * 3 == 6)
    #expect(Stride(2) < 3)
    #expect(-Stride(2) == -2)
    var length: Stride = 4
    length += 2
    length *= 3
    length -= 8
    #expect(length == 10)
  }

  @Test func momentsMoveAndMeasure() {
    let start = Time(Date(timeIntervalSinceReferenceDate: 1_000))
    let later = start.advanced(by: 1.5)
    #expect(later.date.timeIntervalSinceReferenceDate == 1_001.5)
    #expect(start.distance(to: later) == 1.5)
    #expect(later.distance(to: start) == -1.5)
    #expect(start < later)
    #expect(Set([start, later, later.advanced(by: -1.5)]).count == 2)
  }

  @Test(arguments: [Double.infinity, -.infinity]) func aMomentInfinitelyFarAwayIsTheSameAsItself(_ seconds: Double) {
    let moments = [1, 2].map { _ in Time(Date(timeIntervalSinceReferenceDate: seconds)) }
    #expect(moments[0] == moments[1])
    #expect(Set(moments).count == 1)
    #expect(moments[0] != Time(Date(timeIntervalSinceReferenceDate: -seconds)))
  }

  @Test func survivesCoding() throws {
    let moment = Time(Date(timeIntervalSinceReferenceDate: 12_345.5))
    #expect(try JSONDecoder().decode(Time.self, from: JSONEncoder().encode(moment)) == moment)
    let length = Stride(-2.5)
    #expect(try JSONDecoder().decode(Stride.self, from: JSONEncoder().encode(length)) == length)
  }

  @Test func thePresentIsADate() {
    let before = Date()
    let moments = [RunLoop.main.now.date, OperationQueue.main.now.date]
    let after = Date()
    #expect(moments.allSatisfy { before <= $0 && $0 <= after })
    #expect(RunLoop.main.minimumTolerance == 0)
    #expect(OperationQueue.main.minimumTolerance == 0)
  }

  private func expectTrap(_ message: String, _ result: ExitTest.Result?) {
    // In release builds it says nothing.
    #if DEBUG
      let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
      #expect(text.contains("failed: " + message))
    #endif
  }

  @Test func trapsAtTimesThatAreNoNumbers() async {
    let moment = "the moment of an action has to be a number"
    let interval = "the time between two runs has to be a number"
    var result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      RunLoop.main.schedule(after: RunLoop.main.now.advanced(by: .seconds(.nan))) {}
    }
    expectTrap(moment, result)
    result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      OperationQueue.main.schedule(after: OperationQueue.main.now.advanced(by: .seconds(.nan))) {}
    }
    expectTrap(moment, result)
    result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = RunLoop.main.schedule(after: RunLoop.main.now, interval: .seconds(.nan)) {}
    }
    expectTrap(interval, result)
    result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = OperationQueue.main.schedule(after: OperationQueue.main.now, interval: .seconds(.nan)) {}
    }
    expectTrap(interval, result)
    result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Timer.publish(every: .nan, on: .main, in: .default).connect()
    }
    expectTrap(interval, result)
  }
}
