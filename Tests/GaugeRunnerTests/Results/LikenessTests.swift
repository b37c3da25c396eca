// Whether times of two runs may be compared.

import Testing

@testable import GaugeRunner

@Suite struct LikenessTests {
  @Test func oneMachineIsAlikeWhateverElseDiffers() {
    var other = Results.run()
    other.environment[0].value = "2026-02-02"
    #expect(Likeness.differences(.run(), other).isEmpty)
  }

  @Test func differingAndMissingFieldsAreNamed() {
    var other = Results.run(machine: "b2", kernel: "6.2")
    other.environment.removeAll { $0.name == "libc" }
    let differences = Likeness.differences(.run(), other)
    #expect(differences == ["machine_id", "kernel", "libc missing"])
    #expect(Likeness.sentence(differences) == "machine_id, kernel differ; libc missing")
    #expect(Likeness.sentence(["machine_id"]) == "machine_id differs")
  }

  @Test func whatAMachineDoesNotTellIsAlikeExceptItsIdentity() {
    func run(without field: Int) -> Results {
      var results = Results.run()
      results.environment[field].value = "unavailable: no such file"
      return results
    }
    #expect(Likeness.differences(run(without: 4), run(without: 4)).isEmpty)
    #expect(Likeness.differences(run(without: 4), .run()) == ["microcode"])
    #expect(Likeness.differences(run(without: 1), run(without: 1)) == ["machine_id missing"])
  }

  @Test func fieldsThatBothLackDiffer() {
    #expect(Likeness.differences(Results(), Results()).count == Likeness.fields.count)
    #expect(Likeness.sentence(["libc missing"]) == "libc missing")
  }
}
