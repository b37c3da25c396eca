// What an attack is, and what it gets to run with.

import CAttacks
import WeirQueues

/// One row of the table: an attack with its parameters.
struct Attack: Sendable {
  /// The name of the group: its rows share the time of one attack.
  let name: String
  let parameters: String
  let body: @Sendable (Run) -> Void

  init(_ name: String, _ parameters: String, _ body: @escaping @Sendable (Run) -> Void) {
    self.name = name
    self.parameters = parameters
    self.body = body
  }

  /// Whether it must fail where the subjects that it attacks hand over: its senders share one, which can be told to.
  var findsMutant: Bool {
    ["starvation", "contended", "livelock"].contains(name)
      && ["passthrough", "current-value"].contains(String(parameters.prefix { $0 != ";" }))
  }

  var fullName: String { "\(name)/\(parameters)" }

  static let all: [Attack] =
    ownedHoles + livelocks + starvation + affinity + cycles + priorities + sandboxes + deaths + bursts + contended
}

/// An attack that runs.
final class Run: @unchecked Sendable {
  let tally = Tally()
  /// When it should be over.
  let end: Int
  /// How many values it should send, unless time alone counts.
  let sends: Int?
  /// Why it could not run.
  private(set) var skipped: String?

  init(seconds: Double, sends: Int?) {
    end = now() + Int(seconds * 1e9)
    self.sends = sends
  }

  var isOver: Bool { now() >= end }

  func skip(_ reason: String) { skipped = reason }

  /// The row from `outcome` on.
  func columns(_ outcome: String? = nil) -> [String] {
    let judged = outcome ?? skipped.map { "skipped: \($0)" } ?? (tally.allFailures == 0 ? "passed" : "failed")
    return [judged] + tally.columns
  }
}

/// Runs one attack in this process and prints its row, also if it does not end.
func runAlone(_ attack: Attack, seconds: Double, sends: Int?) {
  let run = Run(seconds: seconds, sends: sends)
  let patience = seconds + 20
  let isDone = Count()
  let watchdog = Runner {
    let deadline = now() + Int(patience * 1e9)
    while isDone.value == 0 {
      attack_sleep(100_000_000)
      // A run by number of values has no time to keep to; its sends have.
      let isLate = sends == nil ? now() > deadline : run.tally.slowest > 20_000_000
      if isLate, isDone.exchange(1) == 0 {
        print(run.columns("did not end").joined(separator: ","))
        attack_exit(1)
      }
    }
  }
  run.tally.residentBefore = Int(attack_resident())
  attack.body(run)
  if run.tally.residentAfter == 0 { run.tally.residentAfter = Int(attack_resident()) }
  guard isDone.exchange(1) == 0 else { return watchdog.join() }
  print(run.columns().joined(separator: ","))
  // What threads leave behind is no concern of this process.
  attack_exit(0)
}
