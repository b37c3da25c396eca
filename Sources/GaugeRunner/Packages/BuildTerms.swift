// What an executable that was built before asks of the machine, the toolchain and the runner that start it now.

import Gauge

/// Conditions that a build was made under, and that have to hold where it is measured.
struct BuildTerms: Hashable, Codable {
  /// First line of what a launch reports: the protocol and its version.
  var launchProtocol: String
  /// The processor's architecture, such as `x86_64`.
  var architecture: String
  /// Extensions of the processor's instructions, sorted.
  var features: [String]
  /// The toolchain whose runtime the executables share; `nil` where they bring their own.
  var sharedRuntime: String?

  /// The terms of this machine.
  ///
  /// - Parameters:
  ///   - executables: Executables that may need the toolchain's runtime.
  ///   - toolchain: What the toolchain calls itself.
  ///   - source: Where facts about the machine come from.
  init(
    of executables: [String], toolchain: () -> String, source: Fingerprint.Source = Fingerprint.Source()
  ) {
    launchProtocol = LaunchReport.header.split(separator: "\t").joined(separator: " ")
    architecture = Self.architecture
    features = Self.features(in: source.text("/proc/cpuinfo") ?? "")
    let shares = executables.contains { path in
      let elf = (try? Files.contents(of: path)).flatMap { ElfFile($0) }
      return elf?.neededLibraries.contains { $0.hasPrefix("libswiftCore") } ?? false
    }
    sharedRuntime = shares ? toolchain() : nil
  }

  #if arch(arm64)
    private static let architecture = "arm64"
  #else
    private static let architecture = "x86_64"
  #endif

  /// Why a build of these terms can't be measured under others; empty where it can.
  ///
  /// - Parameters:
  ///   - here: The terms of this machine and runner.
  ///   - toolchain: What the toolchain here calls itself.
  func refusals(here: BuildTerms, toolchain: () -> String) -> [String] {
    var reasons: [String] = []
    if launchProtocol != here.launchProtocol {
      reasons.append("its launches speak '\(launchProtocol)', this gauge '\(here.launchProtocol)'")
    }
    if architecture != here.architecture {
      reasons.append("it is a build for \(architecture), this machine is \(here.architecture)")
    } else {
      let missing = features.filter { !here.features.contains($0) }
      if !missing.isEmpty {
        reasons.append(
          "this processor lacks what the one that it was built on has: " + missing.joined(separator: ", "))
      }
    }
    if let sharedRuntime, case let present = toolchain(), present != sharedRuntime {
      reasons.append("it shares the runtime of '\(sharedRuntime)', here is '\(present)'")
    }
    return reasons
  }

  /// The extensions that a compiler may use, in the text of `/proc/cpuinfo`: the other flags are the system's.
  static func features(in text: String) -> [String] {
    guard let flags = Fingerprint.field("flags", in: text) ?? Fingerprint.field("Features", in: text) else { return [] }
    return Set(
      flags.split(separator: " ").map(String.init).filter { flag in
        known.contains(flag) || families.contains { flag.hasPrefix($0) }
      }
    ).sorted()
  }

  private static let families = ["sse", "ssse", "avx", "amx", "bmi", "sve", "sme", "asimd", "sha"]
  private static let known: Set = [
    "pni", "cx16", "popcnt", "movbe", "f16c", "fma", "fma4", "abm", "adx", "aes", "vaes", "pclmulqdq", "vpclmulqdq",
    "gfni", "rdrand", "rdseed", "xsave", "lahf_lm", "atomics", "crc32", "pmull", "fphp", "jscvt", "fcma", "lrcpc",
    "ilrcpc",
    "uscat", "i8mm", "bf16",
  ]
}
