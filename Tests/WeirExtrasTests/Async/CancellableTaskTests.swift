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
