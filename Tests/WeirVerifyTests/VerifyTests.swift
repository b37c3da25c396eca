// Without the trait there is nothing to explore; Tests/ConsumerTests/Verification tests what happens with it.

import Testing
import WeirVerify

@Suite struct VerifyTests {
  @Test func withoutTheTraitItSaysWhatIsMissing() throws {
    let failure = try #require(throws: VerificationFailure.self) { try verify { _ in } }
    #expect(failure.description.contains("traits: [\"Verification\"]"))
    #expect(failure.trace.isEmpty)
  }
}
