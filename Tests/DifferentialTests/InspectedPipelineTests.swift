// The graph that the inspector shows of random pipelines is the model's: before, during and after delivery.
//
// They run where the package is built with the trait Inspection, alone:
// swift test --traits Inspection --filter InspectedPipelineTests

import ReferenceModel
import Testing
import Weir
import WeirExtras

/// Where the graphs of a scenario part.
private struct GraphDifference: CustomStringConvertible {
  /// What was seen at a moment: which one, and a line for each subscription that values may pass.
  typealias Look = (moment: String, lines: [Line])

  struct Line: Hashable, CustomStringConvertible {
    let text: String
    /// How many operators of the pipeline lie between it and the subscriber; `nil` where that can't be seen: what feeds
    /// a subject is a stream of its own, and so is what is left of one that has ended.
    let depth: Int?

    init(_ name: String, _ depth: Int?, requested: Int?, delivered: Int) {
      text = "\(name): asked for \(requested.map(String.init) ?? "all"), delivered \(delivered)"
      self.depth = depth
    }

    var description: String { "\(depth.map(String.init) ?? "-") \(text)" }
  }

  let scenario: Scenario
  let model: Look
  let weir: Look

  init?(in scenario: Scenario) {
    var looks: [Look] = []
    let wiring = Wiring()
    let model = scenario.runModel(noting: wiring) { moment in
      if Self.isMoment(moment) { looks.append((moment, Self.lines(wiring))) }
    }
    guard model.violation == nil else { return nil }
    let name = "target \(UInt64.random(in: 0...UInt64.max))"
    let older = WeirInspector.snapshot().subscriptions.last?.id ?? 0
    var index = 0
    var difference: (Look, Look)?
    _ = scenario.runWeir(to: name) { moment in
      guard Self.isMoment(moment) else { return }
      defer { index += 1 }
      guard difference == nil, index < looks.count else { return }
      let lines = Self.lines(WeirInspector.snapshot(), after: older, to: name)
      if moment != looks[index].moment || !Self.areAlike(lines, looks[index].lines) {
        difference = (looks[index], (moment, lines))
      }
    }
    guard let difference else { return nil }
    self.scenario = scenario
    self.model = difference.0
    self.weir = difference.1
  }

  /// Whether it is a moment to look: before something is done, within the subscriber while it gets a value, and at
  /// the end.
  private static func isMoment(_ line: String) -> Bool { line.hasPrefix("> ") || line.hasPrefix("value ") }

  /// Whether there are the same subscriptions, each in its place as far as that can be seen.
  private static func areAlike(_ weir: [Line], _ model: [Line]) -> Bool {
    var places = Dictionary(grouping: model) { $0 }.mapValues(\.count)
    for line in weir where line.depth != nil {
      guard let count = places[line], count > 0 else { return false }
      places[line] = count - 1
    }
    return weir.map(\.text).sorted() == model.map(\.text).sorted()
  }

  private static func lines(_ wiring: Wiring) -> [Line] {
    wiring.active.map { wire in
      Line(
        typeName(of: wire.name), wire.depth, requested: wire.requested == .all ? nil : wire.requested.count,
        delivered: wire.delivered)
    }
  }

  /// The subscriptions between one operator of the pipeline and the next, of a stream and what feeds it: each operator
  /// is erased there, and an operator that lets one stream follow another looks through the erasure of the first. Those
  /// to numbers that an operator makes up are nobody's wires in the model.
  ///
  /// - Parameters:
  ///   - graph: The subscriptions.
  ///   - older: The number of the last one that is another pipeline's.
  ///   - end: What is at the end of the stream, whose subscriptions have their places.
  private static func lines(_ graph: StreamGraph, after older: Int, to end: String) -> [Line] {
    let upstreams = Dictionary(grouping: graph.subscriptions.filter { $0.downstream != nil }) { $0.downstream ?? 0 }
    /// What is subscribed to where an operator of the pipeline ends; `nil` elsewhere.
    func publisherAt(_ subscription: StreamGraph.Subscription) -> String? {
      if subscription.publisher == "AnyPublisher" { return upstreams[subscription.id]?.first?.publisher ?? "Sequence" }
      let next = subscription.downstream.flatMap { graph[$0] }?.publisher ?? ""
      return ["Concatenate", "Catch", "TryCatch"].contains(next) ? subscription.publisher : nil
    }
    return graph.subscriptions.compactMap { subscription in
      guard subscription.id > older, subscription.state == .active, let publisher = publisherAt(subscription),
        !["Sequence", "Fail"].contains(publisher)
      else { return nil }
      let way = graph.way(from: subscription.id)
      return Line(
        publisher == "SourcePublisher" ? "source" : publisher,
        way.last?.subscriber == end ? way.count { publisherAt($0) != nil } - 1 : nil,
        requested: subscription.requested, delivered: subscription.delivered)
    }
  }

  /// The last publisher that the library's pipeline has for an operator.
  private static func typeName(of operator: String) -> String {
    let name = `operator`.prefix { $0 != "(" }
    switch name {
    case "source": return "source"
    case "minimum", "maximum": return "Comparison"
    case "prefix", "outputAt", "outputIn": return "Output"
    case "dropFirst": return "Drop"
    case "replaceError": return "SetFailureType"
    case "append", "prepend", "appendSource", "prependSource": return "Concatenate"
    case "prefixUntil", "dropUntil": return name.prefix(1).uppercased() + name.dropFirst() + "Output"
    case "merge": return "MergeMany"
    case "mergeShared": return "Merge"
    case "replaceNil", "collectByCount", "collect", "ignoreOutput", "contains", "containsWhere", "allSatisfy", "zip",
      "zip3",
      "combineLatest", "combineLatest3", "zipShared":
      return "Map"
    case _ where name.hasPrefix("try"): return "MapError"
    default: return name.prefix(1).uppercased() + name.dropFirst()
    }
  }

  var description: String {
    func text(_ look: Look) -> String {
      look.moment + "\n" + look.lines.map { "  \($0)" }.sorted().joined(separator: "\n")
    }
    return "\(scenario)\n\nmodel: \(text(model))\n\nWeir: \(text(weir))"
  }
}

@Suite(.serialized, .enabled(if: WeirInspector.isBuiltIn))
struct InspectedPipelineTests {
  @Test(arguments: 0..<20)
  func theGraphOfRandomPipelinesIsTheModels(number: Int) {
    WeirInspector.isOn = true
    WeirInspector.tellsFailures = false
    defer { WeirInspector.isOn = false }
    var compared = 0
    var seed = UInt64(number) << 32
    while compared < DifferentialTests.batch {
      let scenario = Scenario(seed: seed)
      if let difference = GraphDifference(in: scenario) {
        let smallest = scenario.shrunk { GraphDifference(in: $0) != nil }
        Issue.record("seed \(seed)\n\(GraphDifference(in: smallest) ?? difference)")
        return
      }
      if scenario.runModel().violation == nil { compared += 1 }
      seed += 1
    }
    #expect(compared == DifferentialTests.batch)
  }
}
