// The command line of the exploration.

import WeirVerify

/// What is asked for.
struct Options {
  /// Parts of names; all scenarios and mutants if there are none.
  var filters: [String] = []
  var isVerbose = false
  var lists = false
  var remembers = false
  /// Whether it is counted what values cost threads that meet, in place of everything else.
  var measuresContention = false
  /// The drawn schedules of that.
  var firstSeed: UInt64 = 1
  var seedCount: UInt64 = 100
  /// Whether the memory is that of C++20, not that of x86.
  var usesRC11 = false
  /// How many stale reads there may be in a run.
  var stale = 2
  /// Whether orders that no step can tell apart are all tried.
  var triesAllOrders = false
  var bound: Int?
  var mostSchedules = Int.max
  var parallel = 2
  /// How much processor time a scenario may take, or the hunt for a mutant; more is a program that does not end.
  var seconds: UInt32 = 150

  static let usage = """
    Usage: explore [-v | --verbose] [--list] [--remember] [--memory tso|rc11] [--stale N] [--all-orders]
             [--bound N] [--schedules N] [--jobs N] [--seconds N] [PART...]
           explore --contention [--seeds N] [--first-seed N] [PART...]

      PART           scenarios and mutants whose name holds this; all without one
      --verbose      print the failing schedule of every mutant, not only of failures
      --list         print the names of scenarios and mutants, and explore nothing
      --remember     print a line for each mutant: what noticed it
      --memory KIND  tso, the memory of x86 (default), or rc11, that of C++20
      --stale N      with rc11: stale reads in a run at most (default 2)
      --all-orders   with rc11: try all orders, also those that no step can tell apart
      --bound N      preemptions at most, in place of each scenario's own bound
      --schedules N  begin no bound that will probably take more schedules
      --jobs N       processes at a time (default 2)
      --seconds N    processor time at most for a scenario, and for a mutant (default 150)
      --contention   print what values cost threads that meet, over drawn schedules; PART is of those programs
      --seeds N      with --contention: how many schedules (default 100)
      --first-seed N with --contention: what the first one is drawn from (default 1)
    """

  /// - Returns: `nil` if the arguments can't be understood.
  init?(_ arguments: [String]) {
    var rest = arguments[...]
    func number() -> Int? { rest.popFirst().flatMap { Int($0) }.flatMap { $0 < 0 ? nil : $0 } }
    while let argument = rest.popFirst() {
      switch argument {
      case "-v", "--verbose": isVerbose = true
      case "--list": lists = true
      case "--remember": remembers = true
      case "--memory":
        guard let kind = rest.popFirst(), ["tso", "rc11"].contains(kind) else { return nil }
        usesRC11 = kind == "rc11"
      case "--stale":
        guard let stale = number() else { return nil }
        self.stale = stale
      case "--all-orders": triesAllOrders = true
      case "--bound":
        guard let bound = number() else { return nil }
        self.bound = bound
      case "--schedules":
        guard let most = number(), most > 0 else { return nil }
        mostSchedules = most
      case "--jobs":
        guard let jobs = number(), jobs > 0 else { return nil }
        parallel = jobs
      case "--contention": measuresContention = true
      case "--seeds":
        guard let count = number(), count > 0 else { return nil }
        seedCount = UInt64(count)
      case "--first-seed":
        guard let seed = number() else { return nil }
        firstSeed = UInt64(seed)
      case "--seconds":
        guard let seconds = number().flatMap(UInt32.init(exactly:)), seconds > 0 else { return nil }
        self.seconds = seconds
      default:
        if argument.hasPrefix("-") { return nil }
        filters.append(argument)
      }
    }
  }

  var memory: MemoryModel { usesRC11 ? .rc11(stale: stale) : .tso }
  var orders: Orders { triesAllOrders ? .all : .distinct }

  func wants(_ name: String) -> Bool { filters.isEmpty || filters.contains { name.contains($0) } }
}
