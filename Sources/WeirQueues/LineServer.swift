// A socket at which programs of the same user ask by lines, and are answered by lines, on a thread of its own.

import CMachine

/// Answers programs of this machine that connect to a file. Whoever isn't admitted is told so, and no more.
///
/// One thread serves all connections, and waits for none of them: a program that doesn't read what it asked for keeps
/// its own connection alone from going on. The thread calls nobody but `admits` and `answer`.
package final class LineServer: Sendable {
  /// Why there is no server.
  package struct Failure: Error, Hashable, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
  }

  /// What programs are answered with.
  package struct Answers: Sendable {
    /// Whether programs of a user may ask.
    let admits: @Sendable (Int) -> Bool
    /// What others are told.
    let refusal: String
    /// What stands for a line that is longer than any that is understood.
    let tooLong: String
    /// The answer to a line, without an end of line in it.
    let answer: @Sendable (String) -> String

    package init(
      admits: @escaping @Sendable (Int) -> Bool, refusal: String, tooLong: String,
      answer: @escaping @Sendable (String) -> String
    ) {
      self.admits = admits
      self.refusal = refusal
      self.tooLong = tooLong
      self.answer = answer
    }
  }

  /// The file.
  package let path: String
  /// The end of the pipe that wakes the thread for good; negative once it has been told.
  private let waker: Lock<Int32>

  /// Begins to serve.
  ///
  /// - Parameters:
  ///   - path: The file to connect to. A socket there that nobody answers at is replaced.
  ///   - name: What the system calls the thread.
  ///   - answers: What programs are answered with; called on the thread, one call at a time.
  package init(at path: String, named name: String, _ answers: Answers) throws(Failure) {
    let room = Int(machine_longest_socket_path())
    guard !path.isEmpty, !path.utf8.contains(0) else { throw Failure("'\(path)' is no path of a file") }
    guard path.utf8.count <= room else {
      throw Failure("\(path) has \(path.utf8.count) bytes, and the path of a socket at most \(room)")
    }
    // SAFETY: the path is bridged to a C string that outlives the call; so are those below.
    let listener = unsafe machine_listen(path)
    guard listener >= 0 else { throw Failure("\(path): \(Self.words(for: -listener))") }
    var ends: [Int32] = [-1, -1]
    // SAFETY: the array has the two elements that the call writes.
    let made = unsafe machine_make_pipe(&ends)
    let loop = LineServerLoop(listener: listener, waking: ends[0], answers)
    guard made >= 0, unsafe machine_remove_at_end(path) != 0, HelperThread.start(named: name, { loop.run() }) else {
      loop.close()
      if made >= 0 { machine_close_descriptor(ends[1]) }
      Self.remove(path)
      throw Failure("\(path): the system has no thread or no descriptors to give")
    }
    self.path = path
    waker = Lock(ends[1])
  }

  deinit { stop() }

  /// Removes the file, and ends all connections. Any thread may call it, also again.
  package func stop() {
    let end = waker.withLock { end in
      let former = end
      end = -1
      return former
    }
    guard end >= 0 else { return }
    Self.remove(path)
    machine_wake(end)
    // The thread finds the byte before it finds that the pipe has ended; either tells it to end.
    machine_close_descriptor(end)
  }

  private static func remove(_ path: String) {
    // SAFETY: the path is bridged to a C string that outlives the call.
    unsafe machine_remove_noted(path)
  }

  /// What is wrong, where a socket can't be made.
  private static func words(for error: Int32) -> String {
    switch error {
    case machine_error_exists: "there is a file already, and it is no socket"
    case machine_error_in_use: "somebody serves there already"
    case machine_error_missing: "there is no such folder"
    case machine_error_refused: "you may not write there"
    default: "no socket can be made there (error \(error) of the system)"
    }
  }
}

/// The user whom the process acts for.
package func currentUser() -> Int { Int(machine_user()) }

/// The number of the process.
package func currentProcess() -> Int { Int(machine_process()) }

/// What is the matter with a folder in which a socket is to be.
package enum FolderFlaw: Hashable, Sendable {
  /// There is none.
  case missing
  /// It is something else.
  case noFolder
  /// It belongs to another user.
  case foreign
  /// Others may put files in the place of those that are in it.
  case open
  /// The system's number of what else is wrong.
  case error(Int)

  /// `nil` where nothing is.
  private init?(_ code: Int32) {
    switch code {
    case Int32(machine_folder_is_safe.rawValue): return nil
    case Int32(machine_folder_is_missing.rawValue): self = .missing
    case Int32(machine_folder_is_none.rawValue): self = .noFolder
    case Int32(machine_folder_is_foreign.rawValue): self = .foreign
    case Int32(machine_folder_is_open.rawValue): self = .open
    default: self = .error(Int(-code))
    }
  }

  /// Looks at a folder that is the user's or the system's.
  package static func of(_ path: String) -> FolderFlaw? {
    // SAFETY: the path is bridged to a C string that outlives the call.
    FolderFlaw(unsafe machine_flaw_of_folder(path))
  }

  /// Makes a folder for the user alone where there is nothing, and looks at it.
  package static func making(_ path: String) -> FolderFlaw? {
    // SAFETY: as above.
    FolderFlaw(unsafe machine_make_own_folder(path))
  }
}

/// What the thread of a server runs.
private final class LineServerLoop {
  /// One program that has connected.
  private struct Connection {
    let descriptor: Int32
    /// What has come of a line.
    var coming: [UInt8] = []
    /// What is still to be sent. As long as there is something, nothing is read.
    var leaving: ArraySlice<UInt8> = []
    /// Whether it ends once all is sent.
    var isLast = false
  }

  /// How many bytes a line has at most.
  private static let longest = 1024
  /// How many programs are served at a time; others wait until one of these has gone.
  private static let most = 16

  private let listener: Int32
  private let waking: Int32
  private let answers: LineServer.Answers
  private var connections: [Connection] = []
  /// Whether the system has no descriptor for another connection: it is asked again a second later.
  private var isShort = false

  init(listener: Int32, waking: Int32, _ answers: LineServer.Answers) {
    self.listener = listener
    self.waking = waking
    self.answers = answers
  }

  /// Serves until the pipe says otherwise.
  func run() {
    while true {
      let takesMore = connections.count < Self.most && !isShort
      var awaited = [machine_awaited(descriptor: waking, writing: 0, ready: 0)]
      awaited += connections.map {
        machine_awaited(descriptor: $0.descriptor, writing: $0.leaving.isEmpty ? 0 : 1, ready: 0)
      }
      if takesMore { awaited.append(machine_awaited(descriptor: listener, writing: 0, ready: 0)) }
      // SAFETY: the array has as many entries as the call is told.
      unsafe machine_await(&awaited, awaited.count, isShort ? 1000 : -1)
      isShort = false
      if awaited[0].ready != 0 { break }
      // From the last one on, as those that have gone are taken out.
      for place in connections.indices.reversed() where awaited[place + 1].ready != 0 {
        if !goOn(&connections[place]) { machine_close_descriptor(connections.remove(at: place).descriptor) }
      }
      if takesMore, awaited[awaited.count - 1].ready != 0 { accept() }
    }
    close()
  }

  /// Closes everything.
  func close() {
    for connection in connections { machine_close_descriptor(connection.descriptor) }
    connections = []
    machine_close_descriptor(listener)
    if waking >= 0 { machine_close_descriptor(waking) }
  }

  private func accept() {
    let descriptor = machine_accept(listener)
    guard descriptor >= 0 else {
      isShort = -descriptor != machine_error_again
      return
    }
    var connection = Connection(descriptor: descriptor)
    let user = Int(machine_peer_user(descriptor))
    if user < 0 || !answers.admits(user) {
      connection.leaving = Array((answers.refusal + "\n").utf8)[...]
      connection.isLast = true
      // Who was refused has no place here: what doesn't fit now isn't sent.
      _ = send(&connection)
      return machine_close_descriptor(descriptor)
    }
    connections.append(connection)
  }

  /// Sends, or reads and answers.
  ///
  /// - Returns: Whether the connection goes on.
  private func goOn(_ connection: inout Connection) -> Bool {
    if connection.leaving.isEmpty, !read(&connection) { return false }
    while true {
      guard send(&connection) else { return false }
      guard connection.leaving.isEmpty else { return true }
      if connection.isLast { return false }
      guard let line = nextLine(of: &connection) else { return true }
      connection.leaving = Array((line + "\n").utf8)[...]
    }
  }

  private func read(_ connection: inout Connection) -> Bool {
    var piece = [UInt8](repeating: 0, count: Self.longest)
    // SAFETY: at most the array's own size is written to it.
    let count = unsafe piece.withUnsafeMutableBytes {
      unsafe machine_receive(connection.descriptor, $0.baseAddress, $0.count)
    }
    if count < 0 { return Int32(-count) == machine_error_again }
    connection.coming += piece.prefix(count)
    return count > 0
  }

  private func send(_ connection: inout Connection) -> Bool {
    while !connection.leaving.isEmpty {
      // SAFETY: the slice's own bytes are read.
      let count = unsafe connection.leaving.withUnsafeBytes {
        unsafe machine_send(connection.descriptor, $0.baseAddress, $0.count)
      }
      if count < 0 { return Int32(-count) == machine_error_again }
      connection.leaving = connection.leaving.dropFirst(count)
    }
    return true
  }

  /// The answer to the next line that is there as a whole.
  private func nextLine(of connection: inout Connection) -> String? {
    guard let end = connection.coming.firstIndex(of: UInt8(ascii: "\n")) else {
      guard connection.coming.count > Self.longest else { return nil }
      connection.isLast = true
      return answers.tooLong
    }
    var line = connection.coming[..<end]
    if line.last == UInt8(ascii: "\r") { line.removeLast() }
    let text = String(decoding: line, as: UTF8.self)
    connection.coming.removeFirst(end + 1)
    return answers.answer(text)
  }
}
