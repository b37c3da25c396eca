// Tests of `capturing`.

import TestKit
import Testing
import Weir

@testable import WeirExtras

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

  @Test func ofEndsOfSeveralThreadsOneIsTheFirst() {
    let ends = (0..<20_000).map { _ in EndContext<TaskLocal<Int>>() }
    let seen = Log<[Int?]>()
    onThreads(4) { thread in
      seen.add(
        ends.map { end in
          end.putIfFirst(thread, at: Subscribers.Completion<Never>.finished)
          return end.captured(at: Subscribers.Completion<Never>.finished)
        })
    }
    #expect(Set(seen.all).count == 1)
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
