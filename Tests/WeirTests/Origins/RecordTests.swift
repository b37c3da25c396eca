// Tests of the publisher of a recording.

import Foundation
import TestKit
import Testing

import struct Weir.Record
import enum Weir.Subscribers

@Suite struct RecordTests {
  typealias Tape = Record<Int, TestFailure>
  typealias Recorder = RecordingSubscriber<Int, TestFailure>

  @Test func withoutValuesEndsAtOnce() {
    let finished = Recorder()
    Tape { _ in }.subscribe(finished)
    #expect(finished.history == [.subscription("Empty"), .completion(.finished)])
    let failed = Recorder()
    Tape { $0.receive(completion: .failure(.first)) }.subscribe(failed)
    #expect(failed.history == [.subscription("Empty"), .completion(.failure(.first))])
  }

  @Test func publishesWhatWasAskedForThenTheEnd() {
    for completion in [Subscribers.Completion<TestFailure>.finished, .failure(.second)] {
      let recorder = Recorder()
      Tape(output: [1, 2, 3], completion: completion).subscribe(recorder)
      recorder.request(.max(2))
      recorder.request(.none)
      #expect(recorder.history == [.subscription("[1, 2, 3]"), .value(1), .value(2)])
      recorder.request(.max(1))
      #expect(recorder.values == [1, 2, 3])
      #expect(recorder.completions == [completion])
      #expect("\(recorder.subscriptions[0])" == "Cancelled Events")
    }
  }

  @Test func isWrittenDownOnceAndAtOnce() {
    var written = 0
    let tape = Tape { recording in
      written += 1
      recording.receive(1)
      recording.receive(2)
      recording.receive(completion: .failure(.first))
    }
    #expect(written == 1)
    #expect(tape.recording.output == [1, 2])
    #expect(tape.recording.completion == .failure(.first))
    let recorder = Recorder(.unlimited)
    tape.subscribe(recorder)
    #expect(recorder.values == [1, 2])
    #expect(recorder.completions == [.failure(.first)])
    #expect(written == 1)
  }

  @Test func aCompleteRecordingTakesNothingMore() async {
    await #expect(processExitsWith: .failure) {
      var recording = Tape.Recording(output: [], completion: .finished)
      recording.receive(1)
    }
    await #expect(processExitsWith: .failure) {
      var recording = Tape.Recording()
      recording.receive(completion: .finished)
      recording.receive(completion: .finished)
    }
    var recording = Tape { _ in }.recording
    recording.receive(0)
    recording.receive(completion: .failure(.first))
    #expect(recording.output == [0])
  }

  @Test func cancellingStops() {
    let recorder = Recorder(.unlimited)
    recorder.onValue = { _ in recorder.cancel() }
    Tape(output: [1, 2, 3], completion: .finished).subscribe(recorder)
    recorder.request(.max(1))
    #expect(recorder.history == [.subscription("[1, 2, 3]"), .value(1)])
    #expect("\(recorder.subscriptions[0])" == "Cancelled Events")
  }

  @Test func aRequestFromWithinAValueOnlyAddsDemand() {
    let recorder = Recorder(.max(1))
    recorder.onValue = { _ in recorder.request(.max(1)) }
    Tape(output: [1, 2, 3], completion: .finished).subscribe(recorder)
    #expect(recorder.values == [1, 2, 3])
    #expect(recorder.completions == [.finished])
  }

  @Test func isCoded() throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let finished = try encoder.encode(Tape(recording: .init(output: [3, 2])))
    #expect(
      String(decoding: finished, as: UTF8.self) == #"{"recording":{"completion":{"success":true},"output":[3,2]}}"#)
    let failed = try encoder.encode(Tape(output: [], completion: .failure(.second)))
    let copy = try JSONDecoder().decode(Tape.self, from: failed)
    #expect(copy.recording.output == [])
    #expect(copy.recording.completion == .failure(.second))
    #expect(throws: DecodingError.self) { try JSONDecoder().decode(Tape.self, from: Data("{}".utf8)) }
  }

  @Test func describesItsSubscription() {
    let recorder = Recorder()
    Tape(output: [1, 2], completion: .failure(.first)).subscribe(recorder)
    let children = Array(Mirror(reflecting: recorder.subscriptions[0]).children)
    #expect(children.map(\.label) == ["sequence", "completion"])
    #expect(children[0].value as? [Int] == [1, 2])
    #expect(children[1].value as? Subscribers.Completion<TestFailure> == .failure(.first))
  }

  @Test func nothingLeaks() {
    let lifetimes = Lifetimes()
    for ending in 0..<3 {
      let recorder = RecordingSubscriber<LifetimeTracked, TestFailure>()
      let tracked = lifetimes.track()
      recorder.onCompletion = { _ in tracked.touch() }
      Record(output: [lifetimes.track(1), lifetimes.track(2)], completion: .finished).subscribe(recorder)
      if ending == 1 { recorder.cancel() }
      if ending == 2 { recorder.request(.unlimited) }
      recorder.forgetSubscriptions()
    }
    #expect(lifetimes.live == 0)
  }
}
