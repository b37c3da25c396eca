// Tests of print.

import TestKit
import Testing
import Weir

/// Keeps what is written, piece by piece.
private final class PieceStream: TextOutputStream {
  var pieces: [String] = []
  func write(_ string: String) { pieces.append(string) }
  /// The lines, without the ends of lines.
  var lines: [String] { pieces.joined().split(separator: "\n").map(String.init) }
}

@Suite struct PrintTests {
  private let stream = PieceStream()
  private let publisher = ScriptedPublisher(of: Int.self, failingWith: TestFailure.self)
  private let recorder = RecordingSubscriber<Int, TestFailure>(.unlimited, perValue: .max(2))
  private var upstream: RecordingSubscription { publisher.subscription! }

  @Test func printsWhatPassesBeforeItIsPassedOn() {
    let stream = stream
    recorder.onSubscription = { _ in stream.write("subscribed\n") }
    recorder.onValue = { value in
      stream.write("value\n")
      if value == 2 { self.recorder.request(.max(30)) }
    }
    recorder.onCompletion = { _ in stream.write("completed\n") }
    upstream.onRequest = { _ in stream.write("requested\n") }
    upstream.onCancel = { stream.write("cancelled\n") }
    publisher.print(to: stream).subscribe(recorder)
    #expect(publisher.send(1) == .max(2))
    recorder.demandPerValue = { $0 == 2 ? .unlimited : .none }
    #expect([2, 3].map { publisher.send($0) } == [.unlimited, .none])
    recorder.cancel()
    publisher.send(completion: .finished)
    publisher.send(completion: .failure(.first))
    #expect(
      stream.lines == [
        "receive subscription: (RecordingSubscription)", "subscribed", "request unlimited", "requested",
        "receive value: (1)", "value", "request max: (2) (synchronous)",
        "receive value: (2)", "value", "request max: (30)", "requested", "request unlimited (synchronous)",
        "receive value: (3)", "value", "receive cancel", "cancelled", "receive finished", "completed",
        "receive error: (first)", "completed",
      ])
  }

  @Test func printsAPrefixInThePiecesOfSwift() {
    publisher.print("p", to: stream).subscribe(recorder)
    #expect(
      stream.pieces == [
        "", "p: receive subscription: (RecordingSubscription)", "\n", "", "p: request unlimited", "\n",
      ])
    #expect(publisher.print("p").prefix == "p")
  }

  @Test func goesOnPrintingAfterTheEnd() {
    publisher.print(to: stream).subscribe(recorder)
    recorder.cancel()
    stream.pieces = []
    recorder.cancel()
    recorder.request(.max(1))
    publisher.send(1)
    #expect(
      stream.lines == ["receive cancel", "request max: (1)", "receive value: (1)", "request max: (2) (synchronous)"])
    #expect(upstream.history == [.requested(.unlimited), .cancelled])
    #expect(recorder.values == [1])
  }

  @Test func cancelsFurtherSubscriptions() {
    publisher.print(to: stream).subscribe(recorder)
    let second = RecordingSubscription("second")
    publisher.send(subscription: second)
    #expect(second.history == [.cancelled])
    #expect(stream.lines.last == "receive subscription: (second)")
  }

  @Test func passesOnWhatComesBeforeTheSubscription() {
    publisher.subscription = nil
    publisher.print(to: stream).subscribe(recorder)
    #expect(publisher.send(0) == .max(2))
    publisher.send(completion: .finished)
    #expect(recorder.history == [.value(0), .completion(.finished)])
  }

  @Test func aStreamThatIsAValueIsWrittenToInACopy() {
    publisher.print(to: "").subscribe(recorder)
    publisher.send(1)
    #expect(recorder.values == [1])
    #expect(publisher.subscriber?.description == "Print")
    #expect(publisher.subscriber?.customMirror.children.isEmpty == true)
  }

  @Test func freesTheDownstreamAtTheEnd() {
    let lifetimes = Lifetimes()
    let subject = PassthroughSubject<Int, TestFailure>()
    let stream = stream
    func sink() -> AnyCancellable {
      let tracked = lifetimes.track()
      return subject.print(to: stream).sink(receiveCompletion: { _ in tracked.touch() }, receiveValue: { _ in })
    }
    let finished = sink()
    #expect(lifetimes.live == 1)
    subject.send(completion: .finished)
    #expect(lifetimes.live == 0)
    withExtendedLifetime(finished) {}
  }
}
