// Tests of what can be carried.

import TestKit
import Testing
import Weir
import WeirExtras

@Suite struct StreamContextTests {
  @Test func aTaskLocalValueIsOne() async {
    let captured = by("a") { Sender.$id.capture() }
    #expect(captured == "a")
    #expect(Sender.$id.bind(captured) { Sender.id } == "a")
    #expect(await Sender.$id.bind(captured, isolation: nil) { await seen() } == "a 0")
    #expect(Sender.id == "nobody")
  }

  @Test func severalAreOne() async {
    let joined = JoinedContext(Sender.$id, Sender.$span)
    let captured = by("a", span: 7) { joined.capture() }
    #expect(joined.bind(captured) { "\(Sender.id) \(Sender.span)" } == "a 7")
    #expect(await joined.bind(captured, isolation: nil) { await seen() } == "a 7")
    #expect(Sender.span == 0)
  }

  private func seen() async -> String {
    await Task.yield()
    return "\(Sender.id) \(Sender.span)"
  }

  /// A context of a project's own: the depth of something, kept elsewhere than in task-local values.
  private struct Depth: StreamContext {
    static let depth = Counter()

    func capture() -> Int { Self.depth.value }

    func bind<Result>(_ captured: Int, _ body: () throws -> Result) rethrows -> Result {
      let change = captured - Self.depth.value
      Self.depth.add(change)
      defer { Self.depth.add(-change) }
      return try body()
    }

    func bind<Result>(
      _ captured: Int, isolation: isolated (any Actor)?, _ body: () async throws -> Result
    ) async rethrows -> Result { fatalError("nothing asynchronous is asked for") }
  }

  @Test func anotherKindOfContext() {
    let (subject, scheduler, log) = (PassthroughSubject<Int, Never>(), ManualScheduler(), Log<Int>())
    let sink = subject.carrying(Depth()).receive(on: scheduler).sink { _ in log.add(Depth.depth.value) }
    Depth.depth.add(3)
    subject.send(1)
    Depth.depth.add(-3)
    scheduler.run()
    #expect(log.all == [3])
    #expect(Depth.depth.value == 0)
    sink.cancel()
  }
}
