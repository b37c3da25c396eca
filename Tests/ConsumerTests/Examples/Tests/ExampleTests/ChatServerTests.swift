// Tests of the chat server, in virtual time.

import Combine
import Dispatch
import Testing
import WeirTesting

@testable import ChatServer

struct ChatServerTests {
  private let room = ChatRoom(history: 2)
  private let clock = TestScheduler()

  private func join(
    _ name: String, lines: PassthroughSubject<String, Never> = PassthroughSubject(), backlog: Int = 4,
    taking: Int = .max
  ) -> (session: Session, transcript: Transcript) {
    let transcript = Transcript()
    let session = Session(
      name: name, room: room, lines: lines, idleLimit: .seconds(60), clock: clock, backlog: backlog,
      write: transcript.append)
    session.connectionTakes(taking)
    return (session, transcript)
  }

  @Test func everybodySeesWhatAnybodySays() {
    let lines = PassthroughSubject<String, Never>()
    let ada = join("ada", lines: lines)
    let bob = join("bob")
    lines.send("hello")
    lines.send("")
    clock.advance()
    #expect(ada.transcript.posts.map(\.description) == ["1 * ada joined", "2 * bob joined", "3 ada: hello"])
    #expect(bob.transcript.posts == ada.transcript.posts)
  }

  @Test func threadsThatPostAtOnceGetOneOrder() {
    let ada = join("ada")
    let bob = join("bob")
    DispatchQueue.concurrentPerform(iterations: 4) { thread in
      for number in 1...100 { room.post(.said("\(number)"), by: "\(thread)") }
    }
    #expect(ada.transcript.posts.map(\.number) == Array(1...402))
    #expect(bob.transcript.posts == ada.transcript.posts)
    for thread in 0..<4 {
      let said = ada.transcript.posts.filter { $0.author == "\(thread)" }.map(\.content)
      #expect(said == (1...100).map { .said("\($0)") })
    }
  }

  @Test func whoComesLateSeesTheNewestPosts() {
    for number in 1...5 { room.post(.said("\(number)"), by: "ada") }
    let bob = join("bob")
    #expect(bob.transcript.posts.map(\.number) == [4, 5, 6])
  }

  @Test func whoSaysNothingIsLetGo() {
    let lines = PassthroughSubject<String, Never>()
    let ada = join("ada", lines: lines)
    let bob = join("bob")
    clock.advance(by: .seconds(59))
    lines.send("still here")
    clock.advance(by: .seconds(2))
    #expect(bob.session.ended == .idle)
    #expect(ada.session.ended == nil)
    #expect(ada.transcript.posts.last?.description == "4 * bob left (idle)")
    clock.advance(by: .seconds(60))
    #expect(ada.session.ended == .idle)
    #expect(clock.scheduledCount == 0)
  }

  @Test func whoIsTooSlowReadsItsBacklogAndIsLetGo() {
    let ada = join("ada")
    let eve = join("eve", backlog: 3, taking: 1)
    for number in 1...10 { room.post(.said("\(number)"), by: "ada") }
    #expect(eve.transcript.posts.count == 1)
    #expect(eve.session.ended == nil)
    eve.session.connectionTakes(10)
    #expect(eve.transcript.posts.count == 4)
    #expect(eve.session.ended == .tooSlow)
    #expect(ada.transcript.posts.last?.content == .left(.tooSlow))
  }

  @Test func whoHangsUpReadsNothingMore() {
    let lines = PassthroughSubject<String, Never>()
    let ada = join("ada", lines: lines)
    lines.send(completion: .finished)
    clock.advance()
    room.post(.said("anybody?"), by: "bob")
    #expect(ada.session.ended == .hungUp)
    #expect(ada.transcript.posts.count == 1)
  }

  @Test func closingTheRoomEndsEverySessionOnceItHasReadAll() {
    let ada = join("ada")
    let bob = join("bob", taking: 1)
    room.close()
    #expect(ada.session.ended == .roomClosed)
    #expect(bob.session.ended == nil)
    bob.session.connectionTakes(10)
    #expect(bob.session.ended == .roomClosed)
    #expect(bob.transcript.posts == ada.transcript.posts)
  }
}
