// The live streams, served to programs of the same user: `gauge top` is one.

import Foundation
import Weir
import WeirQueues

/// Answers programs of the same user that ask which streams are alive; `gauge top` is one.
///
/// ``WeirInspector/serve(at:)`` makes it. It has a thread of its own, which makes a snapshot when somebody asks for one
/// and does nothing else: a program that asks and doesn't read the answer holds up nobody but itself. What is asked and
/// answered is described in <doc:InspectionProtocol>.
///
/// Programs of another user are refused, but for those of user 0: they may read the memory of the process anyway.
///
/// Any thread may use it. It ends with the last reference to it, or by `stop()`.
public final class InspectionServer: Sendable {
  /// Why nothing is served, in words.
  public struct Failure: Error, Hashable, CustomStringConvertible {
    /// A sentence that says what is wrong, and what to do about it where that is known.
    public let description: String

    init(_ description: String) { self.description = description }
  }

  /// The socket.
  public let path: String

  private let server: LineServer

  /// Begins to serve.
  ///
  /// - Parameters:
  ///   - path: The socket; `nil` for the usual place.
  ///   - admits: Whether programs of a user may ask.
  ///   - graph: What they are shown.
  package init(
    at path: String? = nil, admits: @escaping @Sendable (_ user: Int) -> Bool = InspectionServer.admits,
    graph: @escaping @Sendable () -> StreamGraph
  ) throws(Failure) {
    let place = InspectionPlace(environment: ProcessInfo.processInfo.environment)
    let answers = LineServer.Answers(
      admits: admits, refusal: InspectionAnswers.error("this program belongs to another user"),
      tooLong: InspectionAnswers.error("the line is too long"),
      answer: { InspectionAnswers(graph: graph).answer(to: $0) })
    do throws(LineServer.Failure) {
      let socket = if let path { try place.checked(path) } else { try place.usualPath() }
      server = try LineServer(at: socket, named: "weir-inspection", answers)
    } catch {
      throw Failure("\(error)")
    }
    self.path = server.path
  }

  /// Removes the socket, and ends all connections. It may be called again.
  public func stop() { server.stop() }

  /// Whether programs of a user may ask: those of this process's own, and of the system's administrator.
  package static func admits(user: Int) -> Bool { user == currentUser() || user == 0 }
}

/// Where the socket is.
struct InspectionPlace {
  /// The environment variables.
  let environment: [String: String]
  /// The user's number.
  var user = currentUser()
  /// The process's number.
  var process = currentProcess()

  /// A path that was asked for.
  func checked(_ path: String) throws(LineServer.Failure) -> String {
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
    if let flaw = FolderFlaw.of(folder) { throw failure(folder, flaw) }
    return path
  }

  /// The file `PID.sock` in the folder `weir-USER` of the user's folder for running programs, or of that for temporary
  /// files.
  func usualPath() throws(LineServer.Failure) -> String {
    let folder = try base() + "/weir-\(user)"
    if let flaw = FolderFlaw.making(folder) { throw failure(folder, flaw) }
    return folder + "/\(process).sock"
  }

  private func base() throws(LineServer.Failure) -> String {
    if let folder = trimmed(environment["XDG_RUNTIME_DIR"]), FolderFlaw.of(folder) == nil { return folder }
    let folder = trimmed(environment["TMPDIR"]) ?? "/tmp"
    if let flaw = FolderFlaw.of(folder) { throw failure(folder, flaw) }
    return folder
  }

  /// A folder's path without what separates it from the next name; `nil` for none.
  private func trimmed(_ path: String?) -> String? {
    var path = path ?? ""
    while path.hasSuffix("/") { path.removeLast() }
    return path.hasPrefix("/") ? path : nil
  }

  private func failure(_ folder: String, _ flaw: FolderFlaw) -> LineServer.Failure {
    let wrong =
      switch flaw {
      case .missing: "there is no such folder"
      case .noFolder: "it is no folder"
      case .foreign: "the folder belongs to another user"
      case .open: "other users may write into the folder, and so replace the socket"
      case .error(let number): "the folder can't be used (error \(number) of the system)"
      }
    return LineServer.Failure("\(folder): \(wrong); WEIR_INSPECT=serve:PATH and serve(at:) take another place")
  }
}
