// Tests of the server of lines: who is answered, what becomes of bad lines and slow programs, and what is left behind.

import Foundation
import TestKit
import Testing

@testable import WeirQueues

/// A fresh folder, removed with the value.
private final class Folder {
  let path: String

  init() throws {
    path = NSTemporaryDirectory() + "weir-tests-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func callAsFunction(_ name: String) -> String { path + "/" + name }

  /// Whether there is something of a name.
  func has(_ name: String) -> Bool { FileManager.default.fileExists(atPath: self(name)) }

  func mode(_ name: String, _ mode: Int) throws {
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: self(name))
  }
}

@Suite struct LineServerTests {
  private let folder: Folder

  init() throws { folder = try Folder() }

  private func answers(admits: @escaping @Sendable (Int) -> Bool = { _ in true }) -> LineServer.Answers {
    LineServer.Answers(
      admits: admits, refusal: "refused", tooLong: "too long",
      answer: { $0 == "long" ? String(repeating: "x", count: 3_000_000) : "(\($0))" })
  }

  private func serve(
    _ name: String = "s", admits: @escaping @Sendable (Int) -> Bool = { _ in true }
  ) throws -> LineServer {
    try LineServer(at: folder(name), named: "test", answers(admits: admits))
  }

  private func failure(_ path: String) -> String? {
    do throws(LineServer.Failure) {
      _ = try LineServer(at: path, named: "test", answers())
      return nil
    } catch {
      return error.description
    }
  }

  @Test func linesAreAnsweredInTheirOrder() throws {
    let server = try serve()
    let client = try #require(LineClient(server.path))
    #expect(client.ask("one") == "(one)")
    #expect(client.ask("") == "()")
    client.send("two\r\nthree\nfo")
    #expect(client.line() == "(two)")
    #expect(client.line() == "(three)")
    client.send("ur\n")
    #expect(client.line() == "(four)")
    let other = try #require(LineClient(server.path))
    #expect(other.ask("five") == "(five)")
    #expect(client.ask("six") == "(six)")
    server.stop()
  }

  @Test func anotherUserIsRefused() throws {
    let server = try serve(admits: { $0 == currentUser() + 1 })
    let client = try #require(LineClient(server.path))
    #expect(client.line() == "refused")
    #expect(client.line() == nil)
    server.stop()
  }

  @Test func theUserOfAProgramIsWhatIsAskedAbout() throws {
    let user = Shared(-1)
    let server = try serve(admits: {
      user.value = $0
      return true
    })
    #expect(LineClient(server.path)?.ask("one") == "(one)")
    #expect(user.value == currentUser())
    server.stop()
  }

  @Test func aLineThatIsTooLongEndsTheConnection() throws {
    let server = try serve()
    let client = try #require(LineClient(server.path))
    let longest = String(repeating: "y", count: 1024)
    client.send(longest)
    #expect(client.ask("") == "(\(longest))")
    client.send(longest + "y")
    #expect(client.line() == "too long")
    #expect(client.line() == nil)
    #expect(LineClient(server.path)?.ask("one") == "(one)")
    server.stop()
  }

  @Test func whoDoesNotReadHoldsUpNobodyElse() throws {
    let server = try serve()
    let slow = try #require(LineClient(server.path))
    for _ in 0..<4 { slow.send("long\n") }
    let other = try #require(LineClient(server.path))
    for number in 0..<10 { #expect(other.ask("\(number)") == "(\(number))") }
    for _ in 0..<4 { #expect(slow.line()?.count == 3_000_000) }
    server.stop()
  }

  @Test func whoHasGoneIsForgotten() throws {
    let server = try serve()
    for number in 0..<50 {
      let client = try #require(LineClient(server.path))
      // Every other one doesn't wait for its answer.
      if number % 2 == 0 { client.send("long\n") } else { #expect(client.ask("one") == "(one)") }
    }
    server.stop()
  }

  @Test func aSocketIsTheUsersAndGoesWithTheServer() throws {
    var server: LineServer? = try serve()
    let attributes = try FileManager.default.attributesOfItem(atPath: folder("s"))
    #expect((attributes[.posixPermissions] as? Int).map { $0 & 0o077 } == 0)
    let client = try #require(LineClient(folder("s")))
    #expect(client.ask("one") == "(one)")
    server?.stop()
    server?.stop()
    #expect(!folder.has("s"))
    #expect(client.line() == nil)
    server = try serve()
    #expect(LineClient(folder("s"))?.ask("two") == "(two)")
    server = nil
    #expect(!folder.has("s"))
    #expect(LineClient(folder("s")) == nil)
  }

  @Test func aSocketThatNobodyAnswersAtIsReplaced() throws {
    #expect(LineClient.leaveSocket(at: folder("s")))
    #expect(LineClient(folder("s")) == nil)
    let server = try serve()
    #expect(LineClient(folder("s"))?.ask("one") == "(one)")
    server.stop()
  }

  @Test func anythingElseThatIsThereStays() throws {
    try Data("mine".utf8).write(to: URL(fileURLWithPath: folder("file")))
    #expect(failure(folder("file")) == "\(folder("file")): there is a file already, and it is no socket")
    #expect(try String(contentsOfFile: folder("file"), encoding: .utf8) == "mine")
    let server = try serve()
    #expect(failure(folder("s")) == "\(folder("s")): somebody serves there already")
    #expect(LineClient(folder("s"))?.ask("one") == "(one)")
    server.stop()
  }

  @Test func aPathWithoutRoomIsRefused() {
    #expect(failure("") == "'' is no path of a file")
    #expect(failure("a\0b")?.hasSuffix("is no path of a file") == true)
    let long = folder(String(repeating: "x", count: 200))
    #expect(failure(long)?.contains("has \(long.utf8.count) bytes, and the path of a socket at most 10") == true)
    #expect(failure(folder("none/s")) == "\(folder("none/s")): there is no such folder")
  }

  @Test func foldersThatOthersMayWriteToAreFound() throws {
    #expect(FolderFlaw.of("/tmp") == nil)
    #expect(FolderFlaw.of(folder("none")) == .missing)
    try Data().write(to: URL(fileURLWithPath: folder("file")))
    #expect(FolderFlaw.of(folder("file")) == .noFolder)
    #expect(FolderFlaw.making(folder("own")) == nil)
    let attributes = try FileManager.default.attributesOfItem(atPath: folder("own"))
    #expect(attributes[.posixPermissions] as? Int == 0o700)
    #expect(FolderFlaw.making(folder("own")) == nil)
    try folder.mode("own", 0o777)
    #expect(FolderFlaw.of(folder("own")) == .open)
    #expect(FolderFlaw.making(folder("own")) == .open)
    // Each user's files are its own to remove.
    try folder.mode("own", 0o1777)
    #expect(FolderFlaw.of(folder("own")) == nil)
    #expect(FolderFlaw.making(folder("own")) == .open)
    try FileManager.default.createSymbolicLink(atPath: folder("link"), withDestinationPath: folder("own"))
    #expect(FolderFlaw.making(folder("link")) == .noFolder)
  }
}
