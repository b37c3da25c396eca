// `swift package benchmark`: builds `gauge` beside the package's benchmarks and hands the command line on to it.

import Foundation
import PackagePlugin

/// The command plugin. It knows nothing of the verbs: what `gauge` knows, it knows.
@main struct BenchmarkCommand: CommandPlugin {
  /// Runs `gauge` with the arguments behind `swift package benchmark`.
  ///
  /// - Throws: Nothing; what fails is told to the package manager, which ends with 1.
  func performCommand(context: PluginContext, arguments: [String]) async throws {
    let package = context.package.directoryURL
    let scratch = package.appending(path: ".gauge/build")
    guard let swift = packageManager(context) else {
      return Diagnostics.error("swift is neither in PATH nor in the toolchain: nothing can be built")
    }
    if let objection = Self.objection(to: package) {
      return Diagnostics.error(
        "\(objection): what is in .gauge is run, so that nothing of it may come with a change: "
          + "git rm -r --cached .gauge, and put .gauge/ into .gitignore")
    }
    let gauge = scratch.appending(path: "release/gauge")
    if !FileManager.default.fileExists(atPath: gauge.path(percentEncoded: false)) {
      print("benchmark: building gauge, which takes some minutes the first time")
    }
    let built = Child(swift, Self.buildArguments(package: package, scratch: scratch), work: "building gauge").run()
    guard built == 0 else { return Diagnostics.error("gauge can't be built (above), code \(built)") }
    let words = arguments.isEmpty ? ["help"] : arguments
    let code = Child(gauge, words).run()
    let judges = Self.judges.contains(words[0]) && !words.contains { ["-h", "--help"].contains($0) }
    guard judges || code != 0 else { return }
    tell(code, of: words, in: package.appending(path: ".gauge/verdict"))
  }

  /// Why the folder that gauge is built in, and run from, may be a stranger's; `nil` where nothing says so. Gauge looks
  /// at it, too, but would be a stranger's itself.
  private static func objection(to package: URL) -> String? {
    let folder = package.appending(path: ".gauge").path(percentEncoded: false)
    guard let type = try? FileManager.default.attributesOfItem(atPath: folder)[.type] as? FileAttributeType else {
      return nil
    }
    guard type == .typeDirectory else { return ".gauge is no folder" }
    // Outside of git nothing is tracked.
    let (git, output) = (Process(), Pipe())
    git.executableURL = URL(filePath: "/usr/bin/env")
    let place = package.path(percentEncoded: false)
    git.arguments = ["git", "-C", place, "-c", "core.fsmonitor=false", "ls-files", "--", ":(icase).gauge"]
    git.standardInput = FileHandle.nullDevice
    git.standardOutput = output
    git.standardError = FileHandle.nullDevice
    guard (try? git.run()) != nil else { return nil }
    // The child alone holds it open then, so that reading ends with the child.
    try? output.fileHandleForWriting.close()
    let tracked = output.fileHandleForReading.readDataToEndOfFile()
    git.waitUntilExit()
    return tracked.isEmpty ? nil : "git tracks files in .gauge"
  }

  /// Verbs whose end is a verdict.
  private static let judges = ["compare", "ab", "check"]

  /// What builds `gauge` where it builds the benchmarks, so that what both need is built once. `.build` is locked
  /// while a plugin runs, and its code is laid out otherwise.
  private static func buildArguments(package: URL, scratch: URL) -> [String] {
    var arguments = ["build", "--package-path", package.path(percentEncoded: false), "-c", "release"]
    #if os(Linux)
      arguments.append("--static-swift-stdlib")
    #endif
    return arguments + ["--scratch-path", scratch.path(percentEncoded: false), "--product", "gauge"]
  }

  /// The package manager: the one of the toolchain that runs this.
  private func packageManager(_ context: PluginContext) -> URL? {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    let inPath = folders.map { URL(filePath: "\($0)/swift") }.first {
      FileManager.default.isExecutableFile(atPath: $0.path(percentEncoded: false))
    }
    return (try? context.tool(named: "swift").url) ?? inPath
  }

  /// Says how it ended, keeps that in a file, and fails where a build should turn red: the package manager makes 1 of
  /// every failure, so that the code of `gauge` would be lost.
  private func tell(_ code: Int32, of words: [String], in file: URL) {
    let line = "\(code) \(Self.meaning(of: code)): gauge \(words.joined(separator: " "))\n"
    try? FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try? Data(line.utf8).write(to: file, options: .atomic)
    let verdict = "benchmark: \(Self.meaning(of: code)) (code \(code) of gauge, kept in .gauge/verdict)"
    switch code {
    case 0, 4, 6, 7: print(verdict)
    default: Diagnostics.error(verdict)
    }
  }

  private static func meaning(of code: Int32) -> String {
    switch code {
    case 0: "same"
    case 2: "worse"
    case 3: "broken"
    case 4: "better"
    case 6: "nothing comparable"
    case 7: "not enough data"
    case 64: "wrong usage"
    case 65: "a file is damaged"
    case 66: "a file is missing"
    case 73: "a file can't be written"
    case 130, 143: "interrupted"
    default: "failed"
    }
  }
}
