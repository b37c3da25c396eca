// Tests of errands to an upstream: in order, a job for each, from any thread.

import TestKit
import Testing

@testable import Weir

@Suite struct RemoteLinkTests {
  private let scheduler = LooseScheduler()
  private let upstream = RecordingSubscription()

  private func makeLink() -> RemoteLink<LooseScheduler> {
    let link = RemoteLink(scheduler: scheduler, options: nil, name: "Remote")
    #expect(link.connect(upstream))
    return link
  }

  @Test func eachErrandHasAJob() {
    let link = makeLink()
    for count in 1...3 { link.request(.max(count)) }
    #expect(scheduler.entries.count == 3)
    scheduler.run(2)
    #expect(upstream.history == [.requested(.max(1))])
    scheduler.run(0, 1)
    #expect(upstream.history == [.requested(.max(1)), .requested(.max(2)), .requested(.max(3))])
    link.request(.max(4))
    #expect(scheduler.entries.count == 4)
    scheduler.run(3)
    #expect(upstream.history.last == .requested(.max(4)))
  }

  /// Another thread's job comes while an errand is done: it returns, and the one at work takes its turn.
  @Test func aJobThatFindsAnErrandUnderWayLeavesItsTurn() {
    let link = makeLink()
    for count in 1...3 { link.request(.max(count)) }
    upstream.onRequest = { if $0 == .max(1) { onThreads(1) { _ in scheduler.run(1, 2) } } }
    scheduler.run(0)
    #expect(upstream.history == [.requested(.max(1)), .requested(.max(2)), .requested(.max(3))])
  }

  @Test func errandsOfSeveralThreadsAreAllDone() {
    let link = makeLink()
    onThreads(4) { _ in for _ in 0..<500 { link.request(.max(1)) } }
    #expect(scheduler.entries.count == 2_000)
    for entry in scheduler.entries { entry.action() }
    #expect(upstream.history == Array(repeating: .requested(.max(1)), count: 2_000))
  }

  @Test func aCancellationWithinTheJobIsDoneAtOnce() {
    let link = makeLink()
    upstream.onRequest = { _ in
      #expect(link.isRunningHere)
      link.cancel()
      #expect(upstream.history == [.requested(.max(1)), .cancelled])
    }
    link.request(.max(1))
    link.request(.max(2))
    #expect(!link.isRunningHere)
    scheduler.run(0)
    #expect(upstream.history == [.requested(.max(1)), .cancelled])
    #expect("\(link)" == "Remote")
  }

  @Test func errandsThatAreDoneTakeNoRoomWhileOthersWait() {
    var commands = RemoteLink<LooseScheduler>.Commands()
    var taken: [Subscribers.Demand] = []
    var most = 0
    for number in 0..<1_000 {
      commands.append(.request(.max(number)))
      if number >= 3, case .request(let demand)? = commands.popFirst() { taken.append(demand) }
      most = max(most, commands.all.count)
    }
    #expect(most == 5)
    while case .request(let demand)? = commands.popFirst() { taken.append(demand) }
    #expect(taken == (0..<1_000).map { Subscribers.Demand.max($0) })
    let left = commands.all.count
    #expect(left == 0)
  }

  @Test func nothingIsScheduledBeforeTheSubscriptionOrAfterTheEnd() {
    let early = RemoteLink(scheduler: scheduler, options: nil, name: "Remote")
    early.request(.max(1))
    early.cancel()
    #expect(scheduler.entries.isEmpty)
    let link = makeLink()
    link.complete()
    link.request(.max(1))
    link.cancel()
    #expect(scheduler.entries.isEmpty)
  }
}
