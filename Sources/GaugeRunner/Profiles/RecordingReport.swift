// What a recording of a running program comes to, in words: what was recorded, where the time of its threads went, and
// which of them wait at the end.

/// A report of a recording.
struct RecordingReport: Hashable, Sendable {
  /// Threads that wait at the same place.
  struct Group: Hashable, Sendable {
    /// Their names, without what numbers them.
    var names: [String]
    /// How many they are.
    var count: Int
    /// Threads of the same names that there are at the end.
    var among: Int
    /// Nanoseconds that each has waited for at least, since a look met it, and at most, since its thread was last seen
    /// elsewhere.
    var shortest: Int
    var longest: Int
    /// How many of them waited when the recording began: since when is not known.
    var fromStart: Int
    /// What for.
    var cause: String
    /// Where, from the leaf to the root.
    var frames: [ProfileFrame]
  }

  /// Threads of one name.
  struct Threads: Hashable, Sendable {
    /// The name, without what numbers them.
    var name: String
    /// How many there were.
    var count = 0
    /// Nanoseconds that they ran, and stood ready without a processor.
    var ran = 0
    var stoodReady = 0
    /// Looks at them, and those at which they waited.
    var looks = 0
    var waitingLooks = 0
  }

  /// Facts about the recording, a sentence each.
  var facts: [String]
  /// The threads, those first that ran most.
  var threads: [Threads]
  /// Who waits at the end, the largest groups first.
  var groups: [Group]
  /// What is missing, and why.
  var notes: [String]
  /// Why it isn't known who waits at the end, or not of all; `nil` where it is.
  var waitsComplaint: String?
  /// When it was that they waited: what stands before "3 threads wait".
  var moment = "at the end"
  /// Groups that are shown, and frames of each.
  var limit = 12
  var depth = 14

  /// The text as lines.
  ///
  /// - Parameters:
  ///   - width: Characters of the terminal's line.
  ///   - colour: Whether ANSI colours are used.
  func text(width: Int, colour: Bool) -> [String] {
    facts.flatMap { wrapped($0, indent: 0, width: width) } + table(width: width, colour: colour) + waiting(width)
      + notes.flatMap { wrapped("note: \($0)", indent: 2, width: width) }
  }

  private func table(width: Int, colour: Bool) -> [String] {
    var table = Table(columns: [
      Table.Column(title: "threads", minimum: 12, isName: true), Table.Column(title: "number", isNumber: true),
      Table.Column(title: "ran", isNumber: true), Table.Column(title: "stood ready", isNumber: true),
      Table.Column(title: "waiting", isNumber: true),
    ])
    for group in threads.prefix(limit) {
      table.rows.append(
        Table.Row(cells: [
          group.name, "\(group.count)", Self.seconds(group.ran), Self.seconds(group.stoodReady),
          group.looks == 0 ? "unavailable" : ProfileTable.percent(group.waitingLooks, of: group.looks),
        ]))
    }
    let more = threads.count - limit
    return ["where the time of threads went:"] + table.text(width: width - 2, colour: colour).map { "  " + $0 }
      + (more > 0 ? ["  and threads of \(more) more names"] : [])
  }

  private func waiting(_ width: Int) -> [String] {
    if let waitsComplaint {
      let head = "who waits \(moment): unavailable: \(waitsComplaint)"
      guard !groups.isEmpty else { return wrapped(head, indent: 0, width: width) }
      return wrapped("\(head); what is known nevertheless:", indent: 0, width: width) + list(width)
    }
    guard !groups.isEmpty else { return ["\(moment) no thread waits"] }
    let count = groups.reduce(0) { boundedSum($0, $1.count) }
    return ["\(moment) \(Self.threads(count)) \(count == 1 ? "waits" : "wait"):"] + list(width)
  }

  private func list(_ width: Int) -> [String] {
    var lines: [String] = []
    for group in groups.prefix(limit) {
      lines += wrapped(Self.head(group), indent: 2, width: width)
      for frame in group.frames.prefix(depth) {
        let place = frame.file.map { $0 + (frame.line.map { ":\($0)" } ?? "") } ?? frame.object
        lines.append(Table.cut(inert("      " + legible("\(frame.function)  \(place)")), to: width, inMiddle: false))
      }
      if group.frames.count > depth { lines.append("      and \(group.frames.count - depth) more") }
    }
    if groups.count > limit { lines.append("  and at \(groups.count - limit) more places") }
    return lines
  }

  private static func head(_ group: Group) -> String {
    let names = group.names.prefix(3).joined(separator: ", ")
    let who =
      group.count > 1 && group.count == group.among
      ? "all \(threads(group.count)) of \(names)" : "\(threads(group.count)) of \(names)"
    let time =
      switch group.fromStart {
      case group.count: "since before the recording began"
      case 0: "for \(seconds(group.shortest, group.longest))"
      default:
        "for at least \(seconds(group.shortest)), \(group.fromStart) of them since before the recording began"
      }
    return "\(who) \(time), in \(group.cause):"
  }

  private static func threads(_ count: Int) -> String { count == 1 ? "1 thread" : "\(count) threads" }

  private static func seconds(_ shortest: Int, _ longest: Int) -> String {
    let (first, last) = (seconds(shortest), seconds(longest))
    return first == last ? first : "\(first) to \(last)"
  }

  /// A time in seconds.
  static func seconds(_ nanoseconds: Int) -> String {
    "\(ProfileTable.quantity((Double(nanoseconds) / 1e7).rounded() / 100)) s"
  }
}

/// The system calls that threads wait in.
enum WaitingCall {
  /// What a system call is called; its number for one that isn't known, and words where there is none.
  ///
  /// - Parameters:
  ///   - number: Number of the system call, or -1.
  ///   - machine: Number of the processor in ELF.
  static func name(_ number: Int, machine: UInt64) -> String {
    guard number >= 0 else { return "the kernel, not in a system call" }
    return (machine == 183 ? arm : x86)[number] ?? "system call \(number)"
  }

  private static let x86: [Int: String] = [
    0: "read", 1: "write", 7: "poll", 17: "pread64", 18: "pwrite64", 19: "readv", 20: "writev", 23: "select",
    34: "pause", 35: "nanosleep", 42: "connect", 43: "accept", 44: "sendto", 45: "recvfrom", 46: "sendmsg",
    47: "recvmsg", 61: "wait4", 65: "semop", 72: "fcntl", 73: "flock", 74: "fsync", 75: "fdatasync",
    128: "rt_sigtimedwait", 130: "rt_sigsuspend", 202: "futex", 208: "io_getevents", 230: "clock_nanosleep",
    232: "epoll_wait", 247: "waitid", 270: "pselect6", 271: "ppoll", 281: "epoll_pwait", 288: "accept4",
    426: "io_uring_enter", 441: "epoll_pwait2", 449: "futex_waitv",
  ]

  private static let arm: [Int: String] = [
    22: "epoll_pwait", 25: "fcntl", 32: "flock", 63: "read", 64: "write", 65: "readv", 66: "writev", 72: "pselect6",
    73: "ppoll", 82: "fsync", 83: "fdatasync", 95: "waitid", 98: "futex", 101: "nanosleep", 115: "clock_nanosleep",
    133: "rt_sigsuspend", 137: "rt_sigtimedwait", 202: "accept", 203: "connect", 206: "sendto", 207: "recvfrom",
    211: "sendmsg", 212: "recvmsg", 242: "accept4", 260: "wait4", 426: "io_uring_enter", 441: "epoll_pwait2",
    449: "futex_waitv",
  ]
}
