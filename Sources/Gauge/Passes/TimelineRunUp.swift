// What runs before the operations that a timeline records: a warm-up, and those from there to the first one that was
// asked for.

/// How many operations to run, one portion after the other, until it is the turn of those that are recorded.
struct TimelineRunUp {
  /// Nanoseconds that the warm-up may take; where its first operation says that it would take longer, it is that one.
  static let longestWarmUp = 10e9
  /// Nanoseconds after which what has run tells how long all will take.
  private static let longestTrial = 1e9
  /// Nanoseconds between two looks at the clock, where an operation isn't longer.
  private static let portion = 0.25e9

  /// Operations of the warm-up that are left.
  private var warmUp: Int
  /// Operations behind it, before those that are recorded.
  private let wanted: Int
  /// Seconds that they may take.
  private let limit: Int
  /// In nanoseconds.
  private let clock: () -> UInt64
  /// When the warm-up began, and when what follows did.
  private var (begin, start): (UInt64?, UInt64?) = (nil, nil)
  /// Operations behind the warm-up that were handed out.
  private var ran = 0
  /// Why those that are to be recorded can't be reached; `nil` as long as they can.
  private(set) var failure: String?

  /// - Parameters:
  ///   - warmUp: Operations of the warm-up.
  ///   - timeline: What is recorded, and how long the way there may take.
  ///   - clock: What is looked at, in nanoseconds.
  init(
    warmUp: Int, _ timeline: LaunchRequest.Profile.Timeline,
    clock: @escaping () -> UInt64 = MonotonicClock.nanoseconds
  ) {
    self.warmUp = warmUp
    self.clock = clock
    wanted = timeline.operation - 1
    limit = timeline.timeLimit
  }

  /// Operations to run next, all those before them having been run; 0 when it is the turn of those that are recorded,
  /// or where they can't be reached.
  mutating func next() -> Int {
    let now = clock()
    if warmUp > 0 {
      guard let begin else {
        begin = now
        warmUp -= 1
        return 1
      }
      defer { warmUp = 0 }
      if Double(max(begin, now) - begin) * Double(warmUp) <= Self.longestWarmUp { return warmUp }
    }
    guard ran < wanted, failure == nil else { return 0 }
    let start = start ?? now
    self.start = start
    let spent = Double(max(start, now) - start)
    let most = Double(limit) * 1e9
    let total = ran == 0 ? 0 : spent / Double(ran) * Double(wanted)
    guard spent <= most, spent < min(Self.longestTrial, most) || total <= most else {
      failure =
        "operation \(wanted + 1) behind the warm-up was not reached within \(limit) s: it takes about "
        + "\(Int((total / 1e9).rounded(.up))) s to get there (--time-limit SECONDS allows more)"
      return 0
    }
    // The last portion may be all that are left, and no portion is more than have run before.
    let fitting = spent > 0 ? Double(ran) / spent * Self.portion : Double(ran)
    let count = min(wanted - ran, max(1, Int(min(Double(ran), fitting))))
    ran += count
    return count
  }
}
