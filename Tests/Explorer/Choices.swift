// The choices of one run, replayed up to the last one that has another option: depth-first search without states.
//
// Preemptions are bounded as in CHESS (M. Musuvathi, S. Qadeer, "Iterative Context Bounding for Systematic Testing of
// Multithreaded Programs", 2007): an option may cost one, and a run may cost no more than the bound.

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
  private let bound: Int
  private let script: [UInt8]
  /// Keeps a copy for others to see, should this process end.
  private let copy: ScheduleCopy?

  /// - Parameters:
  ///   - bound: What a run may cost.
  ///   - script: The first choices, which stay.
  ///   - copy: Where to keep a copy.
  init(bound: Int, script: [UInt8] = [], copy: ScheduleCopy? = nil) {
    self.bound = bound
    self.script = script
    self.copy = copy
    stack.reserveCapacity(1024)
  }

  /// What was chosen in this run.
  package var taken: [UInt8] { stack[..<depth].map { UInt8($0.chosen) } }

  /// Whether another run stands for this one: it goes on to its end, where nothing is a choice any more.
  private(set) var isIdle = false

  /// Whether the next choice is one that no run has come to.
  var isAtEnd: Bool { depth == stack.count }

  /// Has another run stand for this one.
  mutating func idle() { isIdle = true }

  /// Starts a run.
  mutating func rewind() {
    isIdle = false
    depth = 0
    spent = 0
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
      guard depth < ScheduleCopy.choices else { return nil }
      let scripted = depth < script.count ? Int(script[depth]) : 0
      guard scripted < options else { return nil }
      var choice = Choice(
        chosen: scripted, options: options, costs: costs, excluded: excluded, isTurn: isTurn, spent: spent)
      if depth >= script.count, !isOpen(scripted, choice) {
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

  private func cost(_ option: Int, _ choice: Choice) -> Int { choice.costs >> option & 1 }

  private func isOpen(_ option: Int, _ choice: Choice) -> Bool {
    choice.spent + cost(option, choice) <= bound && choice.excluded >> option & 1 == 0
  }

  private func following(_ choice: Choice, skipping isSkipped: (Int) -> Bool = { _ in false }) -> Int? {
    ((choice.chosen + 1)..<max(choice.options, choice.chosen + 1)).first { isOpen($0, choice) && !isSkipped($0) }
  }
}
