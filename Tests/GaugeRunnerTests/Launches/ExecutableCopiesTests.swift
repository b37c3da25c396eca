// Copies of executables: beside the original, each time another file, and gone at the end.

import Foundation
import Testing

@testable import GaugeRunner

@Suite struct ExecutableCopiesTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() }

  @Test func `a copy runs as the original does, from the same folder`() throws {
    let original = try folder.script(#"echo "$(dirname "$0") $1""#, named: "E")
    let copies = ExecutableCopies(of: [original, original])
    #expect(copies.path(of: original) == original)
    #expect(copies.renew() == nil)
    let first = copies.path(of: original)
    #expect(first != original)
    let run = try ProcessRun.capturing(Command(program: first, arguments: ["x"]))
    #expect(run.succeeded && run.output == folder.path + " x\n")
    #expect(copies.renew() == nil)
    #expect(copies.path(of: original) != first)
    #expect(try names().count == 2)
    copies.removeAll()
    #expect(try names() == ["E"])
    #expect(copies.path(of: original) == original)
  }

  @Test func `links in the places of names that could be guessed are not followed`() throws {
    let original = try folder.script("echo new", named: "E")
    try folder.write("mine", to: "outside")
    for number in 1...3 {
      let name = ".E.gauge-\(ProcessInfo.processInfo.processIdentifier)-\(number)"
      try FileManager.default.createSymbolicLink(atPath: folder(name), withDestinationPath: folder("outside"))
    }
    let copies = ExecutableCopies(of: [original])
    for _ in 0..<3 { #expect(copies.renew() == nil) }
    copies.removeAll()
    #expect(try folder.read("outside") == "mine")
  }

  @Test func `what can't be copied is run as it is`() throws {
    let gone = folder("gone")
    let copies = ExecutableCopies(of: [gone])
    #expect(copies.renew()?.hasPrefix("\(gone) can't be copied to \(folder.path)/.gone.gauge-") == true)
    #expect(copies.path(of: gone) == gone)
    #expect(try names() == [])
  }
}
