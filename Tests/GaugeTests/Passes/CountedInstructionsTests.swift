// Names of counts.

import Testing

@testable import Gauge

@Suite struct CountedInstructionsTests {
  @Test(arguments: [CountedInstructions.Subject.emptyBody, .operation], [1, 1000, Int.max])
  func roundTrip(subject: CountedInstructions.Subject, operations: Int) {
    let counted = CountedInstructions(subject, operations: operations)
    #expect(CountedInstructions(name: counted.name) == counted)
  }

  @Test func theNameIsReadable() {
    #expect(CountedInstructions(.operation, operations: 1000).name == "gauge operation 1000")
    #expect(CountedInstructions(.emptyBody, operations: 7).name == "gauge empty-body 7")
  }

  @Test(arguments: [
    "", "gauge", "gauge operation", "gauge operation 0", "gauge operation -1", "gauge operation 1 ", "gauge setup 1",
    "other operation 1", "gauge  operation 1", "gauge operation 1e3",
  ])
  func otherNamesAreNotRead(name: String) {
    #expect(CountedInstructions(name: name) == nil)
  }
}
