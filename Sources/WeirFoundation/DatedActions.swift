// Actions that wait for their dates, in order, and the one alarm that they share.

import Dispatch
import Foundation
import Weir
import WeirQueues

/// What lets dated actions run when their dates have come.
protocol Alarm: Sendable {
  /// Has `fire` called on some actions once, in the place of what was set before. Any thread may call it; never two at
  /// once.
  ///
  /// - Parameters:
  ///   - date: When; soon if it has passed, and no more if `nil`. A ring for nothing does no harm.
  func ring(_ actions: DatedActions, at date: Date?)
}

/// The actions that wait for their dates in one place.
///
/// When the alarm rings, all actions run that are due then, in the order of their dates, and in the order in which they
/// were scheduled where dates are the same; one that is repeated is scheduled anew each time.
final class DatedActions: Sendable {
  /// Names an action.
  typealias Identity = Int

  private struct Action {
    let work: ScheduledWork
    /// The time between runs; the action runs once if `nil`.
    let interval: TimeInterval?
    /// Whether a run of a repeated action is under way.
    var isRunning = false
  }

  /// An action's date in the heap; void if there is no such action any more.
  private struct Entry: Comparable {
    let date: Date
    let order: Int
    let identity: Identity

    static func < (lhs: Entry, rhs: Entry) -> Bool { (lhs.date, lhs.order) < (rhs.date, rhs.order) }
  }

  /// What a pass runs.
  private struct Pass {
    /// The date up to which actions are due.
    let limit: Date
    /// The order of the last entry that was there when it began.
    let last: Int
  }

  private struct State {
    var actions: [Identity: Action] = [:]
    var heap = Heap<Entry>()
    /// Entries since the last pass began: it leaves them to the next one.
    var added: [Entry] = []
    var order = 0
    /// When the alarm is to ring, by the calendar and by the time since the start of the machine, which nobody sets.
    var alarm: (date: Date, uptime: DispatchTime)?

    mutating func makeEntry(_ date: Date, _ identity: Identity? = nil) -> Entry {
      order += 1
      return Entry(date: date, order: order, identity: identity ?? order)
    }

    mutating func popFirst(upTo limit: Date) -> Entry? {
      guard let first = heap.least, first.date <= limit else { return nil }
      return heap.popLeast()
    }

    private mutating func pushAdded() {
      for entry in added { heap.insert(entry) }
      added = []
    }

    /// Begins a pass. What the alarm was set to has come, however the calendar stands.
    mutating func begin(_ now: Date, _ uptime: DispatchTime) -> Pass {
      pushAdded()
      defer { alarm = nil }
      guard let alarm, alarm.uptime <= uptime else { return Pass(limit: now, last: order) }
      return Pass(limit: max(now, alarm.date), last: order)
    }

    /// Takes the next action that is due.
    mutating func takeNext(in pass: Pass) -> (identity: Identity, action: Action)? {
      let limit = pass.limit
      while let entry = popFirst(upTo: limit) {
        guard let action = actions[entry.identity] else { continue }
        guard entry.order <= pass.last else {
          // Sorted in by a pass within this one.
          added.append(entry)
          continue
        }
        if let interval = action.interval {
          // Dates that were missed are left out, as a timer does; also those that come while it runs.
          let missed = (limit.timeIntervalSince(entry.date) / interval).rounded(.down)
          let next = entry.date + interval * (missed + 1)
          // From a date as far back as −∞ the next one can't be reckoned: it would not come, or come again and again.
          let isNext = next > limit && next <= limit + interval
          heap.insert(makeEntry(isNext ? next : limit + interval, entry.identity))
          if action.isRunning { continue }
          actions[entry.identity]?.isRunning = true
        } else {
          actions[entry.identity] = nil
        }
        return (entry.identity, action)
      }
      return nil
    }

    /// Ends a pass.
    ///
    /// - Returns: The earliest date of the actions that wait.
    mutating func endPass() -> Date? {
      pushAdded()
      while let first = heap.least {
        if actions[first.identity] != nil { return first.date }
        _ = popFirst(upTo: first.date)
      }
      return nil
    }
  }

  private let alarm: any Alarm
  private let state = Lock(State())

  /// Actions with an alarm of their own.
  init(alarm: any Alarm) { self.alarm = alarm }

  /// How many actions wait, and how many entries there are for them.
  var counts: (actions: Int, entries: Int) { state.withLock { ($0.actions.count, $0.heap.count + $0.added.count) } }

  /// Adds an action.
  ///
  /// - Parameters:
  ///   - work: The action.
  ///   - date: When it is due: at that date. Should the calendar be set meanwhile, what the alarm is set to is due when
  ///     the time up to it has passed, and others at their dates, as the calendar stands then.
  ///   - interval: The time between runs, more than none; it runs once if `nil`.
  @discardableResult
  func add(_ work: ScheduledWork, at date: Date, every interval: TimeInterval? = nil) -> Identity {
    state.withLock { state in
      let entry = state.makeEntry(date)
      state.added.append(entry)
      state.actions[entry.identity] = Action(work: work, interval: interval)
      ringNotAfter(date, &state)
      return entry.identity
    }
  }

  /// Runs all actions that are due and were there before: the alarm rings.
  ///
  /// An action may turn the loop that it runs on, and so begin a pass within the pass.
  ///
  /// - Parameters:
  ///   - now: The present moment.
  ///   - uptime: The same by the clock that nobody sets.
  func fire(at now: Date = Date(), uptime: DispatchTime = .now()) {
    let pass = state.withLock { $0.begin(now, uptime) }
    while let (identity, action) = takeNext(in: pass) {
      guard action.interval != nil else {
        action.work.runOnce()
        continue
      }
      action.work.run()
      state.withLock { $0.actions[identity]?.isRunning = false }
    }
  }

  /// Takes the next action that is due, and sets the alarm for those behind it.
  private func takeNext(in pass: Pass) -> (identity: Identity, action: Action)? {
    state.withLock { state in
      if let next = state.takeNext(in: pass) {
        if let least = state.heap.least { ringNotAfter(least.date, &state) }
        return next
      }
      if let next = state.endPass() { ring(at: next, &state) } else { ringNoMore(&state) }
      return nil
    }
  }

  /// Lets go of an action.
  func remove(_ identity: Identity) {
    let action = state.withLock { state -> Action? in
      let action = state.actions.removeValue(forKey: identity)
      if state.heap.count + state.added.count > 2 * state.actions.count + 16 {
        let actions = state.actions
        state.heap.keep { actions[$0.identity] != nil }
        state.added.removeAll { actions[$0.identity] == nil }
      }
      if state.actions.isEmpty, state.alarm != nil { ringNoMore(&state) }
      return action
    }
    action?.work.drop()
  }

  // MARK: The alarm, which is set under the lock: what was set last is what was meant last

  private func ringNotAfter(_ date: Date, _ state: inout State) {
    if let alarm = state.alarm, alarm.date <= date { return }
    ring(at: date, &state)
  }

  private func ring(at date: Date, _ state: inout State) {
    if let alarm = state.alarm, alarm.date == date { return }
    state.alarm = (date, .soonest(after: date))
    alarm.ring(self, at: date)
  }

  private func ringNoMore(_ state: inout State) {
    state.alarm = nil
    alarm.ring(self, at: nil)
  }
}

extension DispatchTime {
  /// The moment of a date, or the present one if the date has passed.
  static func soonest(after date: Date) -> DispatchTime { .now() + max(0, date.timeIntervalSinceNow) }
}
