// Tests of breakpoint and breakpointOnError.

import TestKit
import Testing
import Weir

@Suite struct BreakpointTests {
  private typealias Recorder = RecordingSubscriber<Int, TestFailure>
  private let publisher = ScriptedPublisher(of: Int.self, failingWith: TestFailure.self)
  private let recorder = Recorder(.max(3), perValue: .max(2))

  @Test func asksAboutEachSignalBeforeItIsPassedOn() {
    var asked: [String] = []
    func ask(_ signal: String) -> Bool {
      asked.append("\(signal) after \(recorder.history.count)")
      return false
    }
    publisher.breakpoint(
      receiveSubscription: { ask("\($0)") }, receiveOutput: { ask("\($0)") }, receiveCompletion: { ask("\($0)") }
    ).subscribe(recorder)
    #expect(publisher.send(5) == .max(2))
    publisher.send(completion: .failure(.first))
    #expect(asked == ["RecordingSubscription after 0", "5 after 1", "failure(TestKit.TestFailure.first) after 2"])
    #expect(
      recorder.history == [.subscription("RecordingSubscription"), .value(5), .completion(.failure(.first))])
  }

  @Test func passesOnWhatNoClosureIsAskedAbout() {
    publisher.breakpointOnError().subscribe(recorder)
    publisher.send(1)
    publisher.send(completion: .finished)
    #expect(recorder.history == [.subscription("RecordingSubscription"), .value(1), .completion(.finished)])
  }

  @Test func stopsAtASubscription() async {
    await #expect(processExitsWith: .failure) {
      Just(1).breakpoint(receiveSubscription: { _ in true }).subscribe(RecordingSubscriber<Int, Never>())
    }
  }

  @Test func stopsAtAValue() async {
    await #expect(processExitsWith: .failure) {
      Just(1).breakpoint(receiveOutput: { _ in true }).subscribe(RecordingSubscriber<Int, Never>(.unlimited))
    }
  }

  @Test func stopsAtAnError() async {
    await #expect(processExitsWith: .failure) {
      Fail(outputType: Int.self, failure: TestFailure.first).breakpointOnError().subscribe(Recorder())
    }
  }

  @Test func doesNotKeepItsUpstreamAlive() {
    weak var weakPublisher: ScriptedPublisher<Int, TestFailure>?
    do {
      let publisher = ScriptedPublisher(of: Int.self, failingWith: TestFailure.self)
      weakPublisher = publisher
      publisher.breakpoint().subscribe(recorder)
    }
    #expect(weakPublisher == nil)
  }
}
