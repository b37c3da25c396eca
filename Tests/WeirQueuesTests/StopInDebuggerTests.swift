// Tests of the way into the debugger.

import Foundation
import Testing
import WeirQueues

@Suite struct StopInDebuggerTests {
  @Test func endsTheProgramWithoutADebugger() async {
    await #expect(processExitsWith: .failure) { stopInDebugger() }
  }

  /// With Swift's backtraces the program went on, and ended as if nothing had been.
  @Test func endsTheProgramBehindAHandlerThatTakesItselfAway() async {
    await #expect(processExitsWith: .signal(SIGTRAP)) {
      signal(SIGTRAP) { _ in signal(SIGTRAP, SIG_DFL) }
      stopInDebugger()
      exit(EXIT_SUCCESS)
    }
  }

  @Test func goesOnBehindAHandlerThatStays() async {
    await #expect(processExitsWith: .success) {
      signal(SIGTRAP) { _ in }
      stopInDebugger()
      exit(EXIT_SUCCESS)
    }
  }
}
