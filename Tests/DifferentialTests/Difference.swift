// Where the library and the model part in a scenario.

import ReferenceModel

struct Difference: CustomStringConvertible {
  let scenario: Scenario
  let model: [String]
  let weir: [String]

  /// Compares both sides.
  ///
  /// Nothing is compared where an operator is sent what it had not asked for and Combine traps.
  ///
  /// - Parameters:
  ///   - scenario: What to run.
  ///   - alter: Makes the scenario for the model, other than the library's, to test the comparison itself.
  init?(in scenario: Scenario, alter: (inout Scenario) -> Void = { _ in }) {
    var forModel = scenario
    alter(&forModel)
    guard scenario.runModel().violation == nil else { return nil }
    let model = forModel.runModel()
    guard model.violation == nil else { return nil }
    self.scenario = scenario
    self.model = model.lines
    weir = scenario.runWeir().lines
    if self.model == weir { return nil }
  }

  var description: String {
    let same = zip(model, weir).prefix { $0 == $1 }.count
    func marked(_ lines: [String]) -> String {
      lines.enumerated().map { ($0.offset == same ? "* " : "  ") + $0.element }.joined(separator: "\n")
    }
    return "\(scenario)\n\nmodel:\n\(marked(model))\n\nWeir:\n\(marked(weir))"
  }
}
