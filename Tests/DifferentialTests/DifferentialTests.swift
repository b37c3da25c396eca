// Random pipelines behave as the model's do: the same values, ends, requests and cancellations in the same order.

import ReferenceModel
import Testing

@Suite struct DifferentialTests {
  /// How many pipelines one case of the test runs; a crash is thereby told to within as many.
  static let batch = 500

  @Test(arguments: 0..<20)
  func randomPipelinesBehaveAsTheModel(number: Int) {
    var compared = 0
    var seed = UInt64(number) << 32
    while compared < Self.batch {
      let scenario = Scenario(seed: seed)
      if let difference = Difference(in: scenario) {
        let smallest = scenario.shrunk { Difference(in: $0) != nil }
        Issue.record("seed \(seed)\n\(Difference(in: smallest) ?? difference)")
        return
      }
      if scenario.runModel().violation == nil { compared += 1 }
      seed += 1
    }
  }

  @Test func everyOperatorTakesPart() {
    var names: Set<String> = []
    for seed in 0..<UInt64(2000) {
      let scenario = Scenario(seed: seed)
      guard scenario.runModel().violation == nil else { continue }
      names.formUnion(scenario.operators.map { String("\($0)".prefix { $0 != "(" }) })
    }
    #expect(names.count == 65)
    #expect(names.isSuperset(of: ["map", "flatMap", "zip3", "buffer", "retry", "switchToLatest", "tryCatch"]))
  }

  @Test func mostPipelinesAreComparable() {
    let comparable = (0..<UInt64(2000)).count { Scenario(seed: $0).runModel().violation == nil }
    #expect(comparable > 1900)
  }

  @Test func aWrongOperatorIsFoundAndShrunk() throws {
    func alter(_ scenario: inout Scenario) {
      scenario.operators = scenario.operators.map { $0 == .filter(2) ? .filter(3) : $0 }
    }
    let found = (0..<UInt64(10_000)).lazy.map { Scenario(seed: $0) }.first {
      $0.operators.count == 6 && $0.actions.count > 3 && Difference(in: $0, alter: alter) != nil
    }
    let scenario = try #require(found)
    let smallest = scenario.shrunk { Difference(in: $0, alter: alter) != nil }
    let difference = try #require(Difference(in: smallest, alter: alter))
    #expect(
      "\(difference)" == """
        s0: cold 2,
        s1: hot
        s2: hot
        s0.filter(2)
        subscriber: request all

        model:
          s0.0 subscribed
          begin
          s0.0 asked for all
        * value 2

        Weir:
          s0.0 subscribed
          begin
          s0.0 asked for all
        * s0.0 got 1 in return
        """)
  }
}
