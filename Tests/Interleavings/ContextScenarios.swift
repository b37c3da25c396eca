// Values that carry a context: whichever thread delivers one, it does so in the context of the thread that has sent it.

import Weir
import WeirExtras
import WeirVerify

/// Who sends, as a context that each simulated thread has of its own: to task-local values they are all one thread.
private final class SenderContext: StreamContext, @unchecked Sendable {
  private let run: Run
  private var bound: [Int: Int] = [:]

  init(_ run: Run) { self.run = run }

  func capture() -> Int { bound[run.threadNumber] ?? 0 }

  func bind<Result>(_ captured: Int, _ body: () throws -> Result) rethrows -> Result {
    let thread = run.threadNumber
    let former = bound[thread]
    bound[thread] = captured
    defer { bound[thread] = former }
    return try body()
  }

  func bind<Result>(
    _ captured: Int, isolation: isolated (any Actor)?, _ body: () async throws -> Result
  ) async rethrows -> Result { fatalError("there are no tasks here") }
}

/// Two threads send, each its tens and as itself; whoever delivers, the context is that of the tens.
private func sends(
  _ run: Run, _ context: SenderContext, to subjects: [any Subject<Payload, Never>],
  _ stream: some Publisher<Payload, Never>
) {
  let probe = Probe<Payload, Never>(run, isSlow: true)
  probe.onValue = { run.expect(context.capture(), $0.number / 10, "the sender in whose context \($0.number) comes") }
  stream.subscribe(probe)
  for (index, subject) in subjects.enumerated() {
    let sender = index + 1
    run.thread("sender \(sender)") {
      context.bind(sender) { (1...2).forEach { subject.send(run.payload(sender * 10 + $0)) } }
    }
  }
  run.check {
    probe.expect([11, 12, 21, 22])
    run.expect(context.capture(), 0, "the context behind all")
    probe.onValue = nil
    probe.end()
  }
}

let contextScenarios = [
  Scenario("context/subject-hand-over", bound: 2) { run in
    let context = SenderContext(run)
    let subject = CarryingSubject<Payload, Never, SenderContext>(carrying: context, contention: .handOver)
    sends(run, context, to: [subject, subject], subject)
  },
  Scenario("context/merge-hand-over", bound: 2) { run in
    let context = SenderContext(run)
    let (one, two) = (PassthroughSubject<Payload, Never>(), PassthroughSubject<Payload, Never>())
    let merged = one.carrying(context) { $0.merge(with: two.capturing(context)).contention(.handOver) }
    sends(run, context, to: [one, two], merged)
  },
  Scenario("context/receive-on", bound: 1) { run in
    let context = SenderContext(run)
    let jobs = JobList(run)
    let (one, two) = (PassthroughSubject<Payload, Never>(), PassthroughSubject<Payload, Never>())
    let received = one.merge(with: two).carrying(context).receive(on: jobs)
    sends(run, context, to: [one, two], received)
    for number in 1...2 { run.thread("worker \(number)") { jobs.work() } }
  },
]
