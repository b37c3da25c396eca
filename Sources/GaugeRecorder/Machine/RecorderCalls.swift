// The calls of the recorder in C, with Swift's types and errors.
// No test file: RecorderTests tests what these calls do.

import CRecorder

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The recorder in C.
enum RecorderCalls {
  static func start(_ path: String, _ configuration: Recorder.Configuration) throws(RecorderError) {
    var wanted = try words(configuration)
    var answer = recorder_answer()
    // SAFETY: both structures, and the path as a C string, outlive the call, which keeps none of them.
    unsafe recorder_start(path, &wanted, &answer)
    try check(answer, path)
  }

  static func stop() throws(RecorderError) -> Recorder.Recording {
    var answer = recorder_answer()
    // SAFETY: the structure outlives the call.
    unsafe recorder_stop(&answer)
    try check(answer, path(of: answer))
    return Recorder.Recording(
      path: path(of: answer), duration: .nanoseconds(Int64(answer.time)),
      processorTime: .nanoseconds(Int64(answer.process_time)), recorderTime: .nanoseconds(Int64(answer.own_time)),
      handlerTime: .nanoseconds(Int64(answer.handler_time)),
      sampledTime: .nanoseconds(Int64(answer.periods * answer.sample_period)),
      lostTime: .nanoseconds(Int64(answer.lost * answer.sample_period)), looks: Int(answer.looks),
      waits: Int(answer.waits), threadsLeftOut: Int(answer.left_out), wasFull: answer.was_full != 0)
  }

  static func dump(_ path: String) throws(RecorderError) -> String {
    var answer = recorder_answer()
    // SAFETY: as in `start`.
    unsafe recorder_dump(path, &answer)
    try check(answer, path)
    return self.path(of: answer)
  }

  /// Signals that can't be handled, that say that a thread can't go on, or that samples come by; and what isn't one.
  private static func isUnfit(_ signal: Int32) -> Bool {
    [SIGKILL, SIGSTOP, SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGSYS, SIGABRT, SIGPROF].contains(signal)
      || !(1...31 ~= signal || 34...64 ~= signal)
  }

  static func arm(_ signal: Int32, _ folder: String, _ configuration: Recorder.Configuration) throws(RecorderError) {
    if isUnfit(signal) {
      throw RecorderError(
        .wrongConfiguration, "signal \(signal) can't start a recording: give SIGUSR1, SIGUSR2 or another that is free")
    }
    var wanted = try words(configuration)
    var answer = recorder_answer()
    // SAFETY: as in `start`.
    unsafe recorder_arm(signal, folder, &wanted, &answer)
    try check(answer, folder, signal: signal)
  }

  static func disarm() throws(RecorderError) {
    var answer = recorder_answer()
    // SAFETY: the structure outlives the call.
    unsafe recorder_disarm(&answer)
    guard answer.status != Int32(recorder_is_off.rawValue) else {
      throw RecorderError(.off, "no signal has been given: call recordOnSignal first")
    }
    try check(answer, "")
  }

  static var isRecording: Bool { recorder_records() != 0 }

  static var processIdentifier: Int32 { getpid() }

  static let userSignals = (first: SIGUSR1, second: SIGUSR2)

  /// A variable of the environment; `nil` also in a program that was started with more rights than its user has.
  static func environment(_ name: String) -> String? {
    // SAFETY: the name is bridged to a C string that outlives the call, and the text is copied at once.
    unsafe recorder_environment(name).map { unsafe String(cString: $0) }
  }

  /// Last part of the path of the executable.
  static var programName: String {
    CommandLine.arguments.first?.split(separator: "/").last.map(String.init) ?? "program"
  }

  private static func words(_ configuration: Recorder.Configuration) throws(RecorderError) -> recorder_configuration {
    func number(_ value: Int, _ range: ClosedRange<Int>, _ name: String) throws(RecorderError) -> Int {
      guard range ~= value else {
        throw RecorderError(
          .wrongConfiguration, "\(name) is \(value): give a number from \(range.lowerBound) to \(range.upperBound)")
      }
      return value
    }
    return recorder_configuration(
      samples: UInt32(try number(configuration.samplesPerSecond, 0...1000, "samplesPerSecond")),
      looks: UInt32(try number(configuration.looksPerSecond, 0...100, "looksPerSecond")),
      largest: UInt64(try number(configuration.largestFile, 1 << 16...Recorder.Configuration.mostBytes, "largestFile")),
      heap_stacks: configuration.recordsHeapStacks ? 1 : 0)
  }

  private static func path(of answer: recorder_answer) -> String {
    unsafe withUnsafeBytes(of: answer.path) { bytes in
      // SAFETY: the bytes are the structure's own, and are read within the closure.
      unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
  }

  private static func check(_ answer: recorder_answer, _ path: String, signal: Int32 = SIGPROF) throws(RecorderError) {
    // SAFETY: the text that belongs to the number is copied at once.
    let words = unsafe String(cString: strerror(answer.error))
    switch answer.status {
    case Int32(recorder_done.rawValue): return
    case Int32(recorder_is_on.rawValue):
      throw RecorderError(
        .alreadyOn,
        answer.error == 0
          ? "a recording is under way: stop it first" : "signal \(answer.error) has been given: call ignoreSignal first"
      )
    case Int32(recorder_is_off.rawValue): throw RecorderError(.off, "no recording is under way: start one first")
    case Int32(recorder_signal_taken.rawValue):
      throw RecorderError(
        .signalTaken,
        signal == SIGPROF
          ? "SIGPROF has a handler of the program's, or of a profiler: take that away, or set samplesPerSecond to 0"
          : "signal \(signal) has a handler of the program's: give another one")
    case Int32(recorder_no_file.rawValue):
      throw RecorderError(.cannotWrite, "\(path): a device, pipe or socket is there: give the path of a file")
    case Int32(recorder_cannot_write.rawValue):
      throw RecorderError(.cannotWrite, "\(path): \(words): give a file or folder that this process may write")
    case Int32(recorder_refused.rawValue):
      throw RecorderError(
        .refused,
        "the system has refused a thread, memory, /proc/self/task or the signal: \(words): see the system's limits")
    default:
      throw RecorderError(.unsupported, "there is no recorder for this system: it needs Linux on x86-64 or AArch64")
    }
  }
}
