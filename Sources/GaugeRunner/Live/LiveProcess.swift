// A program that serves its live streams: where its socket is, whose it is, and what it answers.

/// A connection to a program that tells which of its streams are alive.
final class LiveProcess {
  /// Why there is nothing to be seen.
  enum Failure: Error, Hashable {
    /// There is no such process.
    case noProcess(Int)
    /// It belongs to another user.
    case foreign(String)
    /// It serves nothing in any of these places.
    case notServing(Int, places: [String])
    /// Nobody answers at a path.
    case noServer(path: String, reason: String)
    /// What answers is something else, or of another time.
    case unlike(path: String, reason: String)
    /// More connections wait for it already than it takes.
    case busy(String)
    /// It doesn't answer.
    case silent(String)
    /// It has ended.
    case ended(String)
    /// It has no such stream.
    case noStream(Int)
    /// This process was asked to stop.
    case interrupted
  }

  /// What the program says of itself.
  private struct Greeting: Decodable {
    var version: Int?
    var process: Int?
    var program: String?
    var error: String?
  }

  private struct Complaint: Decodable {
    var error: String
  }

  /// The version of the format that is understood.
  static let version = 1
  /// How long a program may take to answer.
  static let patience = Duration.seconds(10)

  /// What it is called here: the number of the process, and the program's name.
  private(set) var title: String
  /// The process's number.
  private(set) var number: Int?
  private var connection: LocalConnection

  /// Connects to a process, or to a socket that is given by its path.
  ///
  /// - Parameters:
  ///   - word: The number, or the path.
  ///   - environment: The variables of this process.
  ///   - admits: Whether the program of a user is asked; what it tells is that user's.
  ///   - patience: How long to wait where others are connected already, as many as the program takes.
  ///   - givesUp: Whether to wait for an answer no longer.
  init(
    _ word: String, environment: [String: String], admits: (Int) -> Bool = LiveProcess.admits,
    patience: Duration = LiveProcess.patience, orUntil givesUp: () -> Bool
  ) throws(Failure) {
    number = Int(word)
    title = word
    connection = try Self.connection(to: word, environment, admits, patience, givesUp)
    try greet(orUntil: givesUp)
  }

  /// Whether this user asks programs of another one: only user 0 does, and only what user 0 runs is asked by all.
  static func admits(user: Int) -> Bool {
    let own = RunningProcess.ownUser
    return own == 0 || user == own || user == 0
  }

  private static func connection(
    to word: String, _ environment: [String: String], _ admits: (Int) -> Bool, _ patience: Duration,
    _ givesUp: () -> Bool
  ) throws(Failure) -> LocalConnection {
    if let number = Int(word) {
      return try connection(to: RunningProcess(number: number), environment, admits, patience, givesUp)
    }
    do throws(SystemError) {
      let connection = try LocalConnection(to: word, within: patience, orUntil: givesUp)
      if let user = connection.peer()?.user, admits(user) { return connection }
    } catch {
      if error.isTemporary { throw givesUp() ? .interrupted : .busy(word) }
      throw error.isDenial ? .foreign(word) : .noServer(path: word, reason: error.reason)
    }
    throw .foreign(word)
  }

  private static func connection(
    to process: RunningProcess, _ environment: [String: String], _ admits: (Int) -> Bool, _ patience: Duration,
    _ givesUp: () -> Bool
  ) throws(Failure) -> LocalConnection {
    guard process.isThere else { throw .noProcess(process.number) }
    let user = process.user ?? RunningProcess.ownUser
    guard admits(user) else { throw .foreign("process \(process.number)") }
    let places = LivePlaces(user: user, process: process.number).all([process.environment, environment])
    for place in places {
      do throws(SystemError) {
        let connection = try LocalConnection(to: place, within: patience, orUntil: givesUp)
        // Who has taken the number of a process that has ended, or the place of its socket, is somebody else.
        guard let peer = connection.peer(), peer.user == user, peer.process == nil || peer.process == process.number
        else { continue }
        return connection
      } catch {
        if error.isTemporary { throw givesUp() ? .interrupted : .busy("process \(process.number)") }
      }
    }
    throw .notServing(process.number, places: places)
  }

  private func greet(orUntil givesUp: () -> Bool) throws(Failure) {
    let line = try answer(to: "version", orUntil: givesUp)
    guard let greeting = try? decoded(Greeting.self, fromJSON: line) else {
      throw .unlike(path: connection.path, reason: "it answers something else than Weir's inspector does")
    }
    if greeting.error?.contains("another user") == true { throw .foreign(title) }
    guard let version = greeting.version else {
      let reason = greeting.error.map { "it says: " + excerpt(of: $0) }
      throw .unlike(path: connection.path, reason: reason ?? "it tells no version")
    }
    guard version == Self.version else {
      throw .unlike(
        path: connection.path,
        reason: "it speaks version \(version) of the format, and this gauge version \(Self.version)")
    }
    if number == nil { number = greeting.process }
    let names = [number.map(String.init), greeting.program.map { excerpt(of: $0) }].compactMap { $0 }
    if !names.isEmpty { title = names.joined(separator: " ") }
  }

  /// Takes a look at the streams.
  func snapshot(orUntil givesUp: () -> Bool) throws(Failure) -> LiveGraph {
    let line = try answer(to: "snapshot", orUntil: givesUp)
    if let graph = try? decoded(LiveGraph.self, fromJSON: line) { return graph }
    let reason =
      if let complaint = try? decoded(Complaint.self, fromJSON: line) {
        "it says: " + excerpt(of: complaint.error)
      } else {
        "what it answers is no graph of streams: " + excerpt(of: String(decoding: line.prefix(200), as: UTF8.self))
      }
    throw .unlike(path: connection.path, reason: reason)
  }

  private func answer(to request: String, orUntil givesUp: () -> Bool) throws(Failure) -> [UInt8] {
    switch connection.ask(request, within: Self.patience, orUntil: givesUp) {
    case .line(let line): return line
    case .ended: throw .ended(title)
    case .overdue: throw .silent(title)
    case .tooLong: throw .unlike(path: connection.path, reason: "its answer is too long")
    case .givenUp: throw .interrupted
    }
  }
}

/// Where a process's socket may be.
struct LivePlaces {
  let user: Int
  let process: Int

  /// The places by what the process and this one have in their environments, each once.
  func all(_ environments: [[String: String]]) -> [String] {
    var places: [String] = []
    for environment in environments {
      let wish = environment["WEIR_INSPECT"] ?? ""
      if wish.hasPrefix("serve:/") { places.append(String(wish.dropFirst("serve:".count))) }
      for name in ["XDG_RUNTIME_DIR", "TMPDIR"] {
        var folder = environment[name] ?? ""
        while folder.hasSuffix("/") { folder.removeLast() }
        if folder.hasPrefix("/") { places.append(usual(in: folder)) }
      }
    }
    var seen: Set<String> = []
    return (places + [usual(in: "/run/user/\(user)"), usual(in: "/tmp")]).filter { seen.insert($0).inserted }
  }

  private func usual(in folder: String) -> String { "\(folder)/weir-\(user)/\(process).sock" }
}
