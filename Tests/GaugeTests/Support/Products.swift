// What else the build made, for tests that need a process of its own.

import Foundation

@testable import Gauge

/// The folder of the test executable, where the other products of the build are as well.
enum Products {
  static let folder = URL(fileURLWithPath: System.executablePath()).deletingLastPathComponent()
  static let hooks = folder.appendingPathComponent("libGaugeHooks.so").path
  static let benchmarks = folder.appendingPathComponent("GaugeBenchmarks").path

  /// Whether the tests are built with a sanitizer, which has an allocator of its own.
  static let areSanitized = dlsym(nil, "__asan_init") != nil || dlsym(nil, "__tsan_init") != nil

  /// libjemalloc where it is installed.
  static let jemalloc = ["/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib64", "/usr/lib"]
    .map { $0 + "/libjemalloc.so.2" }.first { FileManager.default.fileExists(atPath: $0) }

  /// Runs a launch of the instrument's own benchmarks in a process of its own.
  ///
  /// - Returns: Its report, and its exit code.
  static func launch(
    _ benchmark: String, _ parameters: String = "", pass: LaunchRequest.Pass, budget: Int = 1, preload: [String] = [],
    environment: [String: String] = [:], profile: LaunchRequest.Profile? = nil
  ) throws -> (report: LaunchReport, code: Int32) {
    let request = LaunchRequest(
      benchmark: benchmark, parameters: parameters, pass: pass, budget: budget, reportDescriptor: 1,
      profile: profile)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: benchmarks)
    process.arguments = request.arguments
    var variables = ProcessInfo.processInfo.environment
    variables["LD_PRELOAD"] = preload.isEmpty ? nil : preload.joined(separator: ":")
    variables.merge(environment) { $1 }
    process.environment = variables
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return (try LaunchReport(text: String(decoding: output, as: UTF8.self)), process.terminationStatus)
  }

  /// What a program prints on standard output and standard error, together.
  static func output(of program: String, _ arguments: [String]) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return String(decoding: output, as: UTF8.self)
  }
}
