// Files with symbols for those of a recording.

import HostileFiles
import Testing

@testable import GaugeRunner

@Suite struct RecordedSymbolsTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func recording(of path: String, build: String = "") throws -> Recording {
    var recording = WrittenRecording()
    recording.add(10, at: 0, WrittenRecording.words(path))
    recording.add(1, at: 0, WrittenRecording.words("400000-402000 r-xp 00000000 08:01 12    \(path)\n"))
    if !build.isEmpty { recording.add(8, at: 0, WrittenRecording.words("\(build)\t\(path)\n")) }
    return try Recording(recording.bytes)
  }

  private func write(_ name: String, _ bytes: [UInt8]) throws -> String {
    try Files.replace(folder(name), with: bytes)
    return folder(name)
  }

  private func failure(_ files: [String], of recording: Recording) -> String {
    do {
      _ = try RecordedSymbols(files, of: recording)
      return ""
    } catch { return "\(error.message) \(error.advice)" }
  }

  /// What `objcopy --only-keep-debug` leaves: symbols, and where code is.
  private func debugInformation(naming name: String) -> [UInt8] {
    var file = WrittenElf()
    let text = file.nextAddress
    file.add(".text", type: 8, [UInt8](repeating: 0, count: 64), flags: 6)
    file.addSymbols([(name, text, 64)])
    return file.bytes
  }

  @Test func `a file is found by its build, whatever it is called, and else by its name`() throws {
    let other = try write("other", WrittenElf.program.bytes)
    let symbols = try RecordedSymbols([other], of: try recording(of: "/srv/Server", build: "abcd0102"))
    #expect(symbols.others == ["/srv/Server": other])
    let server = try write("Server", WrittenElf.program.bytes)
    #expect(try RecordedSymbols([server], of: try recording(of: "/srv/Server")).others == ["/srv/Server": server])
    let none = failure([other], of: try recording(of: "/srv/Server", build: "ffff"))
    #expect(none.contains("no recorded file is of its build or has its name") && none.contains("Server."), "\(none)")
    #expect(failure([try write("text", [1, 2])], of: try recording(of: "/srv/text")).contains("no executable"))
    #expect(failure([folder("missing")], of: try recording(of: "/srv/missing")).contains("missing"))
  }

  @Test func `debug information alone names the functions of the file that it was taken from`() throws {
    var stripped = WrittenElf()
    stripped.add(".text", [UInt8](repeating: 0x90, count: 64), flags: 6)
    let path = try write("Server", stripped.bytes)
    let debug = try write("Server.debug", debugInformation(naming: "serve"))
    let symbols = try RecordedSymbols([debug], of: try recording(of: path))
    #expect(symbols.others.isEmpty)
    let object = try #require(symbols.load(path))
    #expect(object.symbol(at: WrittenElf().nextAddress + 8) == "serve" && object.namesAll)
    #expect(object.elf.hasCode && object.elf.address(ofOffset: 0) == WrittenElf.base)
    // The program of another machine.
    let refusal = failure([debug], of: try recording(of: "/srv/none/Server"))
    #expect(refusal.contains("debug information alone, and") && refusal.contains("by another --symbols"), "\(refusal)")
    let both = try RecordedSymbols([debug, path], of: try recording(of: "/srv/none/Server"))
    #expect(both.others == ["/srv/none/Server": path] && both.load(path)?.namesAll == true)
  }
}
