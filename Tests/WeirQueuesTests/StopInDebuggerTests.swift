// Tests of the way into the debugger.

import Testing
import WeirQueues

@Suite struct StopInDebuggerTests {
  @Test func endsTheProgramWithoutADebugger() async {
    await #expect(processExitsWith: .failure) { stopInDebugger() }
  }
}
