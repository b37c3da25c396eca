// Launches that record stacks: what they are asked, and what becomes of those that record nothing.

import Gauge
import Testing

@testable import GaugeRunner

@Suite struct ProfileLaunchTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func run(_ script: String, kind: LaunchRequest.Profile.Kind = .cpu) throws -> ProfileLaunch.Outcome {
    let executable = try folder.script("printf 'gauge-launch\\t1\\n' >&3\n" + script)
    return ProfiledProgram.launch("a", "n=1", kind, in: folder, executable: executable).run(
      Symboliser(lines: nil, scratch: folder("addresses")))
  }

  private static let told = #"printf 'metric\tprofiled_operations\t1\tneither\tsampled\t10\t3\t10\ndone\n' >&3"#

  @Test func `calls are recorded with the counting libraries alone`() {
    var launch = ProfiledProgram.launch("a", "", .cpu, in: folder)
    launch.libraries?.hooks = "/hooks"
    launch.libraries?.jemalloc = "/jemalloc"
    #expect(launch.command.environment?["LD_PRELOAD"] == nil)
    #expect(launch.command.arguments.suffix(6) == ["--kind", "cpu", "--rate", "5000", "--file", folder("stacks")])
    launch.kind = .allocations
    #expect(launch.command.environment?["LD_PRELOAD"] == "/hooks:/jemalloc")
    launch.kind = .references
    #expect(launch.command.environment?["LD_PRELOAD"] == "/hooks")
    #expect(launch.command.environment?["SWIFT_DETERMINISTIC_HASHING"] == "1")
    #expect(launch.command.environment?["GAUGE_HOOKS_WAITS"] == nil)
    launch.kind = .waits
    #expect(launch.command.environment?["LD_PRELOAD"] == "/hooks")
    #expect(launch.command.environment?["GAUGE_HOOKS_WAITS"] == "1")
  }

  @Test func `each way to record nothing has its reason`() throws {
    let unavailable = #"printf 'unavailable\tprofiled_operations\t1\tneither\tsampled\twhy\ndone\n' >&3"#
    #expect("\(try run(unavailable))" == #"unavailable("why")"#)
    #expect("\(try run(#"printf 'skipped\tnot today\n' >&3"#))" == #"skipped("not today")"#)
    #expect(
      "\(try run("echo oops >&2; kill -ILL $$"))"
        == #"broken(reason: "killed by signal 4 (Illegal instruction)", output: "oops")"#)
    let other = #"printf 'metric\ttime\tns/op\tlower\tsampled\t1\t1\t1\ndone\n' >&3"#
    #expect("\(try run(other))" == #"broken(reason: "said nothing about its stacks", output: "")"#)
  }

  @Test func `a file that is missing or damaged is told, and none is left`() throws {
    #expect("\(try run(Self.told))".contains("No such file"))
    #expect("\(try run("echo hello > '\(folder("stacks"))'\n" + Self.told))".contains("the file breaks off"))
    #expect(Files.stamp(of: folder("stacks")) == nil)
  }
}
