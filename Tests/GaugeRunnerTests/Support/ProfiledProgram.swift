// Files of stacks that tests write word by word, and the program that tests of symbols look into.

import Foundation
import Gauge

@testable import GaugeRunner

/// A file of stacks.
struct WrittenStacks {
  var machine: UInt64 = 62
  var source = SampleFile.Source.events
  var root: (frame: UInt64, thread: UInt64) = (0, 0)
  var map = ""
  var types = ""
  var cpuTime: UInt64 = 0
  var records: [[UInt64]] = []

  /// Adds a stack.
  ///
  /// - Parameters:
  ///   - stack: Its memory, from `base` on.
  ///   - chains: Frame pointers and the callers behind them.
  mutating func add(
    _ weights: [UInt64], code: UInt64, frame: UInt64, pointer: UInt64, base: UInt64, stack: [UInt64],
    thread: UInt64 = 7,
    type: UInt64 = 0, chains: [(frame: UInt64, callers: [UInt64])] = []
  ) {
    var registers = [UInt64](repeating: 0, count: 17)
    registers[6] = frame
    registers[7] = pointer
    registers[16] = code
    var record: [UInt64] = [thread, type, UInt64(weights.count)] + weights
    record += [17] + registers + [base, UInt64(stack.count)] + stack + [UInt64(chains.count)]
    for chain in chains { record += [chain.frame, UInt64(chain.callers.count)] + chain.callers }
    records.append([UInt64(record.count + 1)] + record)
  }

  /// The file.
  var bytes: [UInt8] {
    var head = [UInt64](repeating: 0, count: 16)
    head[0] = 0x504d_4153_4547_5547
    head[1] = 1
    head[2] = machine
    head[3] = source.rawValue
    head[4] = 1_000_000
    head[6] = root.frame
    head[7] = root.thread
    head[11] = cpuTime
    head[12] = UInt64(map.utf8.count)
    head[13] = UInt64(types.utf8.count)
    let body = records.flatMap { $0 }
    return Self.bytes(head) + Self.padded(map) + Self.padded(types) + Self.bytes([UInt64(body.count)] + body)
  }

  private static func bytes(_ words: [UInt64]) -> [UInt8] {
    words.flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) } }
  }

  private static func padded(_ text: String) -> [UInt8] {
    let bytes = Array(text.utf8)
    return bytes + [UInt8](repeating: 0, count: (8 - bytes.count % 8) % 8)
  }
}

/// The instrument's own benchmarks, built beside the tests.
enum ProfiledProgram {
  static let path = (GaugeExecutableTests.gauge as NSString).deletingLastPathComponent + "/GaugeBenchmarks"
  static var object: LoadedObject? { LoadedObject(path: path) }

  /// The address of a function of its own.
  static func address(of symbol: String) -> UInt64? {
    guard let elf = object?.elf else { return nil }
    return elf.functions().symbols.first { elf.file.text(at: $0.nameOffset) == symbol }?.address
  }

  /// A launch of it.
  static func launch(
    _ benchmark: String, _ parameters: String = "", _ kind: LaunchRequest.Profile.Kind, in folder: TemporaryFolder,
    executable: String = path, environment: [String: String] = [:]
  ) -> ProfileLaunch {
    ProfileLaunch(
      point: BenchmarkPoint(executable: executable, benchmark: benchmark, parameters: parameters, passes: []),
      kind: kind, rate: 5000, budget: 50, libraries: CountingLibraries(beside: path, cache: ""),
      environment: ["PATH": "/usr/bin:/bin"].merging(environment) { $1 }, file: folder("stacks"))
  }

  /// Runs a launch of it.
  static func record(
    _ benchmark: String, _ parameters: String = "", _ kind: LaunchRequest.Profile.Kind, executable: String = path,
    environment: [String: String] = [:], lines: SourceLines? = nil
  ) throws -> (stacks: StackProfiles, launch: ProfileLaunch.Outcome) {
    let folder = try TemporaryFolder()
    let outcome = launch(benchmark, parameters, kind, in: folder, executable: executable, environment: environment).run(
      Symboliser(lines: lines, scratch: folder("addresses")))
    guard case .recorded(let stacks, _) = outcome else { throw Unrecorded(outcome: "\(outcome)") }
    return (stacks, outcome)
  }

  struct Unrecorded: Error { var outcome: String }
}
