// Tests of `filterOrComplete`.

import TestKit
import Testing
import Weir
import WeirExtras

@Suite struct FilterOrCompleteTests {
  /// The commonly copied version gave 1, 2, 3, 4.
  @Test func theFirstValueThatFailsCancelsAndFinishes() {
    let source = ScriptedPublisher<Int, TestFailure>()
    let recorder = RecordingSubscriber<Int, TestFailure>(.unlimited)
    source.filterOrComplete { $0 < 5 }.subscribe(recorder)
    for value in [1, 2, 3, 10, 4] { source.send(value) }
    #expect(recorder.values == [1, 2, 3])
    #expect(recorder.completions == [.finished])
    #expect(source.subscription?.history == [.requested(.unlimited), .cancelled])
  }

  @Test func thePublishedTypeCompiles() async throws {
    let erased: AnyPublisher<Int, Never> = [1, 2, 9, 3].publisher.filterOrComplete { $0 < 5 }
    let values = try await erased.collectValues()
    #expect(values == [1, 2])
  }
}
