// A subject whose senders have lanes: nothing is lost when the lanes are left, and the completion comes last.

import Weir
import WeirExtras
import WeirVerify

let shardScenarios = [
  Scenario("shards/two-lanes", bound: 2) { run in
    let shards = Shards(run)
    for number in 1...2 {
      let lane = shards.subject.makeLane()
      run.thread("sender \(number)") { (1...2).forEach { lane.send(run.payload(number * 10 + $0)) } }
    }
    run.thread("worker") { shards.jobs.work() }
    run.check { shards.expect([11, 12, 21, 22]) }
  },
  // Each value finds the lane being emptied, or left.
  Scenario("shards/one-lane", bound: 3) { run in
    let shards = Shards(run)
    let lane = shards.subject.makeLane()
    run.thread("sender") { (1...3).forEach { lane.send(run.payload($0)) } }
    run.thread("worker") { shards.jobs.work() }
    run.check { shards.expect([1, 2, 3]) }
  },
  Scenario("shards/two-workers", bound: 2) { run in
    let shards = Shards(run)
    let lane = shards.subject.makeLane()
    run.thread("sender") { (1...2).forEach { lane.send(run.payload($0)) } }
    for number in 1...2 { run.thread("worker \(number)") { shards.jobs.work() } }
    run.check { shards.expect([1, 2]) }
  },
  Scenario("shards/completion", bound: 2) { run in
    let shards = Shards(run)
    let lane = shards.subject.makeLane()
    let other = shards.subject.makeLane()
    other.send(run.payload(1))
    run.thread("sender") {
      lane.send(run.payload(11))
      shards.subject.send(completion: .finished)
      lane.send(run.payload(12))
    }
    run.thread("worker") { shards.jobs.work() }
    run.check {
      shards.expect([1, 11])
      run.expect(shards.probe.completions, 1, "completions")
    }
  },
  // Who ends the stream has found the note of another sender, which has yet to tell of their lane.
  Scenario("shards/completion-of-a-shared-lane", bound: 2) { run in
    let shards = Shards(run)
    let lane = shards.subject.makeLane()
    run.thread("sender 1") { lane.send(run.payload(1)) }
    run.thread("sender 2") {
      lane.send(run.payload(2))
      shards.subject.send(completion: .finished)
    }
    run.thread("worker") { shards.jobs.work() }
    run.check {
      run.expect(shards.probe.values.contains { $0.number == 2 }, "the value before the completion didn't come")
      run.expect(shards.probe.completions, 1, "completions")
      shards.probe.end()
    }
  },
]

/// A subject with lanes, and one that watches what comes out.
private final class Shards {
  let jobs: JobList
  let subject: ShardedSubject<Payload, Never>
  let probe: Probe<Payload, Never>

  init(_ run: Run) {
    jobs = JobList(run)
    subject = ShardedSubject(on: jobs)
    probe = Probe(run, isSlow: true)
    subject.subscribe(probe)
  }

  func expect(_ numbers: [Int]) {
    probe.expect(numbers)
    probe.end()
  }
}
