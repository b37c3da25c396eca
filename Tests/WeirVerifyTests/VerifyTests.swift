// Without the trait there is nothing to explore; Tests/ConsumerTests/Verification tests what happens with it.

import Testing
import WeirVerify

@Suite struct VerifyTests {
  @Test func withoutTheTraitItSaysWhatIsMissing() throws {
    let failure = try #require(throws: VerificationFailure.self) { try verify { _ in } }
    #expect(failure.description.contains("traits: [\"Verification\"]"))
    #expect(failure.trace.isEmpty)
  }

  @Test func argumentsThatMakeNoSenseAreNamed() throws {
    func refusal(
      bound: Int = 2, schedules: Int = 1, seconds: Int = 1, memory: MemoryModel = .tso
    ) throws -> String {
      try #require(throws: VerificationFailure.self) {
        try verify(bound: bound, memory: memory, schedules: schedules, seconds: seconds) { _ in }
      }.description
    }
    #expect(try refusal(bound: -1) == "bound is -1: it must be 0 or more")
    #expect(try refusal(schedules: 0) == "schedules is 0: it must be 1 or more")
    #expect(try refusal(seconds: 0) == "seconds is 0: it must be 1 or more")
    #expect(try refusal(memory: .rc11(stale: -1)) == "stale is -1: it must be 0 or more")
  }
}
