// The way into the debugger.

import CMachine

/// Stops in the debugger; without one, ends the program, unless a handler of the signal `SIGTRAP` lets it go on.
@usableFromInline
package func stopInDebugger() { machine_break() }
