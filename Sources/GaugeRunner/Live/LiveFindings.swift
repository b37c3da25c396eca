// What is wrong with live streams, by the rules of StreamGraph: values that wait and don't pass, and subscriptions that
// nobody wants any more. Gauge doesn't depend on the package that has these rules.

/// What successive looks at the live streams of a process have in common.
struct LiveFindings {
  /// The looks.
  private var newest: LiveGraph?
  /// By subscription whose values don't pass: when that was seen first, in nanoseconds of the process's clock.
  private var stalled: [Int: Int] = [:]
  /// Subscriptions whose subscriber has not returned from one call since values stand still.
  private var busy: Set<Int> = []
  /// Subscriptions that have looked like a leak twice.
  private var leaking: Set<Int> = []

  /// Takes the next look.
  mutating func take(_ graph: LiveGraph) {
    defer { newest = graph }
    guard let former = newest else { return }
    var (still, stillBusy): ([Int: Int], Set<Int>) = ([:], [])
    leaking = []
    for subscription in graph.subscriptions {
      guard let before = former[subscription.id] else { continue }
      if Self.waits(subscription, since: before) {
        let isNew = stalled[subscription.id] == nil
        still[subscription.id] = stalled[subscription.id] ?? former.time
        let wasBusy = isNew ? before.isDelivering == true : busy.contains(subscription.id)
        if wasBusy, subscription.isDelivering == true { stillBusy.insert(subscription.id) }
      }
      if let leak = Self.leak(subscription), leak == Self.leak(before) { leaking.insert(subscription.id) }
    }
    (stalled, busy) = (still, stillBusy)
  }

  /// Whether values were there at both looks, none has passed between them, and nobody has asked for more.
  private static func waits(_ now: LiveGraph.Subscription, since before: LiveGraph.Subscription) -> Bool {
    guard now.isActive, now.requested == before.requested else { return false }
    if let untaken = now.untaken, untaken > 0, let formerly = before.untaken, formerly > 0 {
      return now.delivered &- untaken == before.delivered &- formerly
    }
    return now.delivered == before.delivered && (now.waiting ?? 0) > 0 && (before.waiting ?? 0) > 0
  }

  /// What looks like a leak.
  private static func leak(_ subscription: LiveGraph.Subscription) -> String? {
    if subscription.isOver, subscription.isSubscriberHeld { return "over, and its publisher still has the subscriber" }
    if subscription.isActive, !subscription.isSubscriptionHeld { return "nobody has the subscription to cancel it" }
    return nil
  }

  /// What is wrong with a subscription, in words.
  func words(about subscription: LiveGraph.Subscription) -> [String] {
    var words: [String] = []
    if let since = stalled[subscription.id], let graph = newest, graph.time &- since >= subscription.delay ?? 0 {
      words.append(stall(subscription, graph, lasting: graph.time &- since))
    }
    if leaking.contains(subscription.id), let leak = Self.leak(subscription) { words.append("leak: " + leak) }
    return words
  }

  private func stall(_ subscription: LiveGraph.Subscription, _ graph: LiveGraph, lasting time: Int) -> String {
    let time = briefTime(time)
    if let untaken = subscription.untaken, untaken > 0 {
      return "has \(counted(untaken)), \(briefName(subscription.subscriber)) has taken none for \(time)"
    }
    let values = counted(subscription.waiting ?? 0)
    guard subscription.demand == 0 else {
      if busy.contains(subscription.id) {
        let last = Self.last(from: subscription, graph) { $0.isDelivering == true }
        return "has \(values), \(briefName(last.subscriber)) has been at one for \(time)"
      }
      return "has \(values), \(briefName(subscription.publisher)) has passed none for \(time)"
    }
    let asleep = Self.last(from: subscription, graph) { $0.demand == 0 }
    return "has \(values), no demand from \(briefName(asleep.subscriber)) for \(time)"
  }

  /// The last subscription on the way to the end of the stream up to which all are of a kind.
  private static func last(
    from subscription: LiveGraph.Subscription, _ graph: LiveGraph, while isOfKind: (LiveGraph.Subscription) -> Bool
  ) -> LiveGraph.Subscription {
    var (last, next) = (subscription, subscription.downstream)
    while let id = next, let following = graph[id], isOfKind(following) {
      last = following
      next = following.downstream
    }
    return last
  }

  private func counted(_ count: Int) -> String { count == 1 ? "1 value" : "\(count) values" }
}

/// What a publisher or a subscriber calls itself, as far as there is room for it: a value may show all that is in it.
func briefName(_ name: String) -> String { Table.cut(legible(name), to: 40, inMiddle: true) }

/// A time in nanoseconds, in the largest unit of which it has one.
func briefTime(_ nanoseconds: Int) -> String {
  let seconds = max(0, nanoseconds) / 1_000_000_000
  switch seconds {
  case 0: return "\(max(0, nanoseconds) / 1_000_000) ms"
  case 1..<120: return "\(seconds) s"
  case ..<7200: return "\(seconds / 60) min"
  case ..<172_800: return "\(seconds / 3600) h"
  default: return "\(seconds / 86_400) d"
  }
}
