// Launches that count instructions: the benchmark under valgrind's callgrind, with everything pinned that could make
// two runs of one build differ.

import Foundation
import Gauge

/// Callgrind, as it is installed here.
///
/// Valgrind lays out the address space of what it runs by itself, the same in every run, whether or not the system
/// randomises addresses. What is left to vary is pinned here: the environment (and with it the stack's position), the
/// stack's size, the seed of Swift's hashing, and what the C library makes of the processor.
///
/// What can't be pinned shows in a second launch beside the first, with another process number, another clock and more
/// environment below its stack: what that counts otherwise does not repeat, and is sampled. The two run at the same
/// time, as counts don't depend on who else uses the processors.
struct Callgrind: Sendable {
  /// Path of valgrind.
  let valgrind: String
  /// Folder for what launches leave behind, and for the copies that they run.
  let folder: String
  /// Names of variables that launches get besides those that always are handed on.
  var handed: Set<String> = []
  /// Whether launches have a library in front of all others, which valgrind need not be able to run.
  var preloads = false

  /// Why there are no counts where valgrind isn't found.
  static let absence = "valgrind is not installed (scripts/setup installs it)"

  /// Time after which a launch is killed unless the user says otherwise: start-up takes half a second, and setup, which
  /// is not counted, runs about five times slower than by itself.
  static let limit = Duration.seconds(60)

  /// Looks for valgrind; `nil` where it isn't installed.
  ///
  /// - Parameters:
  ///   - folder: A folder for the files of the launches; made when it is needed.
  ///   - path: Folders to look in, joined by colons.
  init?(folder: String, path: String) {
    let candidates = path.split(separator: ":").map { "\($0)/valgrind" }
    guard let valgrind = candidates.first(where: { FileManager.default.isExecutableFile(atPath: $0) }) else {
      return nil
    }
    self.valgrind = valgrind
    self.folder = folder
  }

  /// Runs a launch, and takes its count from what callgrind leaves.
  ///
  /// - Parameters:
  ///   - launch: The launch, of the pass `counts`.
  ///   - environment: The user's environment, of which little is handed on.
  ///   - limit: Time after which it is killed.
  ///   - signals: Signals on which it is killed at once.
  func outcome(
    of launch: PlannedLaunch, environment: [String: String], limit: Duration, stoppingOn signals: PendingSignals?
  ) -> LaunchOutcome {
    do throws(SystemError) {
      try Files.makeFolder(folder)
      removeDumps()
      defer { removeDumps() }
      let program = try runnable(launch.point.executable)
      let outcomes = try atOnce(Repetition.allCases) { (repetition) throws(SystemError) in
        let command = command(program, launch.request.arguments, environment: environment, repetition)
        let run = try ProcessRun.capturing(command, limit: limit, stoppingOn: signals)
        return LaunchOutcome(run, adding: CallgrindDump.measurements(dumps(of: repetition)))
      }
      switch LaunchOutcome.counted(outcomes[0], again: outcomes[1]) {
      case .broken(let reason, _) where preloads:
        // It may do so under valgrind alone: the launches for time tell whether it does.
        let absence = "not counted under valgrind beside the preloaded library: \(reason)"
        return .measured(Metric.counted.map { Measurement($0, .unavailable(absence)) })
      case .broken(let reason, let output): return .broken(reason: "under valgrind: \(reason)", output: output)
      case let outcome: return outcome
      }
    } catch {
      return .measured(Metric.counted.map { Measurement($0, .unavailable("\(error)")) })
    }
  }

  /// Which of the two launches one is.
  enum Repetition: String, CaseIterable, Sendable {
    /// The one whose counts are told. The name is what its files begin with.
    case first = "callgrind"
    /// The one that they are held against.
    case second = "callgrind-again"

    /// What its environment is larger by.
    var spare: Int { self == .first ? 0 : Callgrind.step }
  }

  /// The command of a launch.
  ///
  /// - Parameters:
  ///   - repetition: Which of the two launches.
  ///   - details: Options about what is written besides the counts.
  func command(
    _ program: String, _ arguments: [String], environment: [String: String], _ repetition: Repetition = .first,
    details: [String] = []
  ) -> Command {
    let options =
      [
        "--tool=callgrind", "-q", "--vgdb=no", "--instr-atstart=no",
        "--callgrind-out-file=\(dump(ofProcess: "%p", repetition))", "--main-stacksize=8388608",
      ] + details
    return Command(
      program: valgrind, arguments: options + [program] + arguments,
      environment: Self.pinned(environment, for: [program] + arguments, spare: repetition.spare, handing: handed))
  }

  // MARK: Pinning

  /// Variables that have the same value in every launch.
  private static let fixed = [
    "LC_ALL": "C", "PATH": "/usr/bin:/bin", "TZ": "UTC",
    "SWIFT_DETERMINISTIC_HASHING": "1",
    // The C library chooses among versions of its functions by what the processor can do and by its caches' sizes.
    "GLIBC_TUNABLES": [
      "glibc.cpu.hwcaps=-AVX2,-AVX2_Usable,-AVX_Fast_Unaligned_Load,-BMI2,-ERMS,-FSRM,-RTM,-LZCNT,-MOVBE",
      "glibc.cpu.x86_data_cache_size=32768", "glibc.cpu.x86_shared_cache_size=1048576",
      "glibc.cpu.x86_non_temporal_threshold=786432",
    ].joined(separator: ":"),
  ]

  /// Whether a variable has the same value in every launch, whatever the user's.
  static func fixes(_ name: String) -> Bool { fixed[name] != nil }

  /// The environment of a launch: what is fixed, the user's variables that begin with `GAUGE_`, the linker's folders,
  /// variables that are named, and a padding, so that arguments and environment together always take the same space on
  /// the stack.
  ///
  /// - Parameters:
  ///   - environment: The user's environment.
  ///   - words: Program and arguments.
  ///   - spare: Bytes that the padding takes besides.
  ///   - names: Variables of the user that are handed on, too.
  static func pinned(
    _ environment: [String: String], for words: [String], spare: Int = 0, handing names: Set<String> = []
  ) -> [String: String] {
    let handed = environment.filter {
      $0.key.hasPrefix("GAUGE_") || $0.key == "LD_LIBRARY_PATH" || names.contains($0.key)
    }
    var pinned = fixed.merging(handed) { fixed, _ in fixed }
    pinned[padding] = ""
    // Each string ends with a zero and a variable has an equals sign; the program's path is there a second time.
    let strings = words + words.prefix(1)
    let size =
      strings.reduce(0) { $0 + $1.utf8.count + 1 }
      + pinned.reduce(0) { $0 + $1.key.utf8.count + $1.value.utf8.count + 2 }
    pinned[padding] = String(repeating: "x", count: step - size % step + spare)
    return pinned
  }

  /// The variable that takes up the rest of the space.
  private static let padding = "GAUGE_STACK_PADDING"
  /// The space is a multiple of this: two of them where paths are long.
  private static let step = 8192

  // MARK: Files

  /// What the dumps of a process are named, with a number behind a dot.
  private func dump(ofProcess process: String, _ repetition: Repetition) -> String {
    "\(folder)/\(repetition.rawValue).\(process)"
  }

  /// The text of every dump that a launch asked for.
  func dumps(ofProcess process: Int, _ repetition: Repetition = .first) -> [String] {
    let dump = dump(ofProcess: "\(process)", repetition)
    return (1...).lazy.map { Files.text(of: "\(dump).\($0)") }.prefix { $0 != nil }.compactMap { $0 }
  }

  /// The same for the only launch of a kind that there was.
  private func dumps(of repetition: Repetition) -> [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    let processes = names.compactMap { name -> Int? in
      let parts = name.split(separator: ".")
      return parts.count == 3 && parts[0] == repetition.rawValue ? Int(parts[1]) : nil
    }
    return processes.first.map { dumps(ofProcess: $0, repetition) } ?? []
  }

  /// Removes what launches before have left.
  func removeDumps() {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    for name in names where name.hasPrefix(Repetition.first.rawValue) {
      // One that stays is written anew, or read by number after the launch that wrote it.
      try? FileManager.default.removeItem(atPath: folder + "/" + name)
    }
  }

  /// A program that valgrind can run: the executable, or a copy of it without debug information. Valgrind reads that
  /// without need, and version 3.19 gives up on what Swift's compiler writes by default (DWARF 5).
  func runnable(_ executable: String) throws(SystemError) -> String {
    let copies = folder + "/" + SHA256.hexadecimal(Array(executable.utf8)).prefix(8)
    let copy = copies + "/" + (executable as NSString).lastPathComponent
    // As large as the original: one that a full disk left smaller is made anew.
    if let size = Files.stamp(of: copy)?.size, size == Files.stamp(of: executable)?.size { return copy }
    guard let bytes = UndebuggedExecutable.bytes(from: try Files.contents(of: executable)) else { return executable }
    try Files.makeFolder(copies)
    try Files.replace(copy, with: bytes, mode: 0o755)
    return copy
  }
}
