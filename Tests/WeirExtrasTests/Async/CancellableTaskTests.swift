// Tests of `CancellableTask`.

import TestKit
import Testing
import Weir
import WeirExtras

@Suite struct CancellableTaskTests {
  @Test func givesItsValueOrItsError() async throws {
    #expect(try await CancellableTask { 7 }.value == 7)
    let failing = CancellableTask { () -> Int in throw TestFailure.first }
    await #expect(throws: TestFailure.first) { try await failing.value }
  }

  @TaskLocal private static var place = "nowhere"

  /// The base priority: waiting for a task raises the other one.
  @MainActor @Test func inheritsActorPriorityAndTaskLocals() async throws {
    let outer = Task(priority: .high) { @MainActor in
      let inner = Self.$place.withValue("here") {
        CancellableTask {
          MainActor.preconditionIsolated()
          return (Self.place, Task.basePriority, Task.currentPriority)
        }
      }
      return try await inner.value
    }
    let (place, base, current) = try await outer.value
    #expect(place == "here")
    #expect(base == .high)
    #expect(current >= .high)
    #expect(try await CancellableTask(priority: .background) { Task.basePriority }.value == .background)
  }

  @Test func canBeCancelledAmongCancellables() async {
    let cancelled = Counter()
    let task = CancellableTask {
      await untilCancelled()
      cancelled.add()
    }
    var cancellables = Set<AnyCancellable>()
    task.store(in: &cancellables)
    cancellables = []
    await untilTrue { cancelled.value == 1 }
    #expect(task.isCancelled)
  }

  /// The commonly copied version's task ran on.
  @Test func droppingItCancelsUnlessToldOtherwise() async {
    let (cancelled, finished) = (Counter(), Counter())
    let door = Door()
    do {
      _ = CancellableTask {
        await untilCancelled()
        cancelled.add()
      }
      _ = CancellableTask(cancelsOnDeinit: false) {
        await door.pass()
        if !Task.isCancelled { finished.add() }
      }
    }
    await untilTrue { cancelled.value == 1 }
    await door.open()
    await untilTrue { finished.value == 1 }
  }
}
