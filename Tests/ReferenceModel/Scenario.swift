// A pipeline, what goes into it and what is done to it, as a value that can be printed, shrunk and run on both sides.

/// The stream that an operator makes of a value.
package enum Inner: Equatable, CustomStringConvertible, Sendable {
  /// As many consecutive numbers.
  case numbers(Int)
  case failing
  case source(Int)

  package var description: String {
    switch self {
    case .numbers(let count): "\(count) numbers"
    case .failing: "failure"
    case .source(let source): "s\(source)"
    }
  }

  /// The numbers that a value stands for.
  package static func numbers(_ count: Int, from value: Int) -> [Int] { (0..<count).map { value * 10 % 1000 + $0 } }
}

/// What a buffer does when it is full.
package enum WhenFull: Equatable, CaseIterable, Sendable {
  case dropNewest, dropOldest, fail
}

/// An operator, with parameters that its closures are made of.
package enum Operator: Equatable, Sendable {
  // The parameter of a `try` twin says which values make it throw: the multiples of it.
  case map(Int), tryMap(Int), mapError(Int)
  case filter(Int), tryFilter(Int, Int), compactMap(Int), tryCompactMap(Int, Int), replaceNil(Int)
  case scan, tryScan(Int), removeDuplicates(Int), tryRemoveDuplicates(Int, Int)
  case collect, collectByCount(Int), reduce, tryReduce(Int), count, ignoreOutput
  case minimum, maximum, tryMinimum(Int), tryMaximum(Int)
  case first, firstWhere(Int), tryFirstWhere(Int, Int), last, lastWhere(Int), tryLastWhere(Int, Int)
  case contains(Int), containsWhere(Int), tryContainsWhere(Int, Int), allSatisfy(Int), tryAllSatisfy(Int, Int)
  case prefix(Int), prefixWhile(Int), tryPrefixWhile(Int, Int), dropFirst(Int), dropWhile(Int), tryDropWhile(Int, Int)
  case outputAt(Int), outputIn(Int, Int)
  case replaceEmpty(Int), replaceError(Int), `catch`(Inner), tryCatch(Inner, Int), retry(Int)
  case append([Int]), prepend([Int]), appendSource(Int), prependSource(Int)
  case merge(Int), merge3(Int, Int), zip(Int), zip3(Int, Int), combineLatest(Int), combineLatest3(Int, Int)
  case flatMap(Want, Inner), switchToLatest(Inner)
  case buffer(Int, keepsFull: Bool, WhenFull)
  case prefixUntil(Int), dropUntil(Int)
  case handleEvents, share, mergeShared, zipShared
}

/// Something done from outside, once everything is set up.
package enum Action: Equatable, CustomStringConvertible, Sendable {
  case tick(Int)
  case request(Want)
  case cancel

  package var description: String {
    switch self {
    case .tick(let source): "s\(source) sends"
    case .request(let want): "request \(want)"
    case .cancel: "cancel"
    }
  }
}

/// A pipeline on the first source, its surroundings, and what happens.
package struct Scenario: Equatable, CustomStringConvertible, Sendable {
  package var sources: [SourceScript]
  package var operators: [Operator]
  package var initial: Want?
  package var reactions: [Reaction]
  package var actions: [Action]

  package init(
    sources: [SourceScript], operators: [Operator], initial: Want?, reactions: [Reaction] = [], actions: [Action] = []
  ) {
    self.sources = sources
    self.operators = operators
    self.initial = initial
    self.reactions = reactions
    self.actions = actions
  }

  package var description: String {
    var lines = sources.enumerated().map { "s\($0.offset): \($0.element)" }
    lines.append((["s0"] + operators.map { "\($0)" }).joined(separator: "."))
    lines.append("subscriber: " + (initial.map { "request \($0)" } ?? "no request"))
    lines += reactions.enumerated().map { "on value \($0.offset): \($0.element)" }
    lines += actions.map { "then: \($0)" }
    return lines.joined(separator: "\n")
  }

  /// Runs the scenario with a pipeline of whatever kind.
  ///
  /// - Parameter build: Subscribes the target to the pipeline on the sources.
  /// - Returns: What happened.
  package func run(_ build: ([Source], Target, Journal) -> Void) -> Journal {
    let journal = Journal()
    let sources = self.sources.enumerated().map { Source("s\($0.offset)", $0.element, journal) }
    let target = Target(initial: initial, reactions: reactions, journal)
    build(sources, target, journal)
    for action in actions {
      journal.note("> \(action)")
      switch action {
      case .tick(let source): sources[source].tick()
      case .request(let want): target.request(want)
      case .cancel: target.cancel()
      }
    }
    journal.close()
    // Streams that have not ended may keep themselves alive.
    target.cancel()
    target.letGo()
    for source in sources { source.letGo() }
    return journal
  }

  /// What the model does.
  package func runModel() -> Journal {
    run { sources, target, journal in
      let model = Model(sources: sources.map(\.stream), journal: journal)
      model.pipeline(operators)(target.receiver)
    }
  }
}
