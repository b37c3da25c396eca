// What a result file says about the machine and the build, so that results of unlike machines aren't compared.

import Foundation

/// The environment lines of a result file.
///
/// `machine_id`, `cpu_model`, `cpu_count`, `microcode`, `kernel` and `libc` decide whether times are alike. A field
/// that can't be read says `unavailable: reason`.
struct Fingerprint {
  /// Where the facts come from, so that tests can give others.
  struct Source {
    /// Text of a file of the system, or `nil` where it can't be read.
    var text: (_ path: String) -> String? = Files.text
    /// The first line that a program prints, or why there is none.
    var firstLine: (_ command: Command) -> Fact = Fingerprint.firstLine
    /// Bytes of a file, or `nil` where it can't be read.
    var bytes: (_ path: String) -> [UInt8]? = { try? Files.contents(of: $0) }
    /// Processors that this process may use.
    var processors: () -> Int = { ProcessInfo.processInfo.activeProcessorCount }
    /// Bytes of main memory.
    var memory: () -> UInt64 = { ProcessInfo.processInfo.physicalMemory }
    /// The moment of the run.
    var date: () -> Date = { Date() }
  }

  /// A value, or the reason why there is none.
  enum Fact: Hashable, CustomStringConvertible {
    /// The value, not empty.
    case known(String)
    /// Why it can't be had.
    case unavailable(String)

    /// The value, or the reason where there is none.
    init(_ value: String?, orElse reason: String) {
      self = value.flatMap { $0.isEmpty ? nil : .known($0) } ?? .unavailable(reason)
    }

    var description: String {
      switch self {
      case .known(let value): value
      case .unavailable(let reason): "unavailable: " + reason
      }
    }
  }

  private let source: Source

  /// - Parameter source: Where the facts come from.
  init(source: Source = Source()) {
    self.source = source
  }

  /// All fields, in the order of the file.
  ///
  /// - Parameters:
  ///   - folder: Folder whose commit was built.
  ///   - executables: Paths of the benchmark executables.
  ///   - options: What decides the plan of the run, as the command line would say it.
  ///   - allocator: What stands behind the allocation counts.
  func fields(
    folder: String, executables: [String], options: String, allocator: String
  ) -> [(name: String, value: String)] {
    let processor = source.text("/proc/cpuinfo")
    let noProcessor = processor == nil ? "/proc/cpuinfo cannot be read" : "/proc/cpuinfo doesn't say"
    func processorField(_ name: String) -> Fact {
      Fact(processor.flatMap { Self.field(name, in: $0) }, orElse: noProcessor)
    }
    let facts: [(String, Fact)] = [
      ("date", .known(source.date().formatted(.iso8601))),
      ("commit", source.firstLine(Command.git(["-C", folder, "rev-parse", "HEAD"]))),
      ("dirty", dirty(folder)),
      ("cpu_model", processorField("model name")),
      ("cpu_count", .known("\(source.processors())")),
      ("microcode", processorField("microcode")),
      ("memory_gib", .known(gibibytes(source.memory()))),
      ("kernel", Fact(SystemNames.kernel(), orElse: "uname failed")),
      ("libc", Fact(SystemNames.library(), orElse: "the C library doesn't tell its version")),
      ("toolchain", source.firstLine(Command(program: "swift", arguments: ["--version"]))),
      ("machine_id", machine()),
      ("hypervisor", hypervisor(processor)),
      ("executables", .known(executables.map(name).joined(separator: ";"))),
      ("executable_paths", .known(executables.map { Self.path($0, from: folder) }.joined(separator: ";"))),
      ("allocator", .known(allocator)),
      ("gauge_options", .known(options)),
    ]
    return facts.map { (name: $0.0, value: "\($0.1)") }
  }

  /// A value of `/proc/cpuinfo`, of the first processor that has it.
  static func field(_ name: String, in text: String) -> String? {
    for line in text.split(separator: "\n") {
      guard let colon = line.firstIndex(of: ":") else { continue }
      if line[..<colon].trimmingCharacters(in: .whitespaces) == name {
        return line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
      }
    }
    return nil
  }

  private func dirty(_ folder: String) -> Fact {
    switch source.firstLine(Command.git(["-C", folder, "status", "--porcelain"])) {
    case .known: .known("yes")
    case .unavailable(Self.silence): .known("no")
    case .unavailable(let reason): .unavailable(reason)
    }
  }

  /// A hash of the installation, its boot and its name: the same only while nothing of the machine has changed.
  private func machine() -> Fact {
    let parts = [
      source.text("/etc/machine-id"), source.text("/proc/sys/kernel/random/boot_id"), SystemNames.host(),
    ]
    guard parts[0] != nil || parts[1] != nil else {
      return .unavailable("neither /etc/machine-id nor /proc/sys/kernel/random/boot_id can be read")
    }
    let text = parts.map { $0?.trimmingCharacters(in: .whitespacesAndNewlines) ?? "" }.joined(separator: "\n")
    return .known(String(SHA256.hexadecimal(Array(text.utf8)).prefix(16)))
  }

  private func hypervisor(_ processor: String?) -> Fact {
    guard let flags = processor.flatMap({ Self.field("flags", in: $0) }) else {
      return .unavailable("/proc/cpuinfo doesn't list the processor's flags")
    }
    guard flags.split(separator: " ").contains("hypervisor") else { return .known("none") }
    let names = ["/sys/hypervisor/type", "/sys/class/dmi/id/sys_vendor"].lazy.compactMap(source.text)
    return .known(names.first.map { $0.trimmingCharacters(in: .whitespacesAndNewlines) } ?? "present, unnamed")
  }

  private func name(_ executable: String) -> String {
    let name = (executable as NSString).lastPathComponent
    return source.bytes(executable).map { "\(name)=\(Self.hash($0))" } ?? "\(name)=unreadable"
  }

  /// What tells an executable from another build of it.
  static func hash(_ bytes: [UInt8]) -> String { String(SHA256.hexadecimal(bytes).prefix(16)) }

  /// A path as the file says it: within the folder from there, so that it says nothing of the machine.
  private static func path(_ path: String, from folder: String) -> String {
    path.hasPrefix(folder + "/") ? String(path.dropFirst(folder.count + 1)) : path
  }

  private func gibibytes(_ bytes: UInt64) -> String {
    let tenths = (Double(bytes) / 1_073_741_824 * 10).rounded() / 10
    return "\(tenths)"
  }

  private static let silence = "printed nothing"

  /// The first line that a program prints when it ends with success.
  static func firstLine(_ command: Command) -> Fact {
    do throws(SystemError) {
      let run = try ProcessRun.capturing(command, reportOn: 1, limit: .seconds(30))
      func first(_ text: String) -> String? { text.split(separator: "\n").first.map(String.init) }
      guard run.succeeded else {
        return .unavailable("'\(command.line)' failed" + (first(run.output).map { ": " + $0 } ?? ""))
      }
      return Fact(first(run.report), orElse: silence)
    } catch {
      return .unavailable("\(error)")
    }
  }
}
