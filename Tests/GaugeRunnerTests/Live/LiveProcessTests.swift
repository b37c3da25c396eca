// Who is asked for live streams, and what is made of the answers.

import Foundation
import Testing

@testable import GaugeRunner

@Suite struct LiveProcessTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// What a first look at a program gives, or why there is none.
  private func look(
    _ word: String, environment: [String: String] = [:], admits: (Int) -> Bool = { _ in true }
  ) -> Result<LiveGraph, LiveProcess.Failure> {
    do throws(LiveProcess.Failure) {
      let process = try LiveProcess(word, environment: environment, admits: admits) { false }
      return .success(try process.snapshot { false })
    } catch {
      return .failure(error)
    }
  }

  @Test func `a program tells its name and its streams`() throws {
    let server = FakeInspector(at: folder("s"), ShopLooks.texts)
    #expect(look(server.path) == .success(ShopLooks.first))
    let process = try LiveProcess(server.path, environment: [:]) { false }
    #expect(process.title == "7 Shop")
    #expect(process.number == 7)
  }

  @Test func `a process is found by its number, in the places of its user`() throws {
    let (user, number) = (RunningProcess.ownUser, Int(getpid()))
    try FileManager.default.createDirectory(atPath: folder("weir-\(user)"), withIntermediateDirectories: true)
    let server = FakeInspector(at: folder("weir-\(user)/\(number).sock"), ShopLooks.texts)
    #expect(look("\(number)", environment: ["XDG_RUNTIME_DIR": folder.path]) == .success(ShopLooks.first))
    #expect(look("\(number)", environment: ["TMPDIR": folder.path + "/"]) == .success(ShopLooks.first))
    withExtendedLifetime(server) {}
  }

  @Test func `other users are not asked`() throws {
    let server = FakeInspector(at: folder("s"), ShopLooks.texts)
    #expect(look(server.path, admits: { _ in false }) == .failure(.foreign(server.path)))
    let number = Int(getpid())
    #expect(look("\(number)", admits: { _ in false }) == .failure(.foreign("process \(number)")))
    let refusing = FakeInspector(at: folder("r"), greeting: #"{"error":"this program belongs to another user"}"#, [])
    #expect(look(refusing.path) == .failure(.foreign(refusing.path)))
  }

  @Test func `this user asks its own programs, root all, and all those of root`() {
    let own = RunningProcess.ownUser
    #expect(LiveProcess.admits(user: own))
    #expect(LiveProcess.admits(user: 0))
    #expect(LiveProcess.admits(user: own + 1) == (own == 0))
  }

  @Test func `processes that are not there, and those that serve nothing, are told apart`() throws {
    #expect(look("\(Int32.max)") == .failure(.noProcess(Int(Int32.max))))
    #expect(look("-5") == .failure(.noProcess(-5)))
    guard case .failure(.notServing(let number, let places)) = look("\(getpid())") else {
      Issue.record("it serves")
      return
    }
    #expect(number == Int(getpid()))
    #expect(places.contains("/tmp/weir-\(RunningProcess.ownUser)/\(number).sock"))
    guard case .failure(.noServer(let path, _)) = look(folder("none")) else {
      Issue.record("there is somebody")
      return
    }
    #expect(path == folder("none"))
  }

  @Test func `a socket that nobody answers at is none`() throws {
    let user = RunningProcess.ownUser
    try FileManager.default.createDirectory(atPath: folder("weir-\(user)"), withIntermediateDirectories: true)
    try folder.write("", to: "weir-\(user)/\(getpid()).sock")
    guard case .failure(.notServing) = look("\(getpid())", environment: ["TMPDIR": folder.path]) else {
      Issue.record("it serves")
      return
    }
  }

  @Test(arguments: [
    (#"{"version":2}"#, "it speaks version 2 of the format, and this gauge version 1"),
    ("hello", "it answers something else than Weir's inspector does"), ("{}", "it tells no version"),
    (#"{"error":"no\u001b"}"#, "it says: no\u{fffd}"),
  ]) func `a greeting of something else is refused`(greeting: String, reason: String) {
    let server = FakeInspector(at: folder("s"), greeting: greeting, [])
    #expect(look(server.path) == .failure(.unlike(path: server.path, reason: reason)))
  }

  @Test(arguments: [
    (#"{"error":"busy"}"#, "it says: busy"), ("{}", "what it answers is no graph of streams: {}"),
    (
      String(repeating: "[", count: 600),
      "what it answers is no graph of streams: " + String(repeating: "[", count: 60) + "…"
    ),
  ]) func `a bad graph is refused`(snapshot: String, reason: String) {
    let server = FakeInspector(at: folder("s"), [snapshot])
    #expect(look(server.path) == .failure(.unlike(path: server.path, reason: reason)))
  }

  @Test func `a program that ends is told`() {
    let server = FakeInspector(at: folder("s"), [])
    #expect(look(server.path) == .failure(.ended("7 Shop")))
  }

  /// Linux refuses who comes when as many wait as the socket was opened for.
  @Test func `a program that answers as many others as it takes is busy`() throws {
    #if os(Linux)
      let server = FakeInspector(at: folder("s"), ShopLooks.texts, backlog: 0)
      var others: [LiveProcess.Failure?] = []
      // The first is answered, and the next waits.
      let first = try LiveProcess(server.path, environment: [:]) { false }
      let waiting = try LocalConnection(to: server.path)
      for isOver in [false, true] {
        do throws(LiveProcess.Failure) {
          _ = try LiveProcess(server.path, environment: [:], patience: .zero) { isOver }
          others.append(nil)
        } catch {
          others.append(error)
        }
      }
      #expect(others == [.busy(server.path), .interrupted])
      #expect(waiting.path == first.title || first.title == "7 Shop")
    #endif
  }

  @Test func `whoever has enough of waiting is let go`() {
    let server = FakeInspector(at: folder("s"), [])
    #expect(throws: LiveProcess.Failure.interrupted) {
      _ = try LiveProcess(server.path, environment: [:], orUntil: { true })
    }
  }

  @Test func `sockets are looked for in the places of the process and of this one, each once`() {
    let places = LivePlaces(user: 5, process: 9).all([
      ["WEIR_INSPECT": "serve:/srv/s", "XDG_RUNTIME_DIR": "/run/user/5", "TMPDIR": "relative"],
      ["TMPDIR": "/var/tmp//"],
    ])
    #expect(
      places == ["/srv/s", "/run/user/5/weir-5/9.sock", "/var/tmp/weir-5/9.sock", "/tmp/weir-5/9.sock"])
  }
}
