// The order of a run loop's actions, which its timers don't keep: timers whose dates have passed fire in any order.

import Foundation
import WeirQueues

/// The actions that wait for their dates on one run loop.
///
/// Each has a timer of its own. When one of the timers fires, whichever it is, all actions run that are due then, in the
/// order of their dates, and in the order in which they were scheduled where dates are the same. The timers that fire after
/// it find their actions done.
final class DatedActions: Sendable {
  /// Names an action.
  typealias Identity = Int

  private struct Action {
    let work: ScheduledWork
    /// The time between runs; the action runs once if `nil`.
    let interval: TimeInterval?
    var date: Date
    /// Whether the action ran for a date at which its own timer is still to fire.
    var isAhead = false
  }

  /// An action's date in the heap; void if there is no such action any more.
  private struct Entry: Comparable {
    let date: Date
    let order: Int
    let identity: Identity

    static func < (lhs: Entry, rhs: Entry) -> Bool { (lhs.date, lhs.order) < (rhs.date, rhs.order) }
  }

  private struct State {
    var actions: [Identity: Action] = [:]
    /// A binary heap: no entry comes before its parent, at half its place.
    var heap: [Entry] = []
    var order = 0

    mutating func push(_ identity: Identity, _ date: Date) {
      order += 1
      heap.append(Entry(date: date, order: order, identity: identity))
      var place = heap.count - 1
      while place > 0, heap[place] < heap[(place - 1) / 2] {
        heap.swapAt(place, (place - 1) / 2)
        place = (place - 1) / 2
      }
    }

    mutating func popFirst(upTo limit: Date) -> Entry? {
      guard let first = heap.first, first.date <= limit else { return nil }
      heap.swapAt(0, heap.count - 1)
      heap.removeLast()
      var place = 0
      while true {
        let children = (2 * place + 1)..<min(2 * place + 3, max(heap.count, 2 * place + 1))
        guard let least = children.min(by: { heap[$0] < heap[$1] }), heap[least] < heap[place] else { return first }
        heap.swapAt(place, least)
        place = least
      }
    }

    /// Takes the next action that is due.
    mutating func takeNext(upTo limit: Date, timer: Identity) -> Action? {
      while let entry = popFirst(upTo: limit) {
        guard var action = actions[entry.identity] else { continue }
        if let interval = action.interval {
          // Dates that were missed are left out, as a timer does.
          let missed = (limit.timeIntervalSince(entry.date) / interval).rounded(.down)
          action.date = entry.date + interval * (missed + 1)
          action.isAhead = entry.identity != timer
          actions[entry.identity] = action
          push(entry.identity, action.date)
        } else {
          actions[entry.identity] = nil
        }
        return action
      }
      return nil
    }
  }

  private let state = Lock(State())

  /// How many actions wait, and how many entries there are for them.
  var counts: (actions: Int, entries: Int) { state.withLock { ($0.actions.count, $0.heap.count) } }

  /// Adds an action, before its timer.
  ///
  /// - Parameters:
  ///   - work: The action.
  ///   - date: The moment not before which it runs.
  ///   - interval: The time between runs, more than none; it runs once if `nil`.
  func add(_ work: ScheduledWork, at date: Date, every interval: TimeInterval? = nil) -> Identity {
    state.withLock { state in
      state.push(state.order + 1, date)
      state.actions[state.order] = Action(work: work, interval: interval, date: date)
      return state.order
    }
  }

  /// Runs all actions that are due: an action's timer fires.
  ///
  /// - Parameters:
  ///   - identity: Whose timer. Its date counts as passed, however the clock stands.
  ///   - now: The present moment.
  func fire(_ identity: Identity, at now: Date) {
    let limit = state.withLock { state -> Date in
      guard let action = state.actions[identity] else { return now }
      if action.isAhead {
        state.actions[identity]?.isAhead = false
        return now
      }
      return max(now, action.date)
    }
    while let action = state.withLock({ $0.takeNext(upTo: limit, timer: identity) }) {
      if action.interval == nil { action.work.runOnce() } else { action.work.run() }
    }
  }

  /// Lets go of an action.
  func remove(_ identity: Identity) {
    let action = state.withLock { state -> Action? in
      let action = state.actions.removeValue(forKey: identity)
      if state.heap.count > 2 * state.actions.count + 16 {
        // What is sorted is a heap.
        state.heap = state.heap.filter { state.actions[$0.identity] != nil }.sorted()
      }
      return action
    }
    action?.work.drop()
  }

  // MARK: Which loop's

  private struct Owner {
    weak var loop: RunLoop?
    let actions: DatedActions
  }

  private static let owners = Lock<[ObjectIdentifier: Owner]>([:])

  /// The actions of a loop.
  static func of(_ loop: RunLoop) -> DatedActions {
    owners.withLock { owners in
      if let owner = owners[ObjectIdentifier(loop)], owner.loop === loop { return owner.actions }
      // Loops end with their threads, and later ones may have their addresses.
      owners = owners.filter { $0.value.loop != nil }
      let actions = DatedActions()
      owners[ObjectIdentifier(loop)] = Owner(loop: loop, actions: actions)
      return actions
    }
  }
}
