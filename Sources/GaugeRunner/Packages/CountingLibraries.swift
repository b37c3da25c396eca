// The libraries that counting launches are started with: the hooks, and jemalloc behind them where the machine has it.

import Foundation

/// What is preloaded into a counting launch.
struct CountingLibraries: Hashable, Sendable {
  /// Path of the hooks, which count; `nil` where they weren't built, so that nothing can be counted.
  var hooks: String?
  /// Path of jemalloc, which serves the allocations that the hooks count; `nil` leaves that to the C library.
  var jemalloc: String?
  /// Paths of libraries that every launch has, which may serve the allocations instead.
  var preloads: [String] = []

  /// The environment of a counting launch.
  ///
  /// - Parameter environment: The environment of every other launch.
  func environment(from environment: [String: String]) -> [String: String] {
    guard let hooks else { return environment }
    // A colon or a space in a path would end it, and nothing can quote them;
    // the launch then says that hooks are missing.
    let paths = [hooks, jemalloc, environment["LD_PRELOAD"]].compactMap { $0 }.filter { !$0.isEmpty }
    return environment.merging(["LD_PRELOAD": paths.joined(separator: ":")]) { $1 }
  }

  /// What stands behind the counts, in words for the result file.
  var description: String {
    guard hooks != nil else { return "unavailable: \(Self.hooksName) is not beside the benchmark executables" }
    if !preloads.isEmpty {
      return "hooks over " + preloads.map { "\(($0 as NSString).lastPathComponent) (\($0))" }.joined(separator: ", ")
    }
    return jemalloc.map { "hooks over jemalloc (\($0))" } ?? "hooks over the C library's allocator"
  }

  /// Name of the product, and of the target, that the hooks are built from.
  static let hooksProduct = "GaugeHooks"
  /// File name of the hooks.
  static let hooksName = "lib\(hooksProduct).so"
  /// File name of jemalloc.
  static let jemallocName = "libjemalloc.so.2"

  /// Looks for the libraries.
  ///
  /// - Parameters:
  ///   - executable: A benchmark executable, which the hooks lie beside.
  ///   - cache: What `ldconfig -p` prints.
  ///   - exists: Whether there is a file at a path.
  init(
    beside executable: String, cache: String = Self.linkerCache(),
    exists: (String) -> Bool = { Files.stamp(of: $0) != nil }
  ) {
    let hooks = Files.folder(of: executable) + "/" + Self.hooksName
    self.hooks = exists(hooks) ? hooks : nil
    let known = Self.paths(of: Self.jemallocName, in: cache)
    jemalloc = (known + Self.folders.map { "\($0)/\(Self.jemallocName)" }).first(where: exists)
  }

  /// Paths of a library in the output of `ldconfig -p`, those for this processor only.
  static func paths(of library: String, in cache: String) -> [String] {
    cache.split(separator: "\n").compactMap { line in
      let parts = line.split(separator: " => ")
      guard parts.count == 2 else { return nil }
      let words = parts[0].split { " \t(),".contains($0) }
      guard words.first == library[...], words.contains(processor[...]) else { return nil }
      return String(parts[1])
    }
  }

  #if arch(arm64)
    /// What `ldconfig -p` calls this processor.
    private static let processor = "AArch64"
    private static let triple = "aarch64-linux-gnu"
  #else
    /// What `ldconfig -p` calls this processor.
    private static let processor = "x86-64"
    private static let triple = "x86_64-linux-gnu"
  #endif

  /// Where libraries lie that the linker's cache doesn't know.
  private static let folders = ["/usr/lib/\(triple)", "/lib/\(triple)", "/usr/local/lib", "/usr/lib64", "/usr/lib"]

  /// What `ldconfig -p` prints; empty where there is none. It may lie outside a user's `PATH`.
  static func linkerCache() -> String {
    for program in ["ldconfig", "/sbin/ldconfig", "/usr/sbin/ldconfig"] {
      let run = try? ProcessRun.capturing(
        Command(program: program, arguments: ["-p"]), reportOn: 1, limit: .seconds(10))
      if let run, run.succeeded { return run.report }
    }
    return ""
  }
}
