// Tests of the subject that delivers in the context of the sender.

import TestKit
import Testing
import Weir
import WeirExtras

@Suite struct CarryingSubjectTests {
  private let log = Log<String>()

  /// A race is enumerated by running the other thread, to its end, inside a sink's delivery.
  @Test func aValueThatIsHandedOverComesInTheContextOfItsSender() {
    let subject = CarryingSubject<Int, TestFailure, _>(carrying: Sender.$id, contention: .handOver)
    let log = log
    let sink = subject.sink(
      receiveCompletion: { log.add("\($0.word) \(Sender.id)") },
      receiveValue: { value in
        log.add("\(value) \(Sender.id)")
        guard value == 1 else { return }
        onThreads(1) { _ in
          by("b") { subject.send(2) }
          by("c") { subject.send(completion: .failure(.first)) }
        }
        #expect(subject.handOverDepth == 2)
      })
    by("a") { subject.send(1) }
    #expect(log.all == ["1 a", "2 b", "failure c"])
    sink.cancel()
  }

  @Test func theStreamCarriesOn() {
    let scheduler = ManualScheduler()
    let subject = CarryingSubject<Int, Never, _>(carrying: JoinedContext(Sender.$id, Sender.$span))
    let sink = subject.receive(on: scheduler).map { "\($0) \(Sender.span)" }.noted(in: log)
    by("a", span: 7) { subject.send(1) }
    by("b") { subject.send(completion: .finished) }
    scheduler.run()
    #expect(log.all == ["1 7 a", "end b"])
    sink.cancel()
  }

  @Test func theFirstEndIsTheOne() {
    let subject = CarryingSubject<Int, Never, _>(carrying: Sender.$id)
    by("a") { subject.send(completion: .finished) }
    by("b") { subject.send(completion: .finished) }
    let sink = by("late") { subject.noted(in: log) }
    #expect(log.all == ["end a"])
    sink.cancel()
  }

  @Test func aLimitOfWhatWaitsHolds() {
    let subject = CarryingSubject<Int, Never, _>(
      carrying: Sender.$id, handOverLimit: 1, whenFull: .dropOldest)
    let log = log
    let sink = subject.sink { value in
      log.add("\(value) \(Sender.id)")
      if value == 1 { onThreads(1) { _ in for value in 2...4 { by("b") { subject.send(value) } } } }
    }
    by("a") { subject.send(1) }
    #expect(log.all == ["1 a", "4 b"])
    sink.cancel()
  }

  @Test func anUpstreamsValuesComeInTheContextOfTheirSender() {
    let (source, subject) = (PassthroughSubject<Int, Never>(), CarryingSubject<Int, Never, _>(carrying: Sender.$id))
    let sink = subject.noted(in: log)
    let feed = source.subscribe(subject)
    by("a") { source.send(1) }
    #expect(log.all == ["1 a"])
    feed.cancel()
    sink.cancel()
  }

  @Test func noValueOfManyThreadsComesInTheContextOfAnother() {
    let subject = CarryingSubject<Int, Never, _>(carrying: Sender.$id, contention: .handOver)
    let (count, wrong) = (Counter(), Counter())
    let sink = subject.sink { value in
      if Sender.id != "\(value)" { wrong.add() }
      count.add()
    }
    onThreads(4) { number in
      for index in 0..<1_000 {
        let value = number * 1_000 + index
        by("\(value)") { subject.send(value) }
      }
    }
    while count.value < 4_000 { yieldThread() }
    #expect(wrong.value == 0)
    sink.cancel()
  }
}
