// The streams of a process, each with what passes it, from two looks at them.

/// One stream, from its origins to its end.
struct LiveStream: Hashable, Identifiable {
  /// The number of the subscription at its end.
  var id: Int
  /// The names from an origin to the end: where several streams meet, those of the one that has brought most values.
  var path: String
  /// Values per second at its end; `nil` where there was no earlier look.
  var rate: Double?
  /// How many values are kept in it; `nil` where nobody tells.
  var waiting: Int?
  /// How many values it has dropped; `nil` where nobody tells.
  var dropped: Int?
  /// How long values have taken to its end since the earlier look, in nanoseconds, on average; `nil` where none was
  /// timed.
  var latency: Double?
  /// In nanoseconds.
  var age: Int
  /// What is wrong with it.
  var findings: [String]
}

/// What streams are ordered by.
enum LiveOrder: String, CaseIterable, Sendable {
  case rate, waiting, dropped, age, latency

  /// The next one of a circle of all.
  var next: LiveOrder {
    let all = Self.allCases
    return all[((all.firstIndex(of: self) ?? 0) + 1) % all.count]
  }

  /// What a stream is ordered by; the most comes first, and what is unknown last.
  fileprivate func value(_ stream: LiveStream) -> Double {
    switch self {
    case .rate: stream.rate ?? -1
    case .waiting: stream.waiting.map(Double.init) ?? -1
    case .dropped: stream.dropped.map(Double.init) ?? -1
    case .age: Double(stream.age)
    case .latency: stream.latency ?? -1
    }
  }
}

/// The looks at a process, and what the newest of them shows.
struct LiveStreams {
  /// The newest look; `nil` before the first one.
  private(set) var graph: LiveGraph?
  /// The one before it.
  private var former: LiveGraph?
  private var findings = LiveFindings()

  /// Takes the next look.
  mutating func take(_ graph: LiveGraph) {
    former = self.graph
    self.graph = graph
    findings.take(graph)
  }

  /// All streams, in an order; of two alike the older one comes first.
  func ordered(by order: LiveOrder) -> [LiveStream] {
    guard let graph else { return [] }
    return graph.streams.map { stream($0, $1, graph) }.sorted { left, right in
      let (first, second) = (order.value(left), order.value(right))
      return first != second ? first > second : left.id < right.id
    }
  }

  private func stream(_ id: Int, _ members: [LiveGraph.Subscription], _ graph: LiveGraph) -> LiveStream {
    let end = members.first { $0.id == id }
    return LiveStream(
      id: id, path: Self.path(members, to: id), rate: end.flatMap(rate),
      waiting: Self.sum(members) {
        guard $0.waiting != nil || $0.untaken != nil else { return nil }
        return ($0.waiting ?? 0).addingReportingOverflow($0.untaken ?? 0).partialValue
      }, dropped: Self.sum(members, \.dropped), latency: end.flatMap(latency), age: end?.age ?? 0,
      findings: members.flatMap(findings.words))
  }

  private static func sum(
    _ members: [LiveGraph.Subscription], _ count: (LiveGraph.Subscription) -> Int?
  ) -> Int? {
    members.compactMap(count).reduce(nil) { sum, count in
      let (total, isTooMuch) = (sum ?? 0).addingReportingOverflow(max(0, count))
      return isTooMuch ? .max : total
    }
  }

  /// The names on the way to the end, from the origin that has brought most.
  private static func path(_ members: [LiveGraph.Subscription], to end: Int) -> String {
    let above = Dictionary(grouping: members.filter { $0.downstream != nil }) { $0.downstream ?? 0 }
    var names: [String] = []
    var next = members.first { $0.id == end }
    if let next { names.append(next.subscriber) }
    while let subscription = next {
      names.append(subscription.publisher)
      next = above[subscription.id]?.max { ($0.delivered, $1.id) < ($1.delivered, $0.id) }
    }
    return names.reversed().map(briefName).joined(separator: " -> ")
  }

  /// Values per second since the earlier look, or since it was made.
  func rate(of subscription: LiveGraph.Subscription) -> Double? {
    guard let graph, let former else { return nil }
    let time = graph.time &- former.time
    let before = former[subscription.id]
    let seen = before == nil ? min(time, subscription.age) : time
    guard seen > 0 else { return nil }
    return max(0, Double(subscription.delivered) - Double(before?.delivered ?? 0)) * 1e9 / Double(seen)
  }

  private func latency(of end: LiveGraph.Subscription) -> Double? {
    guard let former, let now = end.latency else { return nil }
    let before = former[end.id]?.latency ?? .init(samples: 0, total: 0)
    let samples = now.samples &- before.samples
    guard samples > 0 else { return nil }
    return max(0, Double(now.total) - Double(before.total)) / Double(samples)
  }

  /// One stream as a tree: its end, and below each subscriber what it has subscribed to; what feeds a subject stands
  /// below the subscription to it. `nil` if there is no such subscription.
  ///
  /// - Parameter id: The number of any subscription of the stream.
  func tree(of id: Int) -> [String]? {
    guard let graph, let end = graph.end(of: id) else { return nil }
    var above = Dictionary(grouping: graph.subscriptions.filter { $0.downstream != nil }) { $0.downstream ?? 0 }
    for subscription in graph.subscriptions {
      for fed in subscription.feeds { above[fed, default: []].append(subscription) }
    }
    let place = [end.attachment?.text].compactMap { $0 }
    var (lines, shown) = ([briefName(end.subscriber) + inParentheses(place)], Set<Int>())
    var waiting = [(subscription: end, depth: 0)]
    while let (subscription, depth) = waiting.popLast() {
      guard shown.insert(subscription.id).inserted else { continue }
      // Beyond that nobody sees how deep it is, and a way of thousands would fill the memory with spaces.
      let indent = String(repeating: "  ", count: min(depth, 30))
      lines.append(indent + "- " + line(subscription))
      for finding in findings.words(about: subscription) { lines.append(indent + "    " + finding) }
      for upstream in (above[subscription.id] ?? []).reversed() { waiting.append((upstream, depth + 1)) }
    }
    return lines
  }

  /// Places behind a name, if there are any.
  private func inParentheses(_ places: [String]) -> String {
    places.isEmpty ? "" : " (\(places.map(briefName).joined(separator: ", ")))"
  }

  private func line(_ subscription: LiveGraph.Subscription) -> String {
    var parts = [rate(of: subscription).map(rateText) ?? "rate unavailable"]
    if !subscription.isActive { parts.insert(briefName(subscription.state), at: 0) }
    parts.append("delivered \(subscription.delivered)")
    parts.append("demand \(subscription.demand.map(String.init) ?? "unlimited")")
    if let waiting = subscription.waiting { parts.append("waiting \(waiting)") }
    if let untaken = subscription.untaken { parts.append("untaken \(untaken)") }
    if let dropped = subscription.dropped { parts.append("dropped \(dropped)") }
    let places = (subscription.operators ?? []).compactMap(\.site.text)
    return "\(briefName(subscription.publisher)) \(subscription.id)\(inParentheses(places)): "
      + parts.joined(separator: ", ")
  }
}
