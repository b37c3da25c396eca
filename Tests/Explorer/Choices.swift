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
    /// What the choices before cost.
    let spent: Int
  }

  private var stack: [Choice] = []
  private var depth = 0
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

  /// Starts a run.
  mutating func rewind() {
    depth = 0
    spent = 0
  }

  /// Chooses one of several options, of which one at least costs nothing.
  ///
  /// - Returns: The option, or `nil` if the run is not the one that it was up to here.
  mutating func choose(of options: Int, costs: Int = 0) -> Int? {
    if depth == stack.count {
      guard depth < ScheduleCopy.choices else { return nil }
      let scripted = depth < script.count ? Int(script[depth]) : 0
      guard scripted < options else { return nil }
      stack.append(Choice(chosen: scripted, options: options, costs: costs, spent: spent))
      if depth >= script.count, !isAffordable(scripted, stack[depth]) { stack[depth].chosen = following(stack[depth])! }
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
  /// - Returns: `false` if there is none.
  mutating func advance() -> Bool {
    while let last = stack.last, stack.count > script.count {
      if let next = following(last) {
        stack[stack.count - 1].chosen = next
        return true
      }
      stack.removeLast()
    }
    return false
  }

  private func cost(_ option: Int, _ choice: Choice) -> Int { choice.costs >> option & 1 }

  private func isAffordable(_ option: Int, _ choice: Choice) -> Bool { choice.spent + cost(option, choice) <= bound }

  private func following(_ choice: Choice) -> Int? {
    ((choice.chosen + 1)..<max(choice.options, choice.chosen + 1)).first { isAffordable($0, choice) }
  }
}
