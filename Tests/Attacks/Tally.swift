// What an attack counts, and how it tells whether a delivery was caused by the thread that it is on.

import AttackJudge
import CAttacks
import WeirQueues

/// A number that threads share.
final class Count: @unchecked Sendable {
  private let word: AtomicWord

  init(_ value: Int = 0) { word = AtomicWord(value) }

  var value: Int { word.acquireLoad() }

  @discardableResult
  func add(_ delta: Int = 1) -> Int { word.add(delta) }

  /// Replaces the number; only one thread at a time may do so.
  func set(_ value: Int) { word.publish(value) }

  @discardableResult
  func exchange(_ value: Int) -> Int { word.exchange(value) }

  /// Raises the number; only one thread at a time may do so.
  func raise(to value: Int) {
    if value > word.relaxedLoad() { word.publish(value) }
  }
}

/// The time in nanoseconds.
@inline(__always)
func now() -> Int { Int(attack_now()) }

/// The values that senders send: the sender's number, from 0, and the value's, from 1.
enum Tag {
  static func of(_ sender: Int, _ number: Int) -> Int { (sender + 1) << 40 | number }
  static func sender(_ value: Int) -> Int { value >> 40 - 1 }
  static func number(_ value: Int) -> Int { value & (1 << 40 - 1) }
}

/// What has happened in an attack.
final class Tally: @unchecked Sendable {
  let rounds = Count()
  /// What went wrong and has no column of its own; the note says what.
  let failures = Count()
  /// Deliveries on a thread that did not cause them.
  let offThread = Count()
  /// Sends that returned before their value was delivered.
  let early = Count()
  /// Sends whose value was not delivered by them; the early ones among them.
  let handedOver = Count()
  /// How many of those the attack has seen to be in a circle of threads.
  let inCircles = Count()
  /// How many deliveries follow from those in circles.
  let deliveriesOfCircles = Count()
  /// Subscriptions that had no first value when `sink` returned.
  let missingFirst = Count()
  /// Values out of order, repeated or lost, and calls of one subscriber that overlapped.
  let disorder = Count()
  /// Why a value may be delivered by another thread than its sender's: what has no such reason is a failure.
  var excuse = Excuse.none
  /// How many subscribers there are at once.
  var subscribers = 1
  /// The most values that one `send` may deliver.
  var mostInOneSend = Int.max
  /// The longest that a `send` may take, in microseconds.
  var limit = Int.max
  var residentBefore = 0
  var residentAfter = 0
  private var lanes: [Lane] = []
  private let turn = SpinLock()
  private var notes: [String] = []
  /// The first of the sends that did not deliver their value: what is beyond them has no excuse.
  private var handOvers: [Span] = []
  private var standstills = Standstills()

  func lane() -> Lane {
    let lane = Lane()
    turn.lock()
    lanes.append(lane)
    turn.unlock()
    return lane
  }

  /// Adds a remark to the row, unless it is there.
  func note(_ text: String) {
    turn.lock()
    if notes.count < 3, !notes.contains(text) { notes.append(text) }
    turn.unlock()
  }

  /// Counts a failure.
  func fail(_ text: String) {
    failures.add()
    note(text)
  }

  var sent: Int { lanes.reduce(0) { $0 + $1.sent.value } }
  var most: Int { lanes.reduce(0) { max($0, $1.most.value) } }

  /// The longest `send`, in microseconds; those that have not returned count, too.
  var slowest: Int {
    let now = now()
    return lanes.reduce(0) { longest, lane in
      let began = lane.began.value
      return max(longest, lane.slowest.value, began > 0 ? now - began : 0)
    } / 1000
  }

  /// Looks whether a value was delivered by its own `send`.
  ///
  /// - Parameters:
  ///   - sent: The `send`.
  ///   - hasArrived: Whether the subscriber had the value when it returned.
  func judge(_ sent: Sent, hasArrived: Bool) {
    if !hasArrived { early.add() }
    guard !hasArrived || sent.delivered == 0 else { return }
    handedOver.add()
    turn.lock()
    if handOvers.count < 100_000 { handOvers.append(sent.span) }
    turn.unlock()
  }

  /// Notes a time in which nothing came to the subscriber.
  func noteStandstill(_ span: Span) {
    turn.lock()
    standstills.note(span)
    turn.unlock()
  }

  /// What is said of values that were not delivered by their senders.
  var verdict: Verdict {
    var verdict = Verdict(excuse)
    turn.lock()
    (verdict.handOvers, verdict.standstills) = (handOvers, standstills)
    turn.unlock()
    (verdict.handedOver, verdict.offThread, verdict.subscribers) = (handedOver.value, offThread.value, subscribers)
    (verdict.inCircles, verdict.deliveriesOfCircles) = (inCircles.value, deliveriesOfCircles.value)
    return verdict
  }

  var allFailures: Int {
    let always = failures.value + missingFirst.value + disorder.value + (slowest > limit ? 1 : 0)
    return always + (most > mostInOneSend ? 1 : 0) + verdict.failures
  }

  /// The columns behind `outcome`.
  var columns: [String] {
    if slowest > limit { note("a send took more than \(limit) us") }
    if most > mostInOneSend { note("a send delivered more than \(mostInOneSend) values") }
    let verdict = verdict
    if verdict.failures > 0 { note("\(verdict.failures) values or deliveries by others without a reason") }
    let numbers = [
      rounds.value, allFailures, slowest, sent, offThread.value, early.value, verdict.handedOver, verdict.excused,
      WaitException.letThrough, WaitException.circles, WaitException.untold, missingFirst.value, disorder.value, most,
      residentBefore / 1024, residentAfter / 1024,
    ]
    return numbers.map(String.init) + [notes.joined(separator: "; ").replacing(",", with: ";")]
  }
}

/// A `send` that has returned.
struct Sent {
  let span: Span
  /// How many values were delivered within it on its own thread.
  let delivered: Int
}

/// One thread's sends.
final class Lane: @unchecked Sendable {
  let began = Count()
  let slowest = Count()
  let sent = Count()
  /// The most values that were delivered in one of its sends.
  let most = Count()

  /// Sends a value; sinks see on this thread that it is the one.
  @inline(__always) @discardableResult
  func send(_ value: Int, _ body: (Int) -> Void) -> Sent {
    let state = attack_state()!
    let outer = state.pointee
    let start = now()
    if outer.current == 0 { began.set(start) }
    state.pointee.current = Int64(value)
    state.pointee.delivered = 0
    body(value)
    let sent = Sent(span: Span(start, now()), delivered: Int(state.pointee.delivered))
    most.raise(to: sent.delivered)
    state.pointee.current = outer.current
    state.pointee.delivered = outer.delivered
    guard outer.current == 0 else { return sent }
    slowest.raise(to: sent.span.length)
    began.set(0)
    self.sent.set(self.sent.value + 1)
    return sent
  }
}

/// Uses the processor for some time.
@inline(__always)
func busy(_ nanoseconds: Int) {
  guard nanoseconds > 0 else { return }
  let end = now() + nanoseconds
  while now() < end { spinHint() }
}

/// A subscriber that checks what it gets.
final class Witness: @unchecked Sendable {
  /// What is expected of values of one sender.
  enum Order {
    /// Each one, in order.
    case all
    /// In order, with gaps.
    case gaps
    /// In order, with gaps and repeated.
    case repeats
  }

  let tally: Tally
  let cost: Int
  let order: Order
  /// The number of the value of each sender that came last.
  let last: [Count]
  /// A value that takes it 5 ms.
  var slowValue = 0
  /// What it does with a value besides.
  var whenReceived: ((Int) -> Void)?
  private let inside = Count()
  /// When its last call ended, while it looks for standstills; 0 before the first.
  private let idleSince = Count()
  private let looksForStandstills: Bool
  /// Its number, for a thread that asks it for values: `attack_doing.asking`.
  let identity: Int
  private static let identities = Count(1)

  /// - Parameter looksForStandstills: Whether it is the one that is called before all others and wants every value.
  init(
    _ tally: Tally, senders: Int = 4, cost: Int = 0, order: Order = .all, looksForStandstills: Bool = false
  ) {
    self.tally = tally
    self.looksForStandstills = looksForStandstills
    self.cost = cost
    self.order = order
    last = (0..<senders).map { _ in Count() }
    identity = Self.identities.add()
  }

  func receive(_ value: Int) {
    enter()
    let state = attack_state()!
    if state.pointee.current != Int64(value), state.pointee.asking != Int64(identity) { tally.offThread.add() }
    state.pointee.delivered += 1
    note(value)
    leave()
  }

  /// Values that arrive together; any of them may be the cause.
  func receive(_ values: (Int, Int, Int, Int)) {
    enter()
    let state = attack_state()!
    let current = Int(state.pointee.current)
    if current != values.0, current != values.1, current != values.2, current != values.3 { tally.offThread.add() }
    state.pointee.delivered += 1
    note(values.0)
    note(values.1)
    note(values.2)
    note(values.3)
    leave()
  }

  /// A signal without a value: what this thread is sending must be the cause.
  func receiveSignal() {
    enter()
    let state = attack_state()!
    let current = Int(state.pointee.current)
    if current == 0 { tally.offThread.add() } else { note(current) }
    state.pointee.delivered += 1
    leave()
  }

  func hasSeen(_ value: Int) -> Bool { last[Tag.sender(value)].value >= Tag.number(value) }

  private func enter() {
    if looksForStandstills, idleSince.value > 0 {
      let span = Span(idleSince.value, now())
      if span.length >= Standstills.least { tally.noteStandstill(span) }
    }
    guard inside.exchange(1) != 0 else { return }
    tally.disorder.add()
    tally.note("calls overlap")
  }

  private func leave() {
    busy(cost)
    if looksForStandstills { idleSince.set(now()) }
    inside.exchange(0)
  }

  private func note(_ value: Int) {
    guard value > 0 else { return }
    let place = last[Tag.sender(value)]
    let former = place.value
    let number = Tag.number(value)
    let isRight =
      switch order {
      case .all: number == former + 1
      case .gaps: number > former || former == 0
      case .repeats: number >= former
      }
    if !isRight {
      tally.disorder.add()
      tally.note("after \(former) of sender \(Tag.sender(value)) came \(number)")
    }
    place.set(number)
    whenReceived?(value)
    if value == slowValue { attack_sleep(5_000_000) }
  }
}
