// Applies the rules for leaks and stalls to the live streams again and again, and says what they find.

import Foundation
import WeirQueues

/// What the rules find in successive graphs, each thing once.
struct RuleReport {
  /// Those of the last seconds: what ends may look like a leak until all of its subscribers have been told.
  private var recent: [StreamGraph] = []
  /// One graph a minute.
  private var minutes: [StreamGraph] = []
  /// A subscription as it was, and when that was.
  private typealias Look = (subscription: StreamGraph.Subscription, time: Int)
  /// The first looks since which the values of subscriptions have stood still, by the numbers of these.
  private var standing: [Int: Look] = [:]
  private var told: Set<String> = []

  /// Takes the next graph.
  ///
  /// - Returns: A line for each leak and stall that was not told before.
  mutating func take(_ graph: StreamGraph) -> [String] {
    var found: [String] = []
    if let former = recent.last(where: { graph.time &- $0.time >= 5_000_000_000 }) {
      found += graph.leaks(after: [former]).map { new($0.subscriptions, "leak: \($0)", of: $0.reason.rawValue) }
        .joined()
    }
    found += stalls(graph).map { new([$0.subscription], "stall: \($0)", of: "stall") }.joined()
    if minutes.last.map({ graph.time &- $0.time >= 60_000_000_000 }) ?? true {
      found += graph.leaks(after: minutes.suffix(2)).filter { $0.reason == .growing }
        .map { new([], "leak: \($0)", of: "\($0.path)\($0.place?.description ?? "")") }.joined()
      minutes = minutes.suffix(1) + [graph]
    }
    recent = recent.suffix(6) + [graph]
    return found
  }

  private mutating func stalls(_ graph: StreamGraph) -> [StreamGraph.Stall] {
    let looks = graph.subscriptions.map { subscription -> Look in
      if let known = standing[subscription.id], subscription.stands(since: known.subscription) { return known }
      return (subscription, graph.time)
    }
    standing = Dictionary(looks.map { ($0.subscription.id, $0) }, uniquingKeysWith: { first, _ in first })
    return zip(graph.subscriptions, looks).compactMap { subscription, look in
      graph.stall(of: subscription, since: look.subscription, at: look.time, lasting: 2_000_000_000)
    }
  }

  /// A line, unless the same was told of all subscriptions.
  private mutating func new(_ subscriptions: [Int], _ line: String, of kind: String) -> [String] {
    let keys = subscriptions.isEmpty ? [kind] : subscriptions.map { "\(kind) \($0)" }
    let isNew = keys.filter { told.insert($0).inserted }.isEmpty == false
    return isNew ? [line] : []
  }
}

#if WEIR_INSPECTION
  /// The thread that watches, which the environment asks for.
  enum RuleWatch {
    static func start() {
      let isStarted = HelperThread.start(named: "weir-watch") {
        var report = RuleReport()
        while true {
          for line in report.take(WeirInspector.snapshot()) { complain("WEIR_INSPECT: " + line) }
          Thread.sleep(forTimeInterval: 1)
        }
      }
      if !isStarted { complain("WEIR_INSPECT: the streams are not watched: the system has no thread to give") }
    }
  }
#endif
