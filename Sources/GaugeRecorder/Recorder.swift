// The recorder of a running program: what its threads do and what they wait for, into a file that `gauge profile
// --read` shows.

/// Records what the threads of this process do and what they wait for, while it runs.
///
/// A recording is a file: samples of every thread's CPU time with their call stacks, where each thread waits and since
/// when, and what each has run in all. `gauge profile --read FILE` shows it, as a table, a flame graph, for pprof, ...
///
/// The file is written by a thread of its own, which takes no lock of the program's and allocates nothing, so that it
/// is written also where all other threads hang. Nothing is there before the first call of a function below: neither
/// thread nor handler nor timer. After the first one the thread stays, asleep unless it records.
///
/// All functions may be called by any thread at any time, except in a handler of signals. Each waits for the recorder's
/// thread alone, for as long as that needs to write to the file.
public enum Recorder {
  /// Starts a recording.
  ///
  /// Threads that run are interrupted by `SIGPROF`, at most `Configuration.samplesPerSecond` times in a second of their
  /// CPU time; a thread that waits never is.
  ///
  /// - Parameters:
  ///   - path: The file, from the working folder of this moment on. One that exists is replaced by a new one once the
  ///     recording is under way, with what an earlier one has left beside it (`.heap`), and is left as it is where an
  ///     error is thrown. Its folder must be writable.
  ///   - configuration: What to record.
  /// - Throws: `RecorderError`, for one if a recording is under way.
  public static func start(into path: String, _ configuration: Configuration = Configuration()) throws(RecorderError) {
    try RecorderCalls.start(try checked(path), configuration)
  }

  /// Stops the recording, whoever has started it.
  ///
  /// - Returns: What it has come to; once also of one that has stopped already, because its file was full or by the
  ///   signal of `recordOnSignal`.
  /// - Throws: `RecorderError` if there is none, or where its file could not be written to the end.
  @discardableResult
  public static func stop() throws(RecorderError) -> Recording { try RecorderCalls.stop() }

  /// Has a file tell what each thread waits for now. No thread is interrupted for that.
  ///
  /// - Parameter path: The file to write, unless a recording is under way: then that is written up to this moment, and
  ///   goes on.
  /// - Returns: The path of the file that tells it.
  /// - Throws: `RecorderError` where that can't be written.
  @discardableResult
  public static func dump(to path: String) throws(RecorderError) -> String {
    try RecorderCalls.dump(try checked(path))
  }

  /// From now on a signal starts a recording, and the next one stops it.
  ///
  /// The signal is answered by the recorder's thread, whatever the others do. The system delivers it to one of those,
  /// whose system call may end with `EINTR` for it, as for any signal. The files are called
  /// `PROGRAM-PROCESS-NUMBER.gauge`. Where a recording can't be started then, or not be written to the end, a line on
  /// the standard error says why, once.
  ///
  /// - Parameters:
  ///   - signal: Number of the signal, such as that of `SIGUSR2`. The program must have no handler for it.
  ///   - folder: Where the files go, from the working folder of this moment on.
  ///   - configuration: What to record.
  /// - Throws: `RecorderError` where the signal is in use or the folder can't be written to.
  public static func recordOnSignal(
    _ signal: Int32, into folder: String, _ configuration: Configuration = Configuration()
  ) throws(RecorderError) {
    try RecorderCalls.arm(signal, try checked(folder), configuration)
  }

  /// Gives the signal of `recordOnSignal` back. A recording that is under way goes on.
  ///
  /// - Throws: `RecorderError` if none was given.
  public static func ignoreSignal() throws(RecorderError) { try RecorderCalls.disarm() }

  /// Does what the variable `GAUGE_RECORD` of the environment says, and nothing where it isn't set.
  ///
  /// `GAUGE_RECORD=FOLDER` starts a recording now, which is stopped when the program ends. `GAUGE_RECORD=USR2:FOLDER`
  /// is `recordOnSignal`, with `USR1` or `USR2`. What has a slash before its first colon is a folder. The variable
  /// counts as not set in a program that the system has started with more rights than its user has, such as one with
  /// the set-user-ID bit.
  ///
  /// - Parameter configuration: What to record.
  /// - Returns: Whether the variable is set.
  /// - Throws: `RecorderError`, with the variable in its description where that says something else.
  @discardableResult
  public static func followEnvironment(_ configuration: Configuration = Configuration()) throws(RecorderError) -> Bool {
    guard let value = RecorderCalls.environment("GAUGE_RECORD"), !value.isEmpty else { return false }
    switch EnvironmentRequest(value) {
    case .start(let folder):
      let name = RecorderCalls.programName
      try start(into: "\(folder)/\(name)-\(RecorderCalls.processIdentifier)-0.gauge", configuration)
    case .onSignal(let signal, let folder): try recordOnSignal(signal, into: folder, configuration)
    case nil:
      throw RecorderError(
        .wrongEnvironment,
        "GAUGE_RECORD is '\(value)': write a folder (with a colon in its name: ./ before it), or USR1: or USR2: and a "
          + "folder, such as USR2:/var/tmp")
    }
    return true
  }

  /// Whether a recording is under way in this process. One that was forked from another has none.
  public static var isRecording: Bool { RecorderCalls.isRecording }

  private static func checked(_ path: String) throws(RecorderError) -> String {
    guard !path.isEmpty, !path.utf8.contains(0), path.utf8.count < longestPath else {
      throw RecorderError(.cannotWrite, "'\(path)' is no path of less than \(longestPath) bytes: give a shorter one")
    }
    return path
  }

  /// Bytes that a path has less than.
  static let longestPath = 800

  /// What the variable of the environment says.
  enum EnvironmentRequest: Equatable {
    case start(folder: String)
    case onSignal(Int32, folder: String)

    /// Reads the variable; `nil` for something else.
    init?(_ value: String) {
      guard let colon = value.firstIndex(of: ":"), !value[..<colon].contains("/") else {
        // A signal whose folder was forgotten is none.
        if ["USR1", "SIGUSR1", "USR2", "SIGUSR2"].contains(value) { return nil }
        self = .start(folder: value)
        return
      }
      let folder = String(value[value.index(after: colon)...])
      guard !folder.isEmpty else { return nil }
      switch value[..<colon] {
      case "USR1", "SIGUSR1": self = .onSignal(RecorderCalls.userSignals.first, folder: folder)
      case "USR2", "SIGUSR2": self = .onSignal(RecorderCalls.userSignals.second, folder: folder)
      default: return nil
      }
    }
  }
}
