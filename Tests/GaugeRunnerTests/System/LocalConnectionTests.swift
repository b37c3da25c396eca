// Lines that go to a program and come back.

import Foundation
import Testing

@testable import GaugeRunner

@Suite struct LocalConnectionTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func ask(_ connection: inout LocalConnection, _ request: String) -> LocalConnection.Answer {
    connection.ask(request, within: .seconds(600)) { false }
  }

  @Test func `each request has its answer, until the other end closes`() throws {
    let server = FakeInspector(at: folder("s"), greeting: "hello", ["one", String(repeating: "x", count: 300_000)])
    var connection = try LocalConnection(to: server.path)
    #expect(connection.peer()?.user == RunningProcess.ownUser)
    #if os(Linux)
      #expect(connection.peer()?.process == Int(getpid()))
    #endif
    #expect(ask(&connection, "version") == .line(Array("hello".utf8)))
    #expect(ask(&connection, "a") == .line(Array("one".utf8)))
    #expect(ask(&connection, "b") == .line(Array(repeating: UInt8(ascii: "x"), count: 300_000)))
    #expect(ask(&connection, "c") == .ended)
    #expect(ask(&connection, "d") == .ended)
  }

  @Test func `an answer may be too long, too late, or not wanted any more`() throws {
    let server = FakeInspector(at: folder("s"), greeting: String(repeating: "x", count: 100_000), [])
    var short = try LocalConnection(to: server.path, limit: 1000)
    #expect(ask(&short, "version") == .tooLong)
    // Nobody answers the second connection while the first one is there.
    var late = try LocalConnection(to: server.path)
    #expect(late.ask("version", within: .zero) { false } == .overdue)
    #expect(late.ask("version", within: .seconds(600)) { true } == .givenUp)
    _ = consume short
  }

  @Test func `a path that nobody answers at says why`() throws {
    #expect(error(of: folder("none"))?.code == ENOENT)
    #expect(error(of: "/" + String(repeating: "x", count: 200))?.code == ENAMETOOLONG)
    try folder.write("", to: "file")
    #expect(error(of: folder("file"))?.code == ECONNREFUSED)
  }

  private func error(of path: String) -> SystemError? {
    do throws(SystemError) {
      _ = try LocalConnection(to: path)
      return nil
    } catch {
      return error
    }
  }
}
