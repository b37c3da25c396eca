// The environment of a result file, from given facts and from this machine.

import Foundation
import Testing

@testable import GaugeRunner

@Suite struct FingerprintTests {
  static let processor = """
    processor\t: 0
    model name\t: Example CPU  9000
    microcode\t: 0x1f
    flags\t\t: fpu vme hypervisor avx

    processor\t: 1
    model name\t: Other
    """

  func source(_ files: [String: String], _ lines: [String: Fingerprint.Fact] = [:]) -> Fingerprint.Source {
    Fingerprint.Source(
      text: { files[$0] }, firstLine: { lines[$0.arguments.last ?? ""] ?? .unavailable("'\($0.line)' failed") },
      bytes: { files[$0].map { Array($0.utf8) } }, processors: { 6 }, memory: { 16_500_000_000 },
      date: { Date(timeIntervalSince1970: 1_700_000_000) })
  }

  func fields(_ source: Fingerprint.Source, executables: [String] = []) -> [String: String] {
    let fields = Fingerprint(source: source).fields(
      folder: "/package", executables: executables, options: "--quick", allocator: "jemalloc")
    return Dictionary(uniqueKeysWithValues: fields.map { ($0.name, $0.value) })
  }

  @Test func `facts become fields`() {
    let files = [
      "/proc/cpuinfo": Self.processor, "/etc/machine-id": "m\n", "/proc/sys/kernel/random/boot_id": "b\n",
      "/sys/class/dmi/id/sys_vendor": "QEMU\n", "/bin/a": "abc",
    ]
    let fields = fields(
      source(files, ["HEAD": .known("c0ffee"), "--porcelain": .known(" M a"), "--version": .known("Swift 6")]),
      executables: ["/bin/a", "/package/.gauge/b"])
    #expect(fields["date"] == "2023-11-14T22:13:20Z")
    #expect(fields["commit"] == "c0ffee")
    #expect(fields["dirty"] == "yes")
    #expect(fields["cpu_model"] == "Example CPU  9000")
    #expect(fields["cpu_count"] == "6")
    #expect(fields["microcode"] == "0x1f")
    #expect(fields["memory_gib"] == "15.4")
    #expect(fields["toolchain"] == "Swift 6")
    #expect(fields["hypervisor"] == "QEMU")
    #expect(fields["executables"] == "a=ba7816bf8f01cfea;b=unreadable")
    #expect(fields["executable_paths"] == "/bin/a;.gauge/b")
    #expect(fields["allocator"] == "jemalloc")
    #expect(fields["gauge_options"] == "--quick")
    #expect(fields["machine_id"]?.count == 16)
  }

  @Test func `what can't be read says why`() {
    let fields = fields(source([:]))
    #expect(fields["commit"] == "unavailable: 'git -C /package rev-parse HEAD' failed")
    #expect(fields["dirty"] == "unavailable: 'git -C /package status --porcelain' failed")
    #expect(fields["cpu_model"] == "unavailable: /proc/cpuinfo cannot be read")
    #expect(
      fields["machine_id"]
        == "unavailable: neither /etc/machine-id nor /proc/sys/kernel/random/boot_id can be read")
    #expect(fields["hypervisor"] == "unavailable: /proc/cpuinfo doesn't list the processor's flags")
  }

  @Test func `the machine changes with its boot`() {
    let first = fields(source(["/etc/machine-id": "m", "/proc/sys/kernel/random/boot_id": "1"]))
    let again = fields(source(["/etc/machine-id": "m", "/proc/sys/kernel/random/boot_id": "1"]))
    let second = fields(source(["/etc/machine-id": "m", "/proc/sys/kernel/random/boot_id": "2"]))
    #expect(first["machine_id"] == again["machine_id"])
    #expect(first["machine_id"] != second["machine_id"])
  }

  @Test func `a machine without a hypervisor says none`() {
    #expect(fields(source(["/proc/cpuinfo": "flags : fpu avx"]))["hypervisor"] == "none")
    #expect(fields(source(["/proc/cpuinfo": "flags : hypervisor"]))["hypervisor"] == "present, unnamed")
  }

  @Test func `a clean repository is not dirty, one with a change is`() throws {
    let folder = try TemporaryFolder()
    let git = ["-C", folder.path, "-c", "user.name=a", "-c", "user.email=a@b"]
    for arguments in [["init", "-q"], ["commit", "-q", "--allow-empty", "-m", "first"]] {
      let run = try ProcessRun.capturing(Command(program: "git", arguments: git + arguments))
      #expect(run.succeeded, "\(run.output)")
    }
    func field(_ name: String) -> String? {
      Fingerprint().fields(folder: folder.path, executables: [], options: "", allocator: "")
        .first { $0.name == name }?.value
    }
    #expect(field("dirty") == "no")
    #expect(field("commit")?.count == 40)
    try folder.write("", to: "new")
    #expect(field("dirty") == "yes")
  }

  @Test func `a folder outside any repository has no commit`() throws {
    let folder = try TemporaryFolder()
    let command = Command(program: "git", arguments: ["-C", folder.path, "rev-parse", "HEAD"])
    guard case .unavailable(let reason) = Fingerprint.firstLine(command) else {
      Issue.record("a commit was found")
      return
    }
    #expect(reason.hasPrefix("'\(command.line)' failed: fatal: not a git repository"))
    #expect(
      Fingerprint.firstLine(Command(program: "/nowhere/tool"))
        == .unavailable("cannot start /nowhere/tool: No such file or directory"))
  }
}
