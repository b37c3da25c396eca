// How long a launch may take before it counts as hanging: a minute for the first of its kind, and for those that count;
// then as long as that one says.

/// The time limits of a run's launches.
///
/// What hangs can't be told from one operation that takes long: so the first launch of a pass over a benchmark may take
/// a minute, which holds an operation of 20 seconds with its warm-up. Once one has ended, the others may take ten times
/// as long as the longest so far. A benchmark that hangs costs a minute at most, as its other launches are dropped.
struct LaunchLimits {
  /// The limit of every launch, where the user says so.
  var fixed: Duration?
  private var longest: [PlannedPass: Duration] = [:]

  /// The limit of a first launch.
  static let first = Duration.seconds(60)
  /// How many times as long as the longest before it a launch may take.
  static let factor = 10

  /// - Parameter fixed: The limit of every launch; `nil` adapts it.
  init(fixed: Duration?) { self.fixed = fixed }

  /// The limit of a launch; never less than 10 s, a minute where it counts, and 20 times its measuring time, unless the
  /// user says so.
  func limit(of launch: PlannedLaunch) -> Duration {
    if let fixed { return fixed }
    // Of operations of a certain length one launch counts a single one, and the next many, by what one took.
    let counts = [.allocations, .references, .allocator, .hardware, .systemCalls].contains(launch.pass)
    let least = (counts ? Self.first : .seconds(10)) + .milliseconds(launch.budget) * 20
    return max(least, longest[PlannedPass(launch)].map { $0 * Self.factor } ?? Self.first)
  }

  /// Takes into account how long a launch took that was measured to its end.
  mutating func record(_ duration: Duration, of launch: PlannedLaunch) {
    longest[PlannedPass(launch), default: .zero] = max(longest[PlannedPass(launch)] ?? .zero, duration)
  }
}
