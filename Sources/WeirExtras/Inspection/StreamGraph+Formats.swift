// A graph of live subscriptions as text, for Graphviz, and as JSON.

import Foundation

extension StreamGraph: CustomStringConvertible {
  /// A tree of lines for each stream: its end, and below each subscriber what it has subscribed to.
  ///
  /// ```text
  /// Sink (Orders.swift:14)
  /// - Map 1 (Orders.swift:13): active, demand unlimited, delivered 5, 20 ms
  ///   - PassthroughSubject 2 (Orders.swift:9): active, demand unlimited, delivered 5, 20 ms
  /// ```
  ///
  /// Behind a name is the line where the operator was made, and behind the end of a stream that where it was subscribed
  /// to, where these are known. What feeds a subject stands below the first of its subscriptions.
  ///
  /// - Complexity: O(*n* · *d*) in the number of subscriptions and the length of the longest way: each line is indented
  ///   by its place on the way.
  public var description: String {
    let upstreams = Dictionary(grouping: subscriptions.filter { above($0) != nil }) { above($0) ?? 0 }
    var (lines, shown) = ([String](), Set<Int>())
    func add(_ end: Subscription) {
      var waiting = [(subscription: end, depth: 0)]
      while let (subscription, depth) = waiting.popLast() {
        guard shown.insert(subscription.id).inserted else { continue }
        lines.append(String(repeating: "  ", count: depth) + "- " + subscription.line)
        for upstream in (upstreams[subscription.id] ?? []).reversed() { waiting.append((upstream, depth + 1)) }
      }
    }
    // Streams that lead in a circle, through subjects, have no end: the oldest subscription stands for that.
    for subscription in subscriptions.filter({ above($0) == nil }) + subscriptions
    where !shown.contains(subscription.id) {
      let place = above(subscription) == nil ? subscription.attachment?.place : nil
      lines.append(subscription.subscriber + (place.map { " (\($0))" } ?? ""))
      add(subscription)
    }
    return lines.joined(separator: "\n")
  }

  /// The subscription below which one stands in the tree.
  private func above(_ subscription: Subscription) -> Int? {
    (subscription.downstream ?? subscription.feeds.first).flatMap { self[$0]?.id }
  }

  /// The graph in the language of Graphviz: `dot -Tsvg` draws it.
  public var dot: String {
    var lines = ["digraph streams {", "  rankdir=LR;", "  node [shape=box];"]
    for subscription in subscriptions {
      let number = subscription.id
      lines.append("  p\(number) [label=\(quoted(subscription.publisher))];")
      let label = "\(subscription.delivered) of \(subscription.requested.map(String.init) ?? "all")"
      var targets = subscription.feeds.map { "p\($0)" }
      if let downstream = subscription.downstream, self[downstream] != nil {
        targets.append("p\(downstream)")
      } else if targets.isEmpty {
        lines.append("  e\(number) [label=\(quoted(subscription.subscriber)), shape=oval];")
        targets.append("e\(number)")
      }
      let style = subscription.isOver ? ", style=dashed" : ""
      for target in targets { lines.append("  p\(number) -> \(target) [label=\(quoted(label))\(style)];") }
    }
    return (lines + ["}"]).joined(separator: "\n")
  }

  /// The graph as JSON: an object with its properties. Those that are `nil` are left out.
  ///
  /// - Throws: What Foundation's encoder throws.
  public func json() throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    return String(decoding: try encoder.encode(self), as: UTF8.self)
  }

  private func quoted(_ text: String) -> String {
    var quoted = "\""
    // A quotation mark with a mark upon it is one character, and none that has to be escaped.
    for scalar in text.unicodeScalars {
      if scalar == "\"" || scalar == "\\" { quoted.unicodeScalars.append("\\") }
      quoted.unicodeScalars.append(scalar)
    }
    return quoted + "\""
  }
}

extension StreamGraph.Subscription {
  /// What there is to say in a line of the tree.
  fileprivate var line: String {
    var parts = ["\(state.rawValue)", "demand \(demand.map(String.init) ?? "unlimited")", "delivered \(delivered)"]
    if let waiting { parts.append("waiting \(waiting)") }
    if let dropped, dropped > 0 { parts.append("dropped \(dropped)") }
    if let untaken, untaken > 0 { parts.append("untaken \(untaken)") }
    parts.append("\(age / 1_000_000) ms")
    let places = operators.compactMap(\.site.place).map(\.description)
    let place = places.isEmpty ? "" : " (\(places.joined(separator: ", ")))"
    return "\(publisher) \(id)\(place): " + parts.joined(separator: ", ")
  }
}
