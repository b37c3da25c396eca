// Why a command ends early: a message for people and an exit code for scripts.

/// A command that can't go on.
struct CommandFailure: Error, Hashable {
  /// The exit code of `gauge`.
  var code: ExitCode
  /// What is wrong, without the program's name in front.
  var message: String
  /// What to do about it, on lines of its own; may be empty.
  var advice: String = ""

  /// A wrong command line.
  ///
  /// - Parameters:
  ///   - message: What is wrong.
  ///   - name: A word that nobody knows, if that is what is wrong.
  ///   - known: Words that are known, to suggest the nearest of.
  static func usage(_ message: String, unknown name: String = "", known: [String] = []) -> CommandFailure {
    let nearest = Suggestion.nearest(to: name, among: known)
    return CommandFailure(code: .usage, message: message, advice: nearest.map { "Did you mean '\($0)'?" } ?? "")
  }

  /// A failure of a result file.
  init(_ failure: ResultFile.Failure) {
    message = "\(failure)"
    code =
      switch failure {
      case .missing: .missingFile
      case .unreadable, .malformed: .badFile
      case .unwritable: .cannotWrite
      }
  }

  /// A failure of a package. What can't be built or listed can't be measured: the benchmarks are broken.
  init(_ failure: PackageFailure) {
    message = "\(failure)"
    code =
      switch failure {
      case .noPackage, .noPackageYet, .noBenchmarks, .missingExecutable: .missingFile
      case .foreign: .badFile
      case .noDependency: .usage
      case .noCommit, .toolFailed, .buildFailed, .unlistable, .ambiguous: .broke
      }
  }

  /// A failure of run fixtures.
  init(_ failure: RunFixtures.Failure) {
    switch failure {
    case .unwritable(let reason): self.init(code: .cannotWrite, message: reason)
    case .broke(let reason): self.init(code: .broke, message: reason, advice: "Nothing was measured.")
    }
  }

  /// A failure of kept builds.
  init(_ failure: KeptBuilds.Failure) {
    switch failure {
    case .damaged(let path, let reason):
      self.init(code: .badFile, message: "\(path): \(reason)", advice: "Save the baseline again.")
    case .unwritable(let path, let reason): self.init(code: .cannotWrite, message: "\(path): \(reason)")
    case .full(let needed, let taken, let limit):
      let names = taken.map { "\($0.name) (\(Self.megabytes($0.size)))" }
      self.init(
        code: .cannotWrite,
        message: "the kept executables would take \(Self.megabytes(needed)), the limit is \(Self.megabytes(limit))",
        advice: (names.isEmpty
          ? "" : "Baselines refer to: \(names.joined(separator: ", ")). 'gauge baseline remove NAME' makes room. ")
          + "--space MEGABYTES sets another limit.")
    }
  }

  /// Why live streams can't be shown.
  init(_ failure: LiveProcess.Failure) {
    switch failure {
    case .noProcess(let number):
      self.init(
        code: .missingFile, message: "there is no process \(number)",
        advice: "'pgrep -a NAME' tells the numbers of a program's processes.")
    case .foreign(let name):
      self.init(
        code: .missingFile, message: "\(name) belongs to another user, whose streams are not yours to see",
        advice: "Ask as that user, or as root.")
    case .notServing(let number, let places):
      self.init(
        code: .missingFile, message: "process \(number) does not serve its streams",
        advice: """
          Build it with WeirExtras and the trait Inspection of the package weir, and start it with WEIR_INSPECT=serve; \
          or have it call WeirInspector.serve().
          It serves from its first subscription on. Looked at: \(places.joined(separator: ", ")).
          A socket elsewhere can be given in place of the number.
          """)
    case .noServer(let path, let reason):
      self.init(
        code: .missingFile, message: "nobody answers at \(path): \(reason)",
        advice: "A process is given by its number. One that was killed has left a socket at which nobody answers.")
    case .unlike(let path, let reason):
      self.init(
        code: .badFile, message: "\(path): \(reason)",
        advice: "Use the gauge of the version of the package weir that the program is built with.")
    case .busy(let name):
      self.init(
        code: .missingFile, message: "\(name) answers too many others: it serves sixteen connections at a time",
        advice: "End some of them: 'ss -xp' tells whose they are.")
    case .silent(let name):
      self.init(
        code: .missingFile, message: "\(name) does not answer",
        advice: "Has it been stopped, as in a debugger? It serves sixteen connections at a time: 'ss -xp' tells them.")
    case .noStream(let number):
      self.init(
        code: .missingFile, message: "there is no stream \(number) any more",
        advice: "'gauge top --once PID' tells the numbers.")
    case .ended(let name): self.init(code: .missingFile, message: "\(name) has ended")
    case .interrupted: self.init(code: .broke, message: "interrupted")
    }
  }

  /// Bytes as people read them, whole megabytes rounded up.
  static func megabytes(_ bytes: Int) -> String { "\((bytes + 1_048_575) / 1_048_576) MB" }

  /// Any failure.
  init(code: ExitCode, message: String, advice: String = "") {
    self.code = code
    self.message = message
    self.advice = advice
  }
}
