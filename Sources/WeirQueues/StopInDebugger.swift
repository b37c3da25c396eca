// The way into the debugger.

import CMachine

/// Stops in the debugger; without one, ends the program.
@usableFromInline
package func stopInDebugger() { machine_break() }
