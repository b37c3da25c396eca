// Lines of source files and functions that were inlined, for addresses: by LLVM's symboliser,
// which comes with the toolchain.

import Foundation

/// The toolchain's reader of debug information.
struct SourceLines: Sendable {
  /// Path of the program.
  let program: String

  /// A function at an address, or one that was put into it.
  struct Entry: Hashable, Sendable {
    /// Its symbol; empty where it has none.
    var symbol: String
    /// The source file; `nil` where the debug information doesn't tell.
    var file: String?
    /// The line; `nil` likewise.
    var line: Int?
  }

  /// Name of the program.
  static let name = "llvm-symbolizer"

  /// Takes a program.
  init(program: String) {
    self.program = program
  }

  /// Looks for the program: beside the compiler, whose debug information it surely reads, then in `PATH`.
  ///
  /// - Parameters:
  ///   - swift: The package manager, a path or a name that is looked for in `PATH`.
  ///   - path: Folders to look in, joined by colons.
  init?(besides swift: String, path: String) {
    guard let found = ToolchainProgram.path(of: Self.name, besides: swift, path: path) else { return nil }
    program = found
  }

  /// Asks for addresses of files, all at once.
  ///
  /// - Parameters:
  ///   - places: The addresses.
  ///   - scratch: Path of a file for the questions, which is removed afterwards.
  /// - Returns: For each, in order, the functions from the innermost that was inlined outwards; none where it failed.
  func entries(for places: [StackUnwinder.Place], scratch: String) -> [[Entry]]? {
    guard !places.isEmpty else { return [] }
    // Debug information that was taken out of a file lies beside it.
    let files = Dictionary(
      Set(places.map(\.path)).map { path in
        let apart = DebugStripper.path(ofDebugInformationOf: path)
        return (path, Files.stamp(of: apart) == nil ? path : apart)
      }, uniquingKeysWith: { first, _ in first })
    let questions = places.map { Self.question(files[$0.path] ?? $0.path, $0.address) }.joined()
    defer { Files.remove(scratch) }
    do {
      try Files.replace(scratch, with: Array(questions.utf8))
    } catch {
      return nil
    }
    let command = Command(
      program: program,
      arguments: ["--output-style=LLVM", "--inlines", "--functions=linkage", "--no-demangle"], input: scratch)
    let run = try? ProcessRun.capturing(command, reportOn: 1, limit: .seconds(120), reportLimit: 1 << 28)
    guard let run, run.succeeded else { return nil }
    let answers = Self.parse(run.report)
    return answers.count == places.count ? answers : nil
  }

  /// The question for an address. Of a file whose path would end the question nothing is asked, so that there is an
  /// answer for each address still.
  static func question(_ path: String, _ address: UInt64) -> String {
    let isPlain = !path.unicodeScalars.contains { $0 == "\"" || $0 == "\\" || $0.isControl }
    return "CODE \"\(isPlain ? path : "/dev/null")\" 0x\(String(address, radix: 16))\n"
  }

  /// Reads answers: for each address pairs of lines, the symbol and the place in the source, then an empty line.
  static func parse(_ text: String) -> [[Entry]] {
    var answers: [[Entry]] = []
    var answer: [Entry] = []
    var symbol: Substring?
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if let name = symbol {
        answer.append(entry(name, line))
        symbol = nil
      } else if line.isEmpty {
        if !answer.isEmpty { answers.append(answer) }
        answer = []
      } else {
        symbol = line
      }
    }
    return answers
  }

  /// `/folder/File.swift:12:7` behind its symbol.
  private static func entry(_ symbol: Substring, _ place: Substring) -> Entry {
    var parts = place.split(separator: ":", omittingEmptySubsequences: false)
    let line = parts.count > 2 ? parts[parts.count - 2] : "0"
    parts.removeLast(min(2, parts.count))
    let file = parts.joined(separator: ":")
    let number = Int(line) ?? 0
    return Entry(
      symbol: symbol == "??" ? "" : String(symbol), file: number > 0 && file != "??" ? file : nil,
      line: number > 0 ? number : nil)
  }
}
