// Tests of the examples of the documentation page `ContextAndMetrics.md`.

import TestKit
import Testing
import Weir
import WeirExtras

@Suite struct ContextAndMetricsTests {
  private enum Request {
    @TaskLocal static var id = "none"
    @TaskLocal static var user = "nobody"
  }

  private let orders = PassthroughSubject<Int, Never>()
  private let log = Log<String>()

  /// With virtual time.
  @Test func theExampleOfTwoQueues() {
    let (scheduler, log) = (ManualScheduler(), log)
    let handling =
      orders
      .carrying(Request.$id, Request.$user)
      .debounce(for: .milliseconds(5), scheduler: scheduler)
      .map { "order \($0) of \(Request.user)" }
      .receive(on: scheduler)
      .sink { log.add("\(Request.id) \($0)") }
    Request.$id.withValue("a7") {
      Request.$user.withValue("Ann") { orders.send(42) }
    }
    scheduler.advance(by: .milliseconds(5))
    #expect(log.all == ["a7 order 42 of Ann"])
    handling.cancel()
  }

  @Test func theExampleOfASubject() {
    let log = log
    let events = CarryingSubject<String, Never, _>(carrying: Request.$id, contention: .handOver)
    let listening = events.sink { log.add("\(Request.id) \($0)") }
    Request.$id.withValue("b8") { events.send("opened") }
    #expect(log.all == ["b8 opened"])
    listening.cancel()
  }

  @Test func theExampleOfStreamsThatAreJoined() {
    let (others, log) = (PassthroughSubject<Int, Never>(), log)
    let both =
      orders
      .carrying(Request.$id) { $0.merge(with: others.capturing(Request.$id)).contention(.handOver) }
      .sink { log.add("\(Request.id) \($0)") }
    Request.$id.withValue("a7") { orders.send(1) }
    Request.$id.withValue("b8") { others.send(2) }
    #expect(log.all == ["a7 1", "b8 2"])
    both.cancel()
  }

  @Test func theExampleOfALoop() async {
    let log = log
    func store(_ number: Int) async { log.add("\(Request.id) \(number)") }
    let pairs = orders.capturing(Request.$id).values(buffering: .unbounded)
    var iterator = pairs.makeAsyncIterator()
    send(1, of: "a7")
    send(2, of: "b8")
    for _ in 1...2 {
      let order = await iterator.next()
      await order?.bind { await store($0) }
    }
    #expect(log.all == ["a7 1", "b8 2"])
  }

  private func send(_ order: Int, of id: String) { Request.$id.withValue(id) { orders.send(order) } }

  @Test func theExampleOfFigures() {
    let metrics = StreamMetrics()
    let serving =
      orders
      .measured("requests", labels: ["part": "api"], in: metrics)
      .sink { [log] in log.add("\($0)") }
    for number in 1...100 { orders.send(number) }
    let reading = metrics["requests", labels: ["part": "api"]]
    #expect(reading?.values == 100)
    #expect(reading?.active == 1)
    #expect(reading?.handling.quantile(0.99) != nil)
    #expect(
      metrics.openMetrics().contains(
        """
        # TYPE weir_stream_values counter
        # HELP weir_stream_values Values that were passed on.
        weir_stream_values_total{stream="requests",part="api"} 100

        """))
    serving.cancel()
  }
}
