// The choices of one run, replayed up to the last one that has another option: depth-first search without states.
//
// Preemptions are bounded as in CHESS (M. Musuvathi, S. Qadeer, "Iterative Context Bounding for Systematic Testing of
// Multithreaded Programs", 2007): an option may cost one, and a run may cost no more than the bound.
// No test file: the tests of Machine and Reduction, and the litmus tests, go through all of it.

import GaugeStatistics

/// What was chosen, and what else there is.
package struct Choices {
  struct Choice {
    var chosen: Int
    let options: Int
    /// Bit per option: whether it costs one.
    let costs: Int
    /// Bit per option: whether it is none, as what would come of it is known.
    let excluded: Int
    /// Whether it is who has the next turn.
    let isTurn: Bool
    /// What the choices before cost.
    let spent: Int
  }

  private var stack: [Choice] = []
  private(set) var depth = 0
  private var spent = 0
  /// Choices with an option that costs one, in this run.
  private(set) var costly = 0
  private let bound: Int
  /// Whether the bound has kept an option from being tried: with a greater one there would be more runs.
  private(set) var isBounded = false
  private let script: [UInt16]
  /// Draws, in place of the first option that is left.
  private var random: SplitMix64?
  /// Whether all options are as likely, also where one costs something.
  private let drawsEvenly: Bool
  /// How many choices with an option that costs one a run is expected to have.
  private let expected: Int
  /// Keeps a copy for others to see, should this process end.
  private let copy: ScheduleCopy?

  /// - Parameters:
  ///   - bound: What a run may cost.
  ///   - script: The first choices, which stay.
  ///   - copy: Where to keep a copy.
  ///   - random: Draws what comes after the script.
  ///   - expected: How many choices with an option that costs one there will be, if somebody draws.
  ///   - drawsEvenly: Whether what is drawn may cost anything.
  init(
    bound: Int, script: [UInt16] = [], copy: ScheduleCopy? = nil, random: SplitMix64? = nil,
    expecting expected: Int = 0, drawsEvenly: Bool = false
  ) {
    self.bound = bound
    self.script = script
    self.copy = copy
    self.random = random
    self.expected = expected
    self.drawsEvenly = drawsEvenly
    stack.reserveCapacity(1024)
  }

  /// What was chosen in this run.
  package var taken: [UInt16] { stack[..<depth].map { UInt16($0.chosen) } }

  /// Whether another run stands for this one: it goes on to its end, where nothing is a choice any more.
  private(set) var isIdle = false

  /// Whether the run has had as many choices as are kept.
  var isFull: Bool { depth >= ScheduleCopy.choices }

  /// Whether the next choice is one that no run has come to.
  var isAtEnd: Bool { depth == stack.count }

  /// Has another run stand for this one.
  mutating func idle() { isIdle = true }

  /// Starts a run.
  mutating func rewind() {
    isIdle = false
    depth = 0
    spent = 0
    costly = 0
  }

  /// Chooses one of several options. Where none is left the run is idle.
  ///
  /// - Parameters:
  ///   - costs: Bit per option: whether it costs one.
  ///   - excluded: Bit per option: whether another run stands for what would come of it.
  ///   - isTurn: Whether it is who has the next turn.
  /// - Returns: The option, or `nil` if the run is not the one that it was up to here.
  mutating func choose(of options: Int, costs: Int = 0, without excluded: Int = 0, isTurn: Bool = false) -> Int? {
    if isIdle { return 0 }
    if isAtEnd {
      guard !isFull else { return nil }
      if spent >= bound, costs & ~excluded != 0 { isBounded = true }
      let scripted = depth < script.count ? Int(script[depth]) : 0
      guard scripted < options else { return nil }
      var choice = Choice(
        chosen: scripted, options: options, costs: costs, excluded: excluded, isTurn: isTurn, spent: spent)
      if depth >= script.count, random != nil {
        choice.chosen = drawn(choice)
      } else if depth >= script.count, !isOpen(scripted, choice) {
        guard let next = following(choice) else {
          idle()
          return 0
        }
        choice.chosen = next
      }
      stack.append(choice)
    }
    let choice = stack[depth]
    guard choice.options == options, choice.costs == costs else { return nil }
    depth += 1
    costly += costs == 0 ? 0 : 1
    spent = choice.spent + cost(choice.chosen, choice)
    copy?.note(choice.chosen, at: depth - 1)
    return choice.chosen
  }

  /// Makes the next run another one.
  ///
  /// - Parameter reduction: Knows which turns lead to nothing new.
  /// - Returns: `false` if there is none.
  mutating func advance(_ reduction: Reduction? = nil) -> Bool {
    while let last = stack.last, stack.count > script.count {
      let place = stack.count - 1
      let next = following(last) { last.isTurn && reduction?.isKnown(turn: place, $0) == true }
      if let next {
        stack[place].chosen = next
        return true
      }
      if last.isTurn { reduction?.leave(turn: place) { stack[$0..<place].allSatisfy { $0.chosen == 0 } } }
      stack.removeLast()
    }
    return false
  }

  /// Places for what costs one are all as likely; where there is one, and elsewhere, all options are.
  private mutating func drawn(_ choice: Choice) -> Int {
    let open = (0..<choice.options).filter { isOpen($0, choice) }
    if drawsEvenly { return open.randomElement(using: &random!) ?? 0 }
    let free = open.filter { cost($0, choice) == 0 }
    let dear = open.filter { cost($0, choice) == 1 }
    if free.isEmpty || dear.isEmpty { return open.randomElement(using: &random!) ?? 0 }
    let left = bound - choice.spent
    let takes = Int.random(in: 0..<max(expected - costly, left + 1), using: &random!) < left
    return (takes ? dear : free).randomElement(using: &random!)!
  }

  private func cost(_ option: Int, _ choice: Choice) -> Int { choice.costs >> option & 1 }

  private func isOpen(_ option: Int, _ choice: Choice) -> Bool {
    choice.spent + cost(option, choice) <= bound && choice.excluded >> option & 1 == 0
  }

  private func following(_ choice: Choice, skipping isSkipped: (Int) -> Bool = { _ in false }) -> Int? {
    ((choice.chosen + 1)..<max(choice.options, choice.chosen + 1)).first { isOpen($0, choice) && !isSkipped($0) }
  }
}
