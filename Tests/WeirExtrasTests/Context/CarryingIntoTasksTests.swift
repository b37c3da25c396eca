// Tests that asynchronous code runs in the context of the sender of its value.

import TestKit
import Testing
import Weir
import WeirExtras

@Suite struct CarryingIntoTasksTests {
  private let subject = PassthroughSubject<Int, TestFailure>()
  private let log = Log<String>()

  private func send() {
    by("a") { subject.send(1) }
    by("b") { subject.send(2) }
    by("c") { subject.send(completion: .failure(.first)) }
  }

  @Test func transformsRunAndDeliverInTheContext() async {
    let (door, log) = (Door(), log)
    let sink = subject.carrying(Sender.$id).mapAsync { value in
      await door.pass()
      return "\(value) of \(Sender.id)"
    }.noted(in: log)
    send()
    await door.open()
    await untilTrue { log.all.count == 3 }
    #expect(log.all == ["1 of a a", "2 of b b", "failure c"])
    sink.cancel()
  }

  @Test func severalAtOnceDo() async {
    let (door, running, log) = (Door(), Counter(), log)
    let sink = subject.carrying(Sender.$id).compactMapAsync(maxConcurrent: 2) { value -> String? in
      running.add()
      await door.pass()
      return "\(value) of \(Sender.id)"
    }.noted(in: log)
    send()
    await untilTrue { running.value == 2 }
    await door.open()
    await untilTrue { log.all.count == 3 }
    #expect(log.all.dropLast().sorted() == ["1 of a a", "2 of b b"])
    #expect(log.all.last == "failure c")
    sink.cancel()
  }

  @Test func aTransformThatFailsEndsTheStreamInItsContext() async {
    let (door, log) = (Door(), log)
    let sink = subject.carrying(Sender.$id).mapAsync { value async throws(TestFailure) -> Int in
      await door.pass()
      if value == 2 { throw TestFailure.second }
      return value
    }.noted(in: log)
    by("a") { subject.send(1) }
    by("b") { subject.send(2) }
    by("c") { subject.send(3) }
    await door.open()
    await untilTrue { log.all.count == 2 }
    #expect(log.all == ["1 a", "failure b"])
    sink.cancel()
  }

  @Test func ofSeveralTransformsThatFailTheOneThatEndsTheStreamBringsItsContext() async {
    for _ in 1...300 {
      let (subject, log) = (PassthroughSubject<Int, TestFailure>(), Log<String>())
      let sink = subject.carrying(Sender.$id)
        .mapAsync(maxConcurrent: 2) { value async throws(TestFailure) -> Int in throw value == 1 ? .first : .second }
        .sink {
          log.add("\($0) \(Sender.id)")
        } receiveValue: { _ in
        }
      by("first") { subject.send(1) }
      by("second") { subject.send(2) }
      await untilTrue { !log.all.isEmpty }
      let id = log.all[0].split(separator: " ").last.map(String.init) ?? ""
      #expect(log.all[0].contains(".\(id))"))
      sink.cancel()
    }
  }

  @Test func whatIsDroppedIsNot() async {
    let log = log
    let sink = subject.carrying(Sender.$id).compactMapAsync { $0 == 1 ? nil : "\($0) of \(Sender.id)" }.noted(in: log)
    send()
    await untilTrue { log.all.count == 2 }
    #expect(log.all == ["2 of b b", "failure c"])
    sink.cancel()
  }

  /// Values wait while a handler runs, and the task of the handlers has another context.
  @Test func handlersRunInTheContext() async {
    let (door, log) = (Door(), log)
    let sink = by("subscriber") {
      subject.carrying(Sender.$id).sinkAsync(
        receiveCompletion: { log.add("\($0.word) \(Sender.id)") },
        receiveValue: {
          await door.pass()
          log.add("\($0) \(Sender.id)")
        })
    }
    send()
    await door.open()
    await untilTrue { log.all.count == 3 }
    #expect(log.all == ["1 a", "2 b", "failure c"])
    sink.cancel()
  }

  @Test func severalHandlersAtOnceDo() async {
    let (door, running, log) = (Door(), Counter(), log)
    let sink = subject.carrying(Sender.$id).sinkAsync(
      maxConcurrent: 2, receiveCompletion: { log.add("\($0.word) \(Sender.id)") },
      receiveValue: {
        running.add()
        await door.pass()
        log.add("\($0) \(Sender.id)")
      })
    send()
    await untilTrue { running.value == 2 }
    await door.open()
    await untilTrue { log.all.count == 3 }
    #expect(log.all.dropLast().sorted() == ["1 a", "2 b"])
    #expect(log.all.last == "failure c")
    sink.cancel()
  }

  @Test func aHandlerOfValuesAlone() async {
    let log = log
    let sink = subject.carrying(Sender.$id).sinkAsync { log.add("\($0) \(Sender.id)") }
    send()
    await untilTrue { log.all.count == 2 }
    #expect(log.all == ["1 a", "2 b"])
    sink.cancel()
  }

  /// A task that a stream within starts belongs to the value that the stream was made of.
  @Test func asynchronousCodeOfAnInnerStreamRunsInTheContext() async {
    let (door, log) = (Door(), log)
    let requests = PassthroughSubject<Int, any Error>()
    let sink = requests.carrying(Sender.$id).flatMap { value in
      asyncToPublisher {
        await door.pass()
        return "\(value) of \(Sender.id)"
      }
    }.noted(in: log)
    by("a") { requests.send(1) }
    by("b") { requests.send(2) }
    await door.open()
    await untilTrue { log.all.count == 2 }
    #expect(log.all.sorted() == ["1 of a a", "2 of b b"])
    sink.cancel()
  }
}
