// The server with four robots that talk at once, two clients that keep up, one that doesn't, and one that comes late.

import Combine
import Dispatch
import Synchronization

/// What was written to a client's connection.
final class Transcript: Sendable {
  private let written = Mutex<[Post]>([])
  var posts: [Post] { written.withLock { $0 } }
  func append(_ post: Post) { written.withLock { $0.append(post) } }
}

@main
struct Program {
  static func main() {
    let room = ChatRoom(history: 3)
    let clock = DispatchQueue(label: "idle sessions")
    var keyboards: [String: PassthroughSubject<String, Never>] = [:]
    var transcripts: [String: Transcript] = [:]

    func join(_ name: String, taking count: Int) -> Session {
      let keyboard = PassthroughSubject<String, Never>()
      let transcript = Transcript()
      (keyboards[name], transcripts[name]) = (keyboard, transcript)
      let session = Session(
        name: name, room: room, lines: keyboard, idleLimit: .seconds(3600), clock: clock, backlog: 16,
        write: transcript.append)
      session.connectionTakes(count)
      return session
    }

    let ada = join("ada", taking: .max)
    let bob = join("bob", taking: .max)
    let eve = join("eve", taking: 3)
    keyboards["ada"]?.send("hello")
    keyboards["eve"]?.send("")
    clock.sync {}  // `timeout` hands lines on by its scheduler: they are in the room now

    DispatchQueue.concurrentPerform(iterations: 4) { robot in
      for line in 1...250 { room.post(.said("line \(line)"), by: "robot \(robot)") }
    }
    let seen = transcripts["ada"]?.posts ?? []
    print("ada read \(seen.count) posts, numbered without a gap: \(seen.map(\.number) == Array(1...seen.count))")
    for robot in 0..<4 {
      let said = seen.filter { $0.author == "robot \(robot)" }.map(\.content)
      print("robot \(robot)'s lines in order: \(said == (1...250).map { .said("line \($0)") })")
    }
    print("bob read the same from his arrival on: \(transcripts["bob"]?.posts.suffix(1000) == seen.suffix(1000))")

    print("eve read \(transcripts["eve"]?.posts.count ?? 0) posts, still here: \(eve.ended == nil)")
    eve.connectionTakes(100)
    print("eve read \(transcripts["eve"]?.posts.count ?? 0) posts, ended: \(eve.ended.map { "\($0)" } ?? "no")")

    keyboards["bob"]?.send("where is eve?")
    keyboards["bob"]?.send(completion: .finished)
    clock.sync {}
    let zoe = join("zoe", taking: .max)
    room.close()
    for (name, session) in [("ada", ada), ("bob", bob), ("zoe", zoe)] {
      print("\(name) ended: \(session.ended.map { "\($0)" } ?? "no"), having read last:")
      for post in transcripts[name]?.posts.suffix(2) ?? [] { print("  \(post)") }
    }
  }
}
