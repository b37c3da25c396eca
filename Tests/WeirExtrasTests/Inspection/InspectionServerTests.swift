// Tests of the server of live streams: where its socket is, who is answered, and what it leaves behind.

import Foundation
import TestKit
import Testing
import WeirQueues

@testable import WeirExtras

@Suite final class InspectionServerTests {
  private let folder = NSTemporaryDirectory() + "weir-tests-" + UUID().uuidString

  init() throws { try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true) }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  private func serve(
    admits: @escaping @Sendable (Int) -> Bool = InspectionServer.admits
  ) throws(InspectionServer.Failure) -> InspectionServer {
    try InspectionServer(at: folder + "/s", admits: admits, graph: { StreamGraph(3, .init(1, "Just")) })
  }

  private func place(_ environment: [String: String]) -> InspectionPlace {
    InspectionPlace(environment: environment, user: 5, process: 9)
  }

  private func failure(_ place: () throws(LineServer.Failure) -> String) -> String? {
    do throws(LineServer.Failure) {
      _ = try place()
      return nil
    } catch {
      return error.description
    }
  }

  @Test func itAnswersAtItsPathUntilItIsStopped() throws {
    let server = try serve()
    #expect(server.path == folder + "/s")
    let client = try #require(LineClient(server.path))
    #expect(client.ask("version")?.hasSuffix("\"version\":1}") == true)
    #expect(client.ask("snapshot") == (try StreamGraph(3, .init(1, "Just")).json()))
    server.stop()
    #expect(client.line() == nil)
    #expect(LineClient(server.path) == nil)
  }

  @Test func anotherUserIsToldSo() throws {
    let server = try serve(admits: { _ in false })
    let client = try #require(LineClient(server.path))
    #expect(client.line() == #"{"error":"this program belongs to another user"}"#)
    #expect(client.line() == nil)
    server.stop()
  }

  @Test func theUserAndTheAdministratorAreAnswered() {
    #expect(InspectionServer.admits(user: currentUser()))
    #expect(InspectionServer.admits(user: 0))
    #expect(!InspectionServer.admits(user: currentUser() + 1))
  }

  @Test func theSocketIsInTheUsersOwnFolder() throws {
    let usual = folder + "/weir-5/9.sock"
    #expect(try place(["XDG_RUNTIME_DIR": folder + "/", "TMPDIR": "/none"]).usualPath() == usual)
    #expect(try place(["XDG_RUNTIME_DIR": folder + "/none", "TMPDIR": folder]).usualPath() == usual)
    #expect(try place(["XDG_RUNTIME_DIR": "", "TMPDIR": folder]).usualPath() == usual)
    #expect(failure(place(["TMPDIR": folder + "/none"]).usualPath)?.contains("there is no such folder") == true)
  }

  @Test func aFolderThatOthersMayWriteIsRefused() throws {
    let path = folder + "/weir-5"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: path)
    #expect(
      failure(place(["TMPDIR": folder]).usualPath) == """
        \(path): other users may write into the folder, and so replace the socket; WEIR_INSPECT=serve:PATH and \
        serve(at:) take another place
        """)
    let failed = #expect(throws: InspectionServer.Failure.self) {
      try InspectionServer(at: path + "/s", graph: { StreamGraph() })
    }
    #expect(failed?.description.hasPrefix("\(path)/: other users may write into the folder") == true)
  }

  /// The tests of the whole package are built without the trait, unless somebody asks for it.
  @Test(.enabled(if: !WeirInspector.isBuiltIn)) func withoutTheTraitNothingIsServed() {
    let failure = #expect(throws: InspectionServer.Failure.self) { try WeirInspector.serve(at: folder + "/s") }
    #expect(failure?.description.contains("without the trait Inspection") == true)
    #expect(!FileManager.default.fileExists(atPath: folder + "/s"))
  }
}
