// Access to callgrind, where a launch runs under it.

import CProbes

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Counts instructions by requests to callgrind, which writes each count to a file under a name.
///
/// Starting and stopping run the same few instructions every time, so that they cancel out between two counts.
@safe final class InstructionCounter {
  // A C string of its own, freed with the counter: made beforehand, as making it would be counted.
  private let name: UnsafeMutablePointer<CChar>

  /// The variable of the environment that says that whoever started this process records all of it.
  static let recordingVariable = "GAUGE_RECORDS_LAUNCH"

  /// Whether anything is asked for: not where all of the launch is recorded.
  private let asks: Bool

  /// - Parameter name: What the count is filed under.
  init(name: String) {
    unsafe self.name = strdup(name)
    // Safe: nothing in this process changes its environment.
    asks = unsafe getenv(Self.recordingVariable) == nil
  }

  deinit { unsafe free(name) }

  /// Starts counting, from zero.
  func start() { if asks { probe_start_counting_instructions() } }

  /// Files the count, and stops counting.
  func stop() { if asks { unsafe probe_stop_counting_instructions(name) } }

  /// Why nothing can be counted in this process; `nil` where it can.
  static var absence: String? {
    if probe_can_ask_callgrind() == 0 { return "the benchmarks were built without valgrind/callgrind.h" }
    return probe_runs_under_valgrind() == 0 ? "not under valgrind (gauge run --counts does it)" : nil
  }
}
