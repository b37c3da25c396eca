// What stands behind an address of an executable: the function, and those that the compiler has put into it, each with file
// and line; asked of LLVM's symbolizer, which reads the debug information.

import Foundation

/// The toolchain's reader of debug information.
struct InlinedFrames: Sendable {
  /// Path of llvm-symbolizer.
  let tool: String

  /// Its name.
  static let name = "llvm-symbolizer"

  /// Looks for it beside the compiler, then among the system's programs; `nil` where it isn't installed.
  ///
  /// - Parameter path: Folders to look in, joined by colons.
  init?(path: String) {
    let folders = path.split(separator: ":").map(String.init)
    let compilers = folders.map { "\($0)/swift" }.filter { FileManager.default.isExecutableFile(atPath: $0) }.map {
      URL(fileURLWithPath: $0).resolvingSymlinksInPath().deletingLastPathComponent().path
    }
    let candidates = (compilers + folders).map { "\($0)/\(Self.name)" }
    guard let tool = candidates.first(where: { FileManager.default.isExecutableFile(atPath: $0) }) else { return nil }
    self.tool = tool
  }

  /// The frames at addresses, from the function that holds the code to the innermost one that was put into it; nothing for
  /// addresses that no debug information knows.
  ///
  /// - Parameters:
  ///   - addresses: Addresses within the file, as its symbols have them.
  ///   - executable: Path of the file, with its debug information.
  ///   - folder: A folder for the list of the addresses.
  func chains(at addresses: [UInt64], in executable: String, folder: String) -> [UInt64: [ProfileFrame]] {
    var chains: [UInt64: [ProfileFrame]] = [:]
    let object = (executable as NSString).lastPathComponent
    // What a child may report is bounded: some hundred addresses at a time stay below.
    for start in stride(from: 0, to: addresses.count, by: Self.batch) {
      let batch = addresses[start..<min(start + Self.batch, addresses.count)]
      let list = folder + "/addresses"
      let text = batch.map { "0x" + String($0, radix: 16) + "\n" }.joined()
      let run: ProcessRun
      do throws(SystemError) {
        try Descriptor.appending(to: list, emptied: true).append(Array(text.utf8))
        var command = Command(
          program: tool,
          arguments: ["--obj=\(executable)", "--inlines", "--no-demangle", "--output-style=JSON"])
        command.input = list
        run = try ProcessRun.capturing(command, reportOn: 1, limit: .seconds(60))
      } catch {
        return chains
      }
      for (address, chain) in Self.parse(run.report, object: object) { chains[address] = chain }
    }
    return chains
  }

  private static let batch = 700

  /// Reads what the symbolizer prints: an object of JSON on a line for each address.
  static func parse(_ text: String, object: String) -> [UInt64: [ProfileFrame]] {
    let decoder = JSONDecoder()
    var names: [String: FunctionName] = [:]
    var chains: [UInt64: [ProfileFrame]] = [:]
    for line in text.utf8.split(separator: UInt8(ascii: "\n")) {
      guard let entry = try? decoder.decode(Entry.self, from: Data(line)), let symbols = entry.symbols,
        entry.address.hasPrefix("0x"), let address = UInt64(entry.address.dropFirst(2), radix: 16)
      else { continue }
      let known = symbols.filter { $0.line > 0 || $0.start ?? 0 > 0 || symbols.count > 1 }
      guard !known.isEmpty else { continue }
      chains[address] = known.reversed().enumerated().map { depth, symbol in
        let name = names[symbol.function] ?? FunctionName(symbol: symbol.function)
        names[symbol.function] = name
        let file = symbol.line > 0 ? Self.source(symbol.file) : nil
        return ProfileFrame(
          function: name.text, object: object, file: file ?? Self.source(symbol.startFile ?? ""),
          line: file == nil ? nil : symbol.line, isInlined: depth > 0, isLibrary: !name.isProgram)
      }
    }
    return chains
  }

  /// The last part of a path; `nil` for what the compiler has written by itself.
  private static func source(_ path: String) -> String? {
    let name = (path as NSString).lastPathComponent
    return name.isEmpty || name.hasPrefix("<") ? nil : name
  }

  private struct Entry: Decodable {
    var address: String
    var symbols: [Symbol]?

    enum CodingKeys: String, CodingKey {
      case address = "Address"
      case symbols = "Symbol"
    }
  }

  private struct Symbol: Decodable {
    var function: String
    var file: String
    var line: Int
    var startFile: String?
    var start: Int?

    enum CodingKeys: String, CodingKey {
      case function = "FunctionName"
      case file = "FileName"
      case line = "Line"
      case startFile = "StartFileName"
      case start = "StartLine"
    }
  }
}
