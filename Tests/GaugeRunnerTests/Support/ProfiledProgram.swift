// The program that tests of symbols look into.

import Foundation
import Gauge
import HostileFiles

@testable import GaugeRunner

extension WrittenStacks {
  /// What the stacks are of.
  var source: SampleFile.Source {
    get { SampleFile.Source(rawValue: sourceNumber)! }
    set { sourceNumber = newValue.rawValue }
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
