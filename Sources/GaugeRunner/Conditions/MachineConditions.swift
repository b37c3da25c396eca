// What disturbs timing on this machine now: load, a busy host, a governor that saves power, and what to do about it.

import Foundation
import Gauge

/// The state of the machine around a run.
struct MachineConditions {
  /// Where the facts come from, so that tests can give others.
  struct Source {
    /// Text of a file of the system, or `nil` where it can't be read.
    var text: (_ path: String) -> String? = Files.text
    /// Processors that this process may use.
    var processors: () -> Int = { ProcessInfo.processInfo.activeProcessorCount }
  }

  /// Share of the processors' time that others may take before it is worth a warning.
  static let tolerableSteal = 0.01
  /// How much faster or slower the reference loop may become during a run.
  static let tolerableDrift = 0.05

  private let source: Source

  /// - Parameter source: Where the facts come from.
  init(source: Source = Source()) {
    self.source = source
  }

  // MARK: Facts

  /// Processes that ran or wanted to, on average over the last minute.
  var load: Double? {
    source.text("/proc/loadavg")?.split(separator: " ").first.flatMap { Double($0) }
  }

  /// What chooses the first processor's frequency.
  var governor: String? {
    source.text("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor")?
      .trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// Whether the system randomises addresses.
  var randomisesAddresses: Bool? {
    source.text("/proc/sys/kernel/randomize_va_space").map { !$0.hasPrefix("0") }
  }

  /// Time of all processors up to now; `nil` where the system does not tell.
  var processorTime: ProcessorTime? { source.text(ProcessorTime.file).flatMap { ProcessorTime($0) } }

  /// The facts as environment lines of a result file.
  var fields: [(name: String, value: String)] {
    func field(_ name: String, _ value: String?, _ path: String) -> (name: String, value: String) {
      (name, value ?? "unavailable: \(path) cannot be read")
    }
    return [
      field("load", load.map { "\($0)" }, "/proc/loadavg"),
      field("governor", governor, "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"),
      field(
        "address_randomisation", randomisesAddresses.map { $0 ? "on" : "off" },
        "/proc/sys/kernel/randomize_va_space"),
    ]
  }

  // MARK: Warnings

  /// What is wrong before a run that measures time, each with what to do.
  var warnings: [String] {
    var warnings: [String] = []
    let processors = source.processors()
    if let load, load > 0.5 * Double(processors) {
      warnings.append(
        "the load is \(load) on \(processors) processors: end other programs, or measure what does not depend on time "
          + "(--counts)")
    }
    if let governor, !["performance", "schedutil"].contains(governor) {
      warnings.append(
        "the governor '\(governor)' saves power: 'cpupower frequency-set -g performance' keeps the frequency up")
    }
    return warnings
  }

  /// What was wrong during a run.
  ///
  /// - Parameter start: `processorTime` before it.
  func warnings(since start: ProcessorTime?) -> [String] {
    guard let start, let end = processorTime, end.total > start.total else { return [] }
    let share = (end.stolen - start.stolen) / (end.total - start.total)
    guard share > Self.tolerableSteal else { return [] }
    return [
      "the hypervisor took \(digits(share * 100)) % of the processors' time for others: measure when the host is quieter, "
        + "or on another one, or what does not depend on time (--counts)"
    ]
  }

  /// Whether the machine was another one at the end of a run than at its beginning.
  ///
  /// - Parameter turns: Times of the reference loop of every launch that measures time, in order.
  static func drift(_ turns: [Double]) -> [String] {
    guard turns.count >= 12 else { return [] }
    func middle(_ part: some Collection<Double>) -> Double { part.sorted()[part.count / 2] }
    let part = turns.count / 4
    let change = middle(turns.suffix(part)) / middle(turns.prefix(part)) - 1
    guard abs(change) > tolerableDrift else { return [] }
    return [
      "the machine became \(digits(abs(change) * 100)) % \(change > 0 ? "slower" : "faster") during the run (by the "
        + "reference loop): let it come to rest, fix its frequency, and measure again"
    ]
  }
}
