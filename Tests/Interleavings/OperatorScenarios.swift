// Mailboxes, operators with several upstreams, and those that put one upstream after another.

import Weir
import WeirVerify

let mailboxScenarios = [
  Scenario("mailbox/values-completion", bound: 3) { run in
    let jobs = JobList(run)
    let probe = Probe<Payload, Never>(run, isSlow: true)
    let subject = PassthroughSubject<Payload, Never>()
    subject.receive(on: jobs).subscribe(probe)
    run.thread("sender") {
      (1...2).forEach { subject.send(run.payload($0)) }
      subject.send(completion: .finished)
    }
    run.thread("worker") { jobs.work() }
    run.check {
      probe.expect([1, 2])
      run.expect(probe.completions, 1, "completions")
      probe.end()
    }
  },
  // Jobs run while the subscriber still has its subscription in hand, and leave what they bring until then.
  Scenario("mailbox/subscribe-while-jobs-run", bound: 2) { run in
    let jobs = JobList(run)
    let probe = Probe<Payload, Never>(run, isSlow: true)
    let subject = CurrentValueSubject<Payload, Never>(run.payload(1))
    run.thread("subscriber") { subject.receive(on: jobs).subscribe(probe) }
    run.thread("sender") { subject.send(run.payload(2)) }
    run.thread("worker") { jobs.work() }
    run.check {
      run.expect(probe.numbers, in: [[1, 2], [2]], "received")
      probe.end()
    }
  },
  Scenario("mailbox/two-workers", bound: 2) { run in
    let jobs = JobList(run)
    let probe = Probe<Payload, Never>(run)
    let subject = PassthroughSubject<Payload, Never>()
    subject.receive(on: jobs).subscribe(probe)
    run.thread("sender") { (1...3).forEach { subject.send(run.payload($0)) } }
    for number in 1...2 { run.thread("worker \(number)") { jobs.work() } }
    run.check {
      probe.expect([1, 2, 3])
      probe.end()
    }
  },
  Scenario("mailbox/cancel", bound: 3) { run in
    let jobs = JobList(run)
    let probe = Probe<Payload, Never>(run)
    let subject = PassthroughSubject<Payload, Never>()
    subject.receive(on: jobs).subscribe(probe)
    let subscription = probe.subscription!
    run.thread("sender") { (1...2).forEach { subject.send(run.payload($0)) } }
    run.thread("worker") { jobs.work() }
    run.thread("canceller") { subscription.cancel() }
    run.check {
      run.expect(probe.numbers, in: [[], [1], [1, 2]], "received")
      probe.end()
    }
  },
  Scenario("mailbox/cancel-two-workers", bound: 2) { run in
    let jobs = JobList(run)
    let probe = Probe<Payload, Never>(run)
    let subject = PassthroughSubject<Payload, Never>()
    subject.receive(on: jobs).subscribe(probe)
    let subscription = probe.subscription!
    (1...3).forEach { subject.send(run.payload($0)) }
    for number in 1...2 { run.thread("worker \(number)") { jobs.work() } }
    run.thread("canceller") { subscription.cancel() }
    run.check {
      run.expect(probe.numbers, in: [[], [1], [1, 2], [1, 2, 3]], "received")
      probe.end()
    }
  },
  Scenario("mailbox/batches", bound: 2) { run in
    let jobs = JobList(run)
    let probe = Probe<Payload, Never>(run, isSlow: true)
    let subject = PassthroughSubject<Payload, Never>()
    subject.receive(on: jobs, options: JobList.SchedulerOptions(batch: 2)).subscribe(probe)
    run.thread("sender") {
      (1...3).forEach { subject.send(run.payload($0)) }
      subject.send(completion: .finished)
    }
    for number in 1...2 { run.thread("worker \(number)") { jobs.work() } }
    run.check {
      probe.expect([1, 2, 3])
      run.expect(probe.completions, 1, "completions")
      probe.end()
    }
  },
  Scenario("mailbox/batches-cancel", bound: 2) { run in
    let jobs = JobList(run)
    let probe = Probe<Payload, Never>(run)
    let subject = PassthroughSubject<Payload, Never>()
    subject.receive(on: jobs, options: JobList.SchedulerOptions(batch: 1)).subscribe(probe)
    let subscription = probe.subscription!
    run.thread("sender") { (1...2).forEach { subject.send(run.payload($0)) } }
    run.thread("worker") { jobs.work() }
    run.thread("canceller") { subscription.cancel() }
    run.check {
      run.expect(probe.numbers, in: [[], [1], [1, 2]], "received")
      probe.end()
    }
  },
  // A job that is dropped takes its own value with it, unless another one has delivered that.
  Scenario("mailbox/dropped-job", bound: 2) { run in
    let jobs = DroppingJobList(run)
    let probe = Probe<Payload, Never>(run, isSlow: true)
    let subject = PassthroughSubject<Payload, Never>()
    subject.receive(on: jobs).subscribe(probe)
    run.thread("sender") { (1...3).forEach { subject.send(run.payload($0)) } }
    for number in 1...2 { run.thread("worker \(number)") { jobs.list.work() } }
    run.thread("dropper") { jobs.dropNext() }
    run.check {
      let all: [[Int]] = jobs.dropped == 0 ? [[1, 2, 3]] : [[1, 2, 3], [1, 2], [1, 3], [2, 3]]
      run.expect(probe.numbers, in: all, "received, with \(jobs.dropped) jobs dropped")
      probe.end()
    }
  },
  // Who finds the scheduler closed gives up the role, or lets go of everything for the canceller: the subscriber keeps
  // its subscription.
  Scenario("mailbox/batches-closed", bound: 2) { run in
    let jobs = JobList(run)
    let probe = Probe<Payload, Never>(run)
    let subject = PassthroughSubject<Payload, Never>()
    subject.receive(on: jobs, options: JobList.SchedulerOptions(batch: 1)).subscribe(probe)
    let subscription = probe.subscription!
    (1...2).forEach { subject.send(run.payload($0)) }
    run.thread("sender") { subject.send(run.payload(3)) }
    run.thread("worker") { jobs.work() }
    run.thread("canceller") {
      jobs.close()
      subscription.cancel()
    }
    run.check { run.expect(probe.numbers, in: [[], [1], [1, 2], [1, 2, 3]], "received") }
  },
]

let operatorScenarios = [
  Scenario("autoconnect/two-first", bound: 4) { run in
    let (source, publisher) = autoconnected(run)
    let probes = [Probe<Int, Never>(run), Probe<Int, Never>(run)]
    for (number, probe) in probes.enumerated() { run.thread("subscriber \(number)") { publisher.subscribe(probe) } }
    run.check {
      run.expect(source.connections, 1, "connections")
      probes.forEach { $0.end() }
      run.expect(source.connections, 0, "connections after the last cancellation")
    }
  },
  Scenario("autoconnect/last-cancels-first-comes", bound: 3) { run in
    let (source, publisher) = autoconnected(run)
    let former = Probe<Int, Never>(run)
    let next = Probe<Int, Never>(run)
    publisher.subscribe(former)
    run.thread("last") { former.end() }
    run.thread("first") { publisher.subscribe(next) }
    run.check {
      run.expect(source.connections, 1, "connections")
      next.end()
      run.expect(source.connections, 0, "connections after the last cancellation")
    }
  },
  Scenario("autoconnect/come-and-go", bound: 3) { run in
    let (source, publisher) = autoconnected(run)
    for number in 1...2 {
      run.thread("guest \(number)") {
        let probe = Probe<Int, Never>(run)
        publisher.subscribe(probe)
        probe.end()
      }
    }
    run.check { run.expect(source.connections, 0, "connections") }
  },
  Scenario("flat-map/two-lanes", bound: 2) { run in
    let lanes = [PassthroughSubject<Payload, Never>(), PassthroughSubject<Payload, Never>()]
    let probe = Probe<Payload, Never>(run, isSlow: true)
    [0, 1].publisher.flatMap { lanes[$0] }.subscribe(probe)
    for number in 0...1 {
      run.thread("lane \(number)") {
        (1...2).forEach { lanes[number].send(run.payload((number + 1) * 10 + $0)) }
        lanes[number].send(completion: .finished)
      }
    }
    run.check {
      probe.expect([11, 12, 21, 22])
      run.expect(probe.completions, 1, "completions")
      probe.end()
    }
  },
  Scenario("flat-map/cancel", bound: 1) { run in
    let lanes = [PassthroughSubject<Payload, Never>(), PassthroughSubject<Payload, Never>()]
    let probe = Probe<Payload, Never>(run)
    [0, 1].publisher.flatMap { lanes[$0] }.subscribe(probe)
    let subscription = probe.subscription!
    for number in 0...1 { run.thread("lane \(number)") { lanes[number].send(run.payload(number * 10)) } }
    run.thread("canceller") { subscription.cancel() }
    run.check {
      lanes.forEach { $0.send(run.payload(99)) }
      run.expect(!probe.numbers.contains(99), "received a value after the cancellation")
      probe.end()
    }
  },
  Scenario("flat-map/counted-demand", bound: 2) { run in
    let lanes = [PassthroughSubject<Payload, Never>(), PassthroughSubject<Payload, Never>()]
    let probe = Probe<Payload, Never>(run, demand: .max(1))
    [0, 1].publisher.flatMap { lanes[$0] }.subscribe(probe)
    let subscription = probe.subscription!
    for number in 0...1 { run.thread("lane \(number)") { lanes[number].send(run.payload(number * 10)) } }
    run.thread("asker") { subscription.request(.max(1)) }
    run.check {
      probe.expect([0, 10])
      probe.end()
    }
  },
  Scenario("zip/two-lanes", bound: 2) { run in
    let lanes = [PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>()]
    let probe = Probe<Int, Never>(run, isSlow: true)
    lanes[0].zip(lanes[1]) { $0 * 10 + $1 }.subscribe(probe)
    for (number, lane) in lanes.enumerated() {
      run.thread("lane \(number)") {
        (1...2).forEach { lane.send($0) }
        lane.send(completion: .finished)
      }
    }
    run.check {
      run.expect(probe.values, [11, 22], "received")
      run.expect(probe.completions, 1, "completions")
      probe.end()
    }
  },
  Scenario("zip/cancel", bound: 1) { run in
    let lanes = [PassthroughSubject<Payload, Never>(), PassthroughSubject<Payload, Never>()]
    let probe = Probe<Payload, Never>(run)
    lanes[0].zip(lanes[1]) { first, _ in first }.subscribe(probe)
    let subscription = probe.subscription!
    for lane in lanes { run.thread("lane") { lane.send(run.payload(1)) } }
    run.thread("canceller") { subscription.cancel() }
    run.check {
      run.expect(probe.numbers, in: [[], [1]], "received")
      probe.end()
    }
  },
]

private func autoconnected(_ run: Run) -> (Source, Publishers.Autoconnect<Source>) {
  let source = Source(run)
  return (source, source.autoconnect())
}

/// Counts its connections.
private final class Source: ConnectablePublisher {
  typealias Output = Int
  typealias Failure = Never

  private let run: Run
  private let subject = PassthroughSubject<Int, Never>()
  private let serial: Guarded
  private(set) var connections = 0

  init(_ run: Run) {
    self.run = run
    serial = run.guarded("the connection")
  }

  func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never {
    subject.receive(subscriber: subscriber)
  }

  func connect() -> any Cancellable {
    run.pause("connecting")
    serial.noteWrite()
    connections += 1
    run.expect(connections, 1, "connections at once")
    return AnyCancellable { [self] in
      serial.noteWrite()
      connections -= 1
      run.pause("disconnecting")
    }
  }
}

private struct Broken: Error {}

let successionScenarios = [
  // What is asked for reaches the first stream or the second, never both and never neither.
  Scenario("append/request-switch", bound: 4) { run in
    let first = PassthroughSubject<Payload, Never>(), second = PassthroughSubject<Payload, Never>()
    let probe = Probe<Payload, Never>(run, demand: .none)
    first.append(second).subscribe(probe)
    let subscription = probe.subscription!
    run.thread("asker") { (1...2).forEach { _ in subscription.request(.max(1)) } }
    run.thread("sender") {
      first.send(run.payload(1))
      first.send(completion: .finished)
    }
    run.check {
      run.expect(probe.numbers, in: [[], [1]], "received of the first stream")
      (2...4).forEach { second.send(run.payload($0)) }
      run.expect(probe.values.count, 2, "received in the end")
      probe.end()
    }
  },
  Scenario("catch/switch-cancel", bound: 3) { run in
    let first = PassthroughSubject<Payload, Broken>(), second = PassthroughSubject<Payload, Never>()
    let probe = Probe<Payload, Never>(run)
    first.catch { _ in second }.subscribe(probe)
    let subscription = probe.subscription!
    run.thread("sender") {
      first.send(completion: .failure(Broken()))
      second.send(run.payload(1))
    }
    run.thread("canceller") { subscription.cancel() }
    run.check {
      run.expect(probe.numbers, in: [[], [1]], "received")
      second.send(run.payload(2))
      run.expect(probe.numbers, in: [[], [1]], "received after the cancellation")
      run.expect(probe.completions, 0, "completions")
      probe.end()
    }
  },
  Scenario("catch/request-switch-cancel", bound: 2) { run in
    let first = PassthroughSubject<Payload, Broken>(), second = PassthroughSubject<Payload, Never>()
    let probe = Probe<Payload, Never>(run, demand: .none)
    first.catch { _ in second }.subscribe(probe)
    let subscription = probe.subscription!
    run.thread("sender") { first.send(completion: .failure(Broken())) }
    run.thread("asker") { subscription.request(.max(1)) }
    run.thread("canceller") { subscription.cancel() }
    run.check {
      second.send(run.payload(2))
      run.expect(probe.numbers, [], "received after the cancellation")
      probe.end()
    }
  },
]
