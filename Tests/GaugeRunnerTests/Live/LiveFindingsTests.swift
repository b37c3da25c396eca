// What is wrong with live streams, by successive looks at them.

import Testing

@testable import GaugeRunner

@Suite struct LiveFindingsTests {
  private func words(_ looks: [LiveGraph], about id: Int = 1) -> [String] {
    var findings = LiveFindings()
    for look in looks { findings.take(look) }
    return looks.last?[id].map(findings.words) ?? []
  }

  @Test func `values that nobody asks for are told with the time since they were seen first`() {
    func look(_ seconds: Int) -> LiveGraph {
      .at(
        seconds, .init(1, "Filter", "Slow", requested: 4, delivered: 4),
        .init(2, "Buffer", to: 1, "Filter", requested: 4, delivered: 4, waiting: 16))
    }
    #expect(words([look(10)], about: 2) == [])
    #expect(words([look(10), look(12)], about: 2) == ["has 16 values, no demand from Slow for 2 s"])
    #expect(words([look(10), look(12), look(15)], about: 2) == ["has 16 values, no demand from Slow for 5 s"])
    #expect(words([look(10), look(15)], about: 1) == [])
  }

  @Test func `whoever asks, takes or delivers has not stalled`() {
    func look(_ seconds: Int, requested: Int? = 4, delivered: Int = 4, waiting: Int? = 1) -> LiveGraph {
      .at(seconds, .init(1, "Buffer", requested: requested, delivered: delivered, waiting: waiting))
    }
    #expect(words([look(0), look(9, requested: 5)]) == [])
    #expect(words([look(0), look(9, delivered: 5)]) == [])
    #expect(words([look(0), look(9, waiting: 0)]) == [])
    #expect(words([look(0, waiting: nil), look(9)]) == [])
    // The time begins anew.
    #expect(
      words([look(0), look(5), look(6, requested: 5), look(7, requested: 5)])
        == ["has 1 value, Buffer has passed none for 1 s"])
    #expect(
      words([look(0, requested: nil), look(3, requested: nil)]) == ["has 1 value, Buffer has passed none for 3 s"])
  }

  @Test func `who has been called all the time is told`() {
    func look(_ seconds: Int, _ isDelivering: Bool?) -> LiveGraph {
      var subscription = LiveGraph.Subscription(1, "ReceiveOn", waiting: 2)
      subscription.isDelivering = isDelivering
      return .at(seconds, subscription)
    }
    #expect(words([look(0, true), look(2, true), look(4, true)]) == ["has 2 values, Sink has been at one for 4 s"])
    for middle in [false, nil] {
      #expect(
        words([look(0, true), look(2, middle), look(4, true)]) == ["has 2 values, ReceiveOn has passed none for 4 s"])
    }
  }

  @Test func `what is delayed on purpose has not stalled`() {
    func look(_ seconds: Int) -> LiveGraph {
      var subscription = LiveGraph.Subscription(1, "Delay", waiting: 2)
      subscription.delay = 5_000_000_000
      return .at(seconds, subscription)
    }
    #expect(words([look(0), look(4)]) == [])
    #expect(words([look(0), look(4), look(5)]) == ["has 2 values, Delay has passed none for 5 s"])
  }

  @Test func `a loop that takes nothing is told`() {
    func look(_ seconds: Int, delivered: Int, untaken: Int) -> LiveGraph {
      .at(seconds, .init(1, "PassthroughSubject", "Loop", delivered: delivered, untaken: untaken))
    }
    let first = look(0, delivered: 5, untaken: 3)
    #expect(words([first, look(4, delivered: 7, untaken: 5)]) == ["has 5 values, Loop has taken none for 4 s"])
    #expect(words([first, look(4, delivered: 7, untaken: 4)]) == [])
  }

  @Test func `what looks like a leak at two looks is one`() {
    func over(_ seconds: Int) -> LiveGraph { .at(seconds, .init(1, "Map", state: "cancelled")) }
    func lost(_ seconds: Int) -> LiveGraph { .at(seconds, .init(1, "Map", isSubscriptionHeld: false)) }
    #expect(words([over(0)]) == [])
    #expect(words([over(0), over(1)]) == ["leak: over, and its publisher still has the subscriber"])
    #expect(words([lost(0), lost(1)]) == ["leak: nobody has the subscription to cancel it"])
    #expect(words([lost(0), over(1)]) == [])
  }

  @Test func `names of strangers are short and steer no terminal`() {
    let name = "\u{1b}[2J" + String(repeating: "x", count: 100)
    let graphs = [0, 3].map { LiveGraph.at($0, .init(1, "Buffer", name, requested: 0, waiting: 1)) }
    let text = words(graphs).joined()
    #expect(!text.contains("\u{1b}"))
    #expect(text.count < 90)
  }

  @Test func `times are told in their largest unit`() {
    let seconds = 1_000_000_000
    #expect(briefTime(0) == "0 ms")
    #expect(briefTime(-5) == "0 ms")
    #expect(briefTime(999_999_999) == "999 ms")
    #expect(briefTime(119 * seconds) == "119 s")
    #expect(briefTime(120 * seconds) == "2 min")
    #expect(briefTime(7_200 * seconds) == "2 h")
    #expect(briefTime(172_800 * seconds) == "2 d")
  }
}
