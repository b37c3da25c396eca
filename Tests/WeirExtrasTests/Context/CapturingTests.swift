// Tests of `capturing`.

import TestKit
import Testing
import Weir
import WeirExtras

@Suite struct CapturingTests {
  @Test func aLoopTakesEachValueWithItsContext() async {
    let subject = PassthroughSubject<Int, Never>()
    let pairs = subject.capturing(Sender.$id).values(buffering: .unbounded).makeAsyncIterator()
    by("a") { subject.send(1) }
    by("b") { subject.send(2) }
    subject.send(completion: .finished)
    var (iterator, seen) = (pairs, [String]())
    while let pair = await iterator.next() {
      seen.append(seenNow(pair))
      seen.append(await pair.bind { await later("\($0) \(Sender.id)") })
    }
    #expect(seen == ["1 a", "1 a", "2 b", "2 b"])
  }

  private func seenNow(_ pair: Carried<Int, TaskLocal<String>>) -> String { pair.bind { "\($0) \(Sender.id)" } }

  private func later(_ text: String) async -> String {
    await Task.yield()
    return text
  }

  @Test func demandPassesAndTheDownstreamIsKnown() {
    let source = ScriptedPublisher<Int, TestFailure>()
    let recorder = RecordingSubscriber<Carried<Int, TaskLocal<String>>, TestFailure>(.max(1), perValue: .max(2))
    source.capturing(Sender.$id).subscribe(recorder)
    #expect(by("a") { source.send(1) } == .max(2))
    source.send(completion: .finished)
    #expect(recorder.values.map { $0.bind { "\($0) \(Sender.id)" } } == ["1 a"])
    #expect(recorder.completions == [.finished])
    #expect(source.subscription?.history == [.requested(.max(1))])
  }
}
