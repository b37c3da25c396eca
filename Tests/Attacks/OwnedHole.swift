// The owner of a gate, a thread that revokes it and is interrupted meanwhile, and a third one that comes in between.

import CAttacks
import Weir
import WeirQueues

/// How the values come to the subscriber, and who revokes.
private enum Shape: String {
  case order = "passthrough"
  case latest = "current-value"
  case merge
}

/// One subject, or two that are merged, with one subscriber that notes all it gets.
private final class Target: @unchecked Sendable {
  let left: any Subject<Int, Never>
  let right: any Subject<Int, Never>
  let joined: AnyPublisher<Int, Never>
  var received: [Int] = []
  var sink: AnyCancellable?

  init(_ shape: Shape) {
    switch shape {
    case .order: left = relay(nil)
    case .latest: left = current(nil)
    case .merge: left = relay(nil)
    }
    right = shape == .merge ? relay(nil) : left
    joined = shape == .merge ? Self.merged(left, right) : left.eraseToAnyPublisher()
    sink = joined.sink { [unowned self] in received.append($0) }
  }

  private static func merged(
    _ left: any Subject<Int, Never>, _ right: any Subject<Int, Never>
  ) -> AnyPublisher<Int, Never> {
    left.eraseToAnyPublisher().merge(with: right.eraseToAnyPublisher()).eraseToAnyPublisher()
  }

  /// The last value, for subjects that keep it.
  var value: Int? { (left as? CurrentValueSubject<Int, Never>)?.value }
}

private let targetCount = 64
private let (third, owners) = (1_000_000, 2_000_000)

/// Main owns many subjects. A thread that runs only when nobody else wants its processor revokes them in turn; another
/// one on the same processor wakes now and then, sends to the one that is being revoked, and tells main, which then
/// sends, too.
///
/// What the third thread sent, and that `send` returned, is to be delivered before what main sends afterwards.
private func attackOwnedHole(_ run: Run, _ shape: Shape) {
  let tally = run.tally
  guard attack_processors() > 1 else { return run.skip("one processor") }
  let targets = Box([Target]())
  let lanes = (main: tally.lane(), third: tally.lane())
  // The number of the target that is being revoked, and of the one that the third thread has sent to; from 1.
  let (revoking, answered, phase, ready, done, heard) =
    (Count(), Count(), Count(), Count(), Count(), Count())
  attack_pin(0)
  let isIdle = Count()
  let revoker = Runner {
    attack_pin(1)
    isIdle.set(attack_become_idle() != 0 ? 1 : 0)
    var round = 0
    while true {
      round += 1
      ready.add()
      while phase.value < round { yieldToOthers() }
      if phase.value == .max { return }
      for index in 0..<targetCount {
        let target = targets.value[index]
        revoking.set(index + 1)
        if index % 2 == 0, shape != .merge {
          target.joined.sink { _ in }.cancel()
        } else {
          target.right.send(index)
        }
      }
      revoking.set(0)
      done.add()
    }
  }
  let messenger = Runner {
    attack_pin(1)
    var round = 0
    var mix = 1
    while true {
      round += 1
      ready.add()
      while phase.value < round { attack_sleep(20_000) }
      if phase.value == .max { return }
      var former = 0
      while done.value < round {
        mix = mix &* 6_364_136_223_846_793_005 &+ 1
        attack_sleep(Int64(1000 + (mix >> 40 & 0x7fff)))
        let index = revoking.value
        // Main answers the former one first.
        guard index > former, answered.value == 0 else { continue }
        former = index
        lanes.third.send(third) { targets.value[index - 1].right.send($0) }
        answered.set(index)
      }
      heard.set(round)
    }
  }
  var round = 0
  while !run.isOver {
    targets.value = (0..<targetCount).map { _ in Target(shape) }
    for target in targets.value { for number in 1...70 { target.left.send(number) } }
    while ready.value < 2 + round * 2 { yieldToOthers() }
    round += 1
    phase.set(round)
    var answers: [Int] = []
    while true {
      let isLast = heard.value == round
      let index = answered.value
      if index > 0 {
        lanes.main.send(owners) { targets.value[index - 1].left.send($0) }
        answers.append(index)
        answered.set(0)
      } else if isLast {
        break
      }
    }
    for index in answers {
      tally.rounds.add()
      let target = targets.value[index - 1]
      guard let first = target.received.firstIndex(of: third), let second = target.received.firstIndex(of: owners)
      else {
        tally.fail("a value was lost")
        continue
      }
      if first > second {
        tally.disorder.add()
        tally.note("the owner overtook what was sent before")
      }
      if let value = target.value, target.received.last != value {
        tally.fail("the subscriber's last value is not the subject's")
      }
    }
    for target in targets.value { target.sink?.cancel() }
  }
  phase.set(.max)
  revoker.join()
  messenger.join()
  if isIdle.value == 0 { tally.note("without idle priority") }
}

let ownedHoles = [Shape.order, .latest, .merge].map { shape in
  Attack("owned-hole", shape.rawValue) { run in attackOwnedHole(run, shape) }
}
