// How far a run is: one line that updates itself on a terminal, a plain line now and then elsewhere.

/// Shows the progress of a run.
struct ProgressDisplay {
  /// Where the progress is shown.
  enum Style: Hashable {
    /// A terminal of so many columns: one line, written anew for every launch.
    case terminal(columns: Int)
    /// A log: a line when the given time has passed since the last one.
    case log(every: Duration)
  }

  private let style: Style
  private let write: (String) -> Void
  private let now: () -> ContinuousClock.Instant
  private let start: ContinuousClock.Instant
  private var count: Int
  private var cost: Double
  private var done = 0
  private var doneCost = 0.0
  private var shown: ContinuousClock.Instant?

  /// Creates a display that shows nothing yet.
  ///
  /// - Parameters:
  ///   - plan: The run.
  ///   - style: Where the progress is shown.
  ///   - now: The clock.
  ///   - write: Takes the text.
  init(
    _ plan: LaunchPlan, style: Style, now: @escaping () -> ContinuousClock.Instant = { .now },
    write: @escaping (String) -> Void
  ) {
    self.style = style
    self.write = write
    self.now = now
    start = now()
    count = plan.launches.count
    cost = plan.launches.reduce(0) { $0 + Effort.duration(ofLaunch: $1.budget) }
  }

  /// Shows a launch that begins.
  mutating func begin(_ launch: PlannedLaunch) {
    let text = line(for: launch)
    switch style {
    case .terminal(let columns):
      write("\r\u{1B}[K" + text.prefix(max(0, columns - 1)))
    case .log(let interval):
      let instant = now()
      if let shown, shown.duration(to: instant) < interval { return }
      shown = instant
      write(text + "\n")
    }
  }

  /// Counts a launch that is over, or that is left out.
  mutating func advance(past launch: PlannedLaunch) {
    done += 1
    doneCost += Effort.duration(ofLaunch: launch.budget)
  }

  /// Counts a launch that was over before this run began: it says nothing about this run's speed.
  mutating func leaveOut(_ launch: PlannedLaunch) {
    done += 1
    cost -= Effort.duration(ofLaunch: launch.budget)
  }

  /// Makes room for launches that weren't planned at first.
  mutating func add(_ launches: [PlannedLaunch]) {
    count += launches.count
    cost += launches.reduce(0) { $0 + Effort.duration(ofLaunch: $1.budget) }
  }

  /// Says something that stays.
  mutating func tell(_ text: String) {
    if case .terminal = style { write("\r\u{1B}[K") }
    write(legible(text) + "\n")
  }

  /// Takes the updating line away.
  mutating func end() {
    if case .terminal = style { write("\r\u{1B}[K") }
  }

  private func line(for launch: PlannedLaunch) -> String {
    let elapsed = start.duration(to: now())
    let percent = String(count == 0 ? 100 : 100 * done / count)
    // The first launches say little about the speed of this machine.
    let rest =
      doneCost > 0 && elapsed >= .seconds(1)
      ? ", \(Self.clock(elapsed * ((cost - doneCost) / doneCost))) left" : ""
    return String(repeating: " ", count: 3 - percent.count) + percent + "%  \(done + 1)/\(count)  "
      + "\(Self.clock(elapsed))\(rest)  \(legible(launch.point.title)) (\(launch.pass.rawValue))"
  }

  /// A duration as minutes and seconds, for example `1:05`.
  static func clock(_ duration: Duration) -> String {
    let seconds = Int(duration.components.seconds)
    return "\(seconds / 60):" + (seconds % 60 < 10 ? "0" : "") + "\(seconds % 60)"
  }
}
