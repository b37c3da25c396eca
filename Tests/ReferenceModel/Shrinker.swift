// Makes a scenario that fails as small as it gets.

extension Scenario {
  /// Takes away one thing after another for as long as what is left still fails.
  package func shrunk(while fails: (Scenario) -> Bool) -> Scenario {
    var smallest = self
    while let smaller = smallest.simplifications.first(where: fails) { smallest = smaller }
    return smallest
  }

  /// Scenarios with one thing less, the boldest first.
  private var simplifications: [Scenario] {
    var result: [Scenario] = []
    func propose(_ change: (inout Scenario) -> Void) {
      var copy = self
      change(&copy)
      if copy != self { result.append(copy) }
    }
    propose { $0.actions = [] }
    propose { $0.reactions = [] }
    if operators.count > 1 { for index in operators.indices { propose { $0.operators.remove(at: index) } } }
    for index in actions.indices { propose { $0.actions.remove(at: index) } }
    for index in reactions.indices.reversed() { propose { $0.reactions.remove(at: index) } }
    for (index, source) in sources.enumerated() {
      for event in source.events.indices { propose { $0.sources[index].events.remove(at: event) } }
    }
    for index in reactions.indices {
      propose { $0.reactions[index] = Reaction() }
      propose { $0.reactions[index].requests = nil }
      propose { $0.reactions[index].cancels = false }
      propose { $0.reactions[index].returns = .none }
    }
    if initial != .all, initial != nil { propose { $0.initial = nil } }
    return result
  }
}
