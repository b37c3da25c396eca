// A thread of the project's own, for work that no thread of the program's is to be kept for.

import CMachine

/// Threads that Weir starts itself.
@usableFromInline
package enum HelperThread {
  /// Runs a body on a new thread of the ordinary scheduling policy, whatever that of the caller is; a nice value of
  /// Linux is the caller's. Nobody waits for the thread.
  ///
  /// - Parameters:
  ///   - name: What the system calls it: of a longer name, as many characters as fit into 15 bytes.
  ///   - body: What it runs.
  /// - Returns: `false` if the system has no thread to give: the body is not run.
  @usableFromInline
  package static func start(named name: String = "weir-hand-over", _ body: @escaping () -> Void) -> Bool {
    #if WEIR_EXPLORER
      // A thread that is not simulated; scenarios bring their own.
      return false
    #else
      return startThread(name, body)
    #endif
  }

  private static func startThread(_ name: String, _ body: @escaping () -> Void) -> Bool {
    var shown = name
    while shown.utf8.count > 15 { shown.removeLast() }
    let made = unsafe Unmanaged.passRetained(HelperBody(body)).toOpaque()
    let isStarted = unsafe machine_start_thread(runHelper, made, shown) != 0
    // SAFETY: no thread was started that would balance `passRetained`.
    if !isStarted { unsafe Unmanaged<HelperBody>.fromOpaque(made).release() }
    return isStarted
  }
}

/// How many processors the calling thread may run on; at least 1.
package func allowedProcessors() -> Int { Int(machine_allowed_processors()) }

private final class HelperBody {
  let run: () -> Void
  init(_ run: @escaping () -> Void) { self.run = run }
}

#if canImport(Darwin)
  private func runHelper(_ argument: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
    unsafe runHelper(with: argument)
    return nil
  }
#else
  private func runHelper(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    if let argument = unsafe argument { unsafe runHelper(with: argument) }
    return nil
  }
#endif

private func runHelper(with argument: UnsafeMutableRawPointer) {
  // SAFETY: the argument is that of `start`, which gave its reference to this thread alone.
  unsafe Unmanaged<HelperBody>.fromOpaque(argument).takeRetainedValue().run()
}
