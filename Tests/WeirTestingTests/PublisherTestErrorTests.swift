// Tests of what is said of a wait that was in vain.

import Testing
import Weir
import WeirTesting

@Suite struct PublisherTestErrorTests {
  @Test func errorsAreSentences() {
    for error: PublisherTestError in [.timedOut, .finishedEarly, .cancelled] {
      #expect("\(error)".hasPrefix("the "))
    }
  }

  @Test func errorsNameThePlaceTheTimeAndWhatWasWaitedFor() async throws {
    let recorder = Just(1).append(Empty(completeImmediately: false)).record()
    func text(_ wait: () async throws -> Void) async -> String {
      do { try await wait() } catch { return "\(error)" }
      return "nothing was thrown"
    }
    let values = await text { try await recorder.waitForValues(3, timeout: .zero, fileID: "A/B.swift", line: 7) }
    #expect(values == "A/B.swift:7: waited 0.0 seconds in vain for 3 values; one value came")
    let end = await text {
      try await recorder.waitForCompletion(timeout: .milliseconds(1), fileID: "A/B.swift", line: 8)
    }
    #expect(end == "A/B.swift:8: waited 0.001 seconds in vain for the end; one value came")
    let early = await text { _ = try await awaitPublisher(Empty<Int, Never>(), fileID: "A/B.swift", line: 9) }
    #expect(early == "A/B.swift:9: the publisher finished before a value; no value came")
    let here = await text { try await recorder.waitForValues(2, timeout: .zero) }
    #expect(here.hasPrefix("WeirTestingTests/PublisherTestErrorTests.swift:\(#line - 1): waited "))
  }
}
