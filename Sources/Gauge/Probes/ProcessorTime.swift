// What all processors of the machine have done since it started, as the first line of Linux' /proc/stat tells it.

/// Time of all processors together, in ticks of the system.
package struct ProcessorTime: Hashable, Sendable {
  /// The file that tells it.
  package static let file = "/proc/stat"

  /// All of it.
  package var total: Double
  /// What nobody used, that of waiting for a disk included.
  package var idle: Double
  /// What the hypervisor gave to others while this machine wanted it.
  package var stolen: Double

  /// Creates a time.
  package init(total: Double, idle: Double, stolen: Double) {
    self.total = total
    self.idle = idle
    self.stolen = stolen
  }

  /// Reads a time.
  ///
  /// - Parameter text: What `file` holds, from its beginning. `nil` where that is something else.
  package init?(_ text: String) {
    guard let line = text.split(separator: "\n").first, line.hasPrefix("cpu ") else { return nil }
    // user nice system idle iowait irq softirq steal; guests are counted in user and nice.
    let ticks = line.split(separator: " ").dropFirst().prefix(8).compactMap { Double($0) }
    guard ticks.count == 8 else { return nil }
    self.init(total: ticks.reduce(0, +), idle: ticks[3] + ticks[4], stolen: ticks[7])
  }

  /// What was used, by this machine or by others at its cost.
  package var busy: Double { total - idle }
}
