// The alarm of a run loop, and which loop has which actions.

import Foundation
import Weir
import WeirQueues

/// Rings on a run loop in its default mode, and wakes it.
///
/// The portable Foundation never frees a timer, so this sets one again and again.
final class LoopAlarm: Alarm {
  private struct State {
    weak var loop: RunLoop?
    var timer: Timer?
    /// Whether nothing waits for the timer.
    var isIdle = false
    /// A timer that keeps the loop from its sleep, or wakes it: a loop wakes when the date of one of its timers is set.
    var turner: Timer?
    /// Whether that timer is about to fire.
    var turnsAgain = false
    var timersMade = 0
    /// For how many seconds a timer that nothing waits for is kept: a loop that has nothing else runs on for so long.
    /// Each pause that was longer makes it longer, as each costs a timer.
    var grace: TimeInterval = 1
    /// Whether the actions set their alarm anew if it turns out that the main loop is gone.
    var isFollowing = false

    /// It repeats, so that its date can be set again when it has fired.
    mutating func makeTimer(
      at date: Date, every interval: TimeInterval, _ block: @escaping @Sendable (Timer) -> Void
    ) -> Timer? {
      guard let loop else { return nil }
      let timer = Timer(fire: date, interval: interval, repeats: true, block: block)
      loop.add(timer, forMode: .default)
      timersMade += 1
      return timer
    }

    /// Gives up a timer, which nothing has waited for, so that the loop may end.
    mutating func giveUp(_ timer: WritableKeyPath<State, Timer?>) {
      self[keyPath: timer]?.invalidate()
      self[keyPath: timer] = nil
      grace = min(2 * grace, 64)
    }
  }

  private let isMain: Bool
  /// Rings in place of the main loop, if that is gone.
  private let queueAlarm = QueueAlarm(queue: .main)
  private let state: Lock<State>

  /// An alarm on a loop, which it doesn't keep alive.
  init(_ loop: RunLoop) {
    isMain = loop === RunLoop.main
    state = Lock(State(loop: loop))
  }

  /// How many timers there have been.
  var timersMade: Int { state.withLock { $0.timersMade } }

  /// As of any alarm. Whoever has it called holds the loop, if the loop is still there: it may not end meanwhile.
  func ring(_ actions: DatedActions, at date: Date?) {
    if isMain, isGone(actions) { return queueAlarm.ring(actions, at: date) }
    state.withLock { state in
      guard state.loop != nil else { return }
      state.isIdle = date == nil
      if let timer = state.timer {
        // The main loop runs on in any case.
        timer.fireDate = date ?? (isMain ? .distantFuture : Date() + state.grace)
      } else if let date {
        // The interval is as long as one can be.
        state.timer = state.makeTimer(at: date, every: 500_000_000) { [weak self, weak actions] timer in
          guard let self, let actions, self.isAwaited() else { return }
          // Behind the timer, which fires again only then, also if an action turns the loop.
          RunLoop.current.perform { actions.fire() }
          // What runs before that may turn the loop, too, which does not see it then: the timer fires again there.
          timer.fireDate = Date()
        }
      }
    }
  }

  /// Whether the main loop is gone. If that turns out later, the actions set their alarm again, at this one's queue.
  private func isGone(_ actions: DatedActions) -> Bool {
    let isFollowing = state.withLock { state in
      defer { state.isFollowing = true }
      return state.isFollowing
    }
    return MainLoop.isGone(otherwise: isFollowing ? nil : ScheduledWork { [weak actions] in actions?.fire() })
  }

  /// Whether something waits for the timer, which is given up otherwise.
  private func isAwaited() -> Bool {
    state.withLock { state in
      guard state.isIdle, !isMain else { return true }
      state.giveUp(\.timer)
      return false
    }
  }

  /// Has the loop turn in its default mode, for blocks that it was given before. Any thread may call this.
  ///
  /// The timer is due until the default mode has fired it: a wake alone would be used up by a run within a run, in
  /// another mode or about to return, and the outer one would sleep over the block. It wakes the loop once, and again
  /// if that runs in another mode: Foundation may have lost the time limit of such a run.
  func turn() {
    state.withLock { state in
      if state.turnsAgain, state.loop?.currentMode == .default { return }
      state.turnsAgain = true
      if state.turner == nil {
        state.turner = state.makeTimer(at: .distantFuture, every: state.grace) { [weak self] _ in self?.turns() }
      }
      // Of a timer that is firing, too: Foundation heeds a date that comes later than the one for which that fires, and
      // reads all that have passed as the present moment.
      state.turner?.fireDate = .distantPast
    }
  }

  /// The timer fires. Blocks that were given so far run behind this; for later ones it is set again. It fires once more
  /// after the grace, and is idle then.
  private func turns() {
    state.withLock { state in
      if state.turnsAgain {
        state.turnsAgain = false
      } else if isMain {
        state.turner?.fireDate = .distantFuture
      } else {
        state.giveUp(\.turner)
      }
    }
  }
}

/// The actions that wait for their dates on one run loop, and their alarm.
struct LoopActions {
  let dated: DatedActions
  let alarm: LoopAlarm
  private weak var loop: RunLoop?

  private init(_ loop: RunLoop) {
    self.loop = loop
    alarm = LoopAlarm(loop)
    dated = DatedActions(alarm: alarm)
  }

  private static let all = Lock<[ObjectIdentifier: LoopActions]>([:])

  /// The actions of a loop.
  static func of(_ loop: RunLoop) -> LoopActions {
    let (actions, former, loops) = all.withLock { all -> (LoopActions, [ObjectIdentifier: LoopActions], [RunLoop]) in
      if let actions = all[ObjectIdentifier(loop)], actions.loop === loop { return (actions, [:], []) }
      let former = all
      // Loops end with their threads, and later ones may have their addresses.
      let kept = living(of: all)
      all = kept.actions
      let actions = LoopActions(loop)
      all[ObjectIdentifier(loop)] = actions
      return (actions, former, kept.loops)
    }
    // Freed outside the lock, with what actions and loops hold.
    withExtendedLifetime(former) {}
    withExtendedLifetime(loops) {}
    return actions
  }

  /// The actions whose loops are still there, and these loops: others may let go of them meanwhile, and then the caller
  /// frees them.
  static func living(
    of all: [ObjectIdentifier: LoopActions]
  ) -> (actions: [ObjectIdentifier: LoopActions], loops: [RunLoop]) {
    var loops: [RunLoop] = []
    let actions = all.filter { entry in
      guard let loop = entry.value.loop else { return false }
      loops.append(loop)
      return true
    }
    return (actions, loops)
  }
}
