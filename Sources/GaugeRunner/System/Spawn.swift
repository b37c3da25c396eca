// Starting a child process: posix_spawn with its descriptors, environment, process group and signals set.

import Foundation

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A program to start, with everything that decides how it runs.
struct Command: Hashable, Sendable {
  /// Path of the program, or a bare name that is looked for in `PATH`.
  var program: String
  /// Arguments, without the program's own name.
  var arguments: [String] = []
  /// The whole environment of the child; `nil` is this process's own.
  var environment: [String: String]?
  /// Path of what it reads on standard input; `nil` is nothing.
  var input: String?

  /// The command as one would type it.
  var line: String {
    ([program] + arguments).map { $0.isEmpty || $0.contains(" ") ? "'\($0)'" : $0 }.joined(separator: " ")
  }
}

/// A started child process; to be reaped once.
struct Child: ~Copyable {
  /// Its process id, which is also the id of its process group where it has one of its own.
  let identifier: Int32

  /// Starts a program.
  ///
  /// An executable that is open for writing can't be started, and the one who wrote it may have closed it long ago: a
  /// child that was started meanwhile holds the descriptor, too, until it has become its own program. So where the
  /// system says "Text file busy", the start is tried again after a pause.
  ///
  /// - Parameters:
  ///   - command: What to start.
  ///   - descriptors: The child's descriptors by number, as descriptors of this process; 0, where not given, reads
  ///     nothing, and the child has no others but those that this process lets be inherited.
  ///   - ownGroup: Whether the child leads a process group of its own, so that all it starts can be ended with it, and
  ///     so that the terminal's interrupt doesn't reach it.
  ///   - busy: Called with how often a busy program was tried; waits and returns whether it is tried again.
  /// - Throws: `SystemError` where it can't be started.
  init(
    _ command: Command, descriptors: [(child: Int32, own: Int32)], ownGroup: Bool,
    busy: (_ tries: Int) -> Bool = Child.pausesWhereBusy
  ) throws(SystemError) {
    // Safe in the whole body: the two records are initialised before use and destroyed once, the vectors of C strings
    // end with a null pointer, and every string lives until the vectors are freed behind the call.
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t? = nil
      var attributes: posix_spawnattr_t? = nil
    #else
      var actions = unsafe posix_spawn_file_actions_t()
      var attributes = posix_spawnattr_t()
    #endif
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }

    if !descriptors.contains(where: { $0.child == 0 }) {
      unsafe posix_spawn_file_actions_addopen(&actions, 0, command.input ?? "/dev/null", O_RDONLY, 0)
    }
    for descriptor in descriptors {
      unsafe posix_spawn_file_actions_adddup2(&actions, descriptor.own, descriptor.child)
    }

    var flags = Int32(POSIX_SPAWN_SETSIGMASK) | Int32(POSIX_SPAWN_SETSIGDEF)
    var none = sigset_t()
    unsafe sigemptyset(&none)
    unsafe posix_spawnattr_setsigmask(&attributes, &none)
    var all = sigset_t()
    unsafe sigfillset(&all)
    unsafe posix_spawnattr_setsigdefault(&attributes, &all)
    if ownGroup {
      flags |= Int32(POSIX_SPAWN_SETPGROUP)
      unsafe posix_spawnattr_setpgroup(&attributes, 0)
    }
    unsafe posix_spawnattr_setflags(&attributes, Int16(flags))

    var arguments = unsafe ([command.program] + command.arguments).map { unsafe strdup($0) } + [nil]
    defer { unsafe arguments.forEach { unsafe free($0) } }
    // Sorted, as the order of a dictionary is another one in every process, and the child's stack begins with these.
    let variables = (command.environment ?? ProcessInfo.processInfo.environment).sorted { $0.key < $1.key }
    var environment = unsafe variables.map { unsafe strdup("\($0.key)=\($0.value)") } + [nil]
    defer { unsafe environment.forEach { unsafe free($0) } }

    var identifier: pid_t = 0
    var code: Int32
    var tries = 0
    repeat {
      code = unsafe posix_spawnp(&identifier, command.program, &actions, &attributes, &arguments, &environment)
      tries += 1
    } while code == ETXTBSY && busy(tries)
    guard code == 0 else { throw SystemError("start \(command.program)", code: code) }
    self.identifier = identifier
  }

  /// Whether a busy program is tried again, after 20 ms: for 2 s in all, far longer than a child takes to become its
  /// program.
  static func pausesWhereBusy(tries: Int) -> Bool {
    guard tries <= 100 else { return false }
    usleep(20_000)
    return true
  }

  /// Whether the child has ended. It stays a zombie, so that its number can't be given to another process yet.
  var hasEnded: Bool {
    // Safe: the record is written for the duration of the call only, and its signal number is set or zero.
    var information = unsafe siginfo_t()
    let result = unsafe waitid(P_PID, id_t(identifier), &information, WEXITED | WNOHANG | WNOWAIT)
    return unsafe result == 0 && information.si_signo == SIGCHLD
  }

  /// Waits for the child's end and releases its number.
  ///
  /// - Returns: How it ended.
  func reap() -> ChildEnding {
    var status: Int32 = 0
    var result: pid_t
    repeat {
      // Safe: the status is written for the duration of the call only.
      result = unsafe waitpid(identifier, &status, 0)
    } while result < 0 && errno == EINTR
    precondition(result == identifier, "a child was waited for twice")
    return ChildEnding(status: status)
  }

  /// Ends everything in the child's process group at once.
  func killGroup() {
    _ = kill(-identifier, SIGKILL)
  }
}

/// How a child process ended.
enum ChildEnding: Hashable, Sendable, CustomStringConvertible {
  /// By itself, with an exit code.
  case exited(Int32)
  /// By a signal.
  case signalled(Int32)

  /// Decodes the status of `waitpid`.
  init(status: Int32) {
    let signal = status & 0x7f
    self = signal == 0 ? .exited((status >> 8) & 0xff) : .signalled(signal)
  }

  var description: String {
    switch self {
    case .exited(let code): "exited with code \(code)"
    case .signalled(let signal): "killed by \(SystemError.words(forSignal: signal))"
    }
  }
}
