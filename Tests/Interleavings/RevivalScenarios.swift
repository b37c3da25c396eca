// What goes on after a failure.

import Weir
import WeirVerify

private struct Broken: Error {}

/// Leaves what follows a failure to the scenario.
private final class Decision: RevivalPolicy {
  static var name: String { "Decision" }
  let revival = Held<Revival<Broken>?>(nil)
  var onFailure: ((Revival<Broken>) -> Void)?

  func noteValue() {}

  func follow(_ failure: Broken, _ revival: Revival<Broken>) {
    guard let onFailure else { return self.revival.value = revival }
    onFailure(revival)
  }
}

/// A subject for each subscription.
private final class Attempts: Publisher {
  typealias Output = Payload
  typealias Failure = Broken

  let subjects = (0..<3).map { _ in PassthroughSubject<Payload, Broken>() }
  private(set) var count = 0
  private let run: Run

  init(_ run: Run) { self.run = run }

  func receive<S: Subscriber>(subscriber: S) where S.Input == Payload, S.Failure == Broken {
    count += 1
    run.expect(count <= 3, "a fourth subscription")
    subjects[count - 1].receive(subscriber: subscriber)
  }
}

/// A stream whose first attempt has failed, if it is to wait.
private func revived(_ run: Run, isWaiting: Bool) -> (Attempts, Decision, Probe<Payload, Broken>) {
  let (attempts, policy, probe) = (Attempts(run), Decision(), Probe<Payload, Broken>(run))
  RevivalSubscriber<Attempts, Probe<Payload, Broken>, Decision>.attach(attempts, policy, to: probe)
  if isWaiting { attempts.subjects[0].send(completion: .failure(Broken())) }
  return (attempts, policy, probe)
}

let revivalScenarios = [
  Scenario("revival/resume-cancel", bound: 2) { run in
    let (attempts, policy, probe) = revived(run, isWaiting: false)
    policy.onFailure = { $0.resume() }
    let subscription = probe.subscription!
    run.thread("sender") {
      attempts.subjects[0].send(completion: .failure(Broken()))
      attempts.subjects[1].send(run.payload(1))
    }
    run.thread("canceller") { subscription.cancel() }
    run.check {
      run.expect(probe.numbers, in: [[], [1]], "received")
      attempts.subjects[1].send(run.payload(2))
      run.expect(probe.numbers.last != 2, "received a value after the cancellation")
      run.expect(probe.completions, 0, "completions")
      policy.onFailure = nil
      probe.end()
    }
  },
  Scenario("revival/resume-resume", bound: 2) { run in
    let (attempts, policy, probe) = revived(run, isWaiting: true)
    let revival = policy.revival.value!
    policy.revival.value = nil
    for number in 1...2 { run.thread("resumer \(number)") { revival.resume() } }
    run.check {
      run.expect(attempts.count, 2, "subscriptions")
      attempts.subjects[1].send(run.payload(1))
      run.expect(probe.numbers, [1], "received")
      probe.end()
    }
  },
  // Of a resumption and an end, which may both happen, the stream has the end once, and nothing after it.
  Scenario("revival/resume-conclude", bound: 2) { run in
    let (attempts, policy, probe) = revived(run, isWaiting: true)
    let revival = policy.revival.value!
    policy.revival.value = nil
    run.thread("resumer") { revival.resume() }
    run.thread("concluder") { revival.conclude(.finished) }
    run.check {
      run.expect(probe.completions == 1 || attempts.count == 2, "neither the end nor another attempt")
      attempts.subjects[1].send(run.payload(1))
      run.expect(probe.numbers, probe.completions == 1 ? [] : [1], "received")
      probe.end()
    }
  },
  // What is kept while the stream waits is let go of once, whoever ends the wait.
  Scenario("revival/hold-resume-cancel", bound: 2) { run in
    let (_, policy, probe) = revived(run, isWaiting: true)
    let revival = policy.revival.value!
    policy.revival.value = nil
    let subscription = probe.subscription!
    let cancels = Held(0)
    run.thread("keeper") { revival.holdWhileWaiting(AnyCancellable { cancels.value += 1 }) }
    run.thread("resumer") { revival.resume() }
    run.thread("canceller") { subscription.cancel() }
    run.check {
      run.expect(cancels.value, 1, "cancels of what was kept")
      probe.end()
    }
  },
  // What is kept late for one failure takes nothing away from the next one.
  Scenario("revival/hold-late", bound: 2) { run in
    let (attempts, policy, probe) = revived(run, isWaiting: true)
    let first = policy.revival.value!
    policy.revival.value = nil
    let (early, late) = (Held(0), Held(0))
    run.thread("keeper") { first.holdWhileWaiting(AnyCancellable { early.value += 1 }) }
    run.thread("resumer") {
      first.resume()
      attempts.subjects[1].send(completion: .failure(Broken()))
      policy.revival.value?.holdWhileWaiting(AnyCancellable { late.value += 1 })
    }
    run.check {
      run.expect(early.value, 1, "cancels of what was kept for the first failure")
      run.expect(late.value, 0, "cancels of what was kept for the second one")
      first.resume()
      run.expect(attempts.count, 2, "subscriptions")
      policy.revival.value?.resume()
      policy.revival.value = nil
      run.expect(late.value, 1, "cancels of what was kept for the second failure")
      attempts.subjects[2].send(run.payload(1))
      run.expect(probe.numbers, [1], "received")
      probe.end()
    }
  },
]
