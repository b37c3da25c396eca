// A subscription that serialises signals from several threads for one subscriber: a gate, and the subscriber behind it.

import WeirQueues

/// How long a signal waits while another thread calls the subscriber.
@frozen
@usableFromInline
package enum Patience {
  /// Not at all: it is a cancellation.
  case none
  /// For as long as most calls take, a millisecond: it changes the state, and the subscriber is told nothing. Waiting
  /// at all keeps what follows from the change on the sender's own thread.
  case short
  /// Until it can be delivered.
  case long
}

/// What all subscriptions have in common to which several threads send: those of joined streams, buffers, callbacks.
///
/// **Signals.** A thread takes its signal inside the gate. While another thread is calling the subscriber, it waits for
/// that; or it leaves the signal to that thread, which holds the gate:
///
/// - if the subscriber would be told nothing of the signal now,
/// - if threads would otherwise wait for each other in a circle,
/// - under `handOver`, always.
///
/// What the holder of the gate itself sends, it takes at once, deeper in its stack, but behind the signals that others
/// have left to it: the values of one stream may come from several threads in turn, and must not overtake each other.
///
/// **The subscriber** is held unmanaged, as one retained object, so that a delivery counts no reference. It is freed
/// after the end, when the outermost delivery is over and the gate is left (`HeldSubscriber`).
///
/// **Errands.** The gate is held while the subscriber is called and while the state changes. Upstreams are subscribed
/// to, asked and cancelled outside it: inside, other threads would wait for code that has nothing to do with the
/// subscriber, and for whatever that code waits for. So what is to be done upstream for a signal is noted as its
/// `errand`. The thread that has taken the signal does the errand after it has left the gate, and before its call
/// returns; if it holds the gate for a delivery of its own, further up its stack, it does the errand in place. An
/// errand may end with a signal to go on with: to ask several upstreams, or to deliver and ask by turns, takes several
/// steps.
///
/// **The end.** If streams are to be cancelled at the end, that comes first, outside the gate, and then the subscriber
/// is told. What belongs to those streams belongs to the thread that cancels them: all others find that the stream is
/// over.
@safe
@usableFromInline
package class SerialLink<Downstream: Subscriber, Signal: SerialSignal>: Link {
  @usableFromInline typealias Closures = SubscriberClosures<Downstream.Input, Downstream.Failure>

  @usableFromInline let gate = Gate<Signal>()
  /// The operator's name, as Combine shows it.
  @usableFromInline let name: StaticString

  // The next six fill what the name leaves of its words.

  /// Whether senders wait for each other.
  @usableFromInline let waits: Bool
  // SAFETY (exclusivity): only the holder of the gate touches these, one thread at a time.
  /// Whether the stream has ended, from whichever side; for good.
  @safe @exclusivity(unchecked) @usableFromInline final var isOver = false
  /// Whether there is more to do than to leave, when the gate is left: the stream has ended, or there is an errand.
  @safe @exclusivity(unchecked) @usableFromInline final var isDue = false
  /// Whether what is left of the operator's streams is to be cancelled, after the end.
  @safe @exclusivity(unchecked) @usableFromInline final var isCancelling = false
  /// Whether the subscriber is to be told of the end yet, once the upstream is cancelled.
  @safe @exclusivity(unchecked) @usableFromInline final var isConcluding = false
  /// Whether signals that were handed over are being taken.
  @safe @exclusivity(unchecked) @usableFromInline final var isSettling = false
  // SAFETY (exclusivity): under `lock` only.
  /// Whether a thread has taken it upon itself to cancel the operator's streams.
  @safe @exclusivity(unchecked) @usableFromInline final var isDetached = false

  /// Guards the operator's streams, for moments: the holder of the gate changes them with it, and who cancels while
  /// another thread holds the gate reads them with it.
  @usableFromInline let lock = SpinLock()

  // SAFETY (exclusivity): only the holder of the gate touches these, one thread at a time.

  /// What holds the subscriber, as in `HeldSubscriber`; `nil` once freed.
  @exclusivity(unchecked) @usableFromInline final var target: Unmanaged<AnyObject>?
  /// The closures that values go to without the subscriber; `nil` if there are none, and once freed.
  @exclusivity(unchecked) @usableFromInline final var closures: Unmanaged<Closures>?
  /// What is left to do within and behind a delivery in which signals of others were taken; `nil` if there is none.
  @safe @exclusivity(unchecked) @usableFromInline final var putOff: PutOff<Signal>?
  /// What is to be done upstream for the signal that was taken last.
  @safe @exclusivity(unchecked) @usableFromInline final var errand: Errand?

  @inlinable
  init(
    downstream: HeldSubscriber<Downstream>, name: StaticString, onRequest: @escaping (Link, Subscribers.Demand) -> Void,
    onCancel: @escaping (Link) -> Void
  ) {
    self.name = name
    waits = ContentionPolicy.ofJoins == .wait
    unsafe target = downstream.target
    unsafe closures = downstream.closures
    super.init(onRequest: onRequest, onCancel: onCancel)
  }

  deinit {
    unsafe target?.release()
    unsafe closures?.release()
  }

  @usableFromInline
  package override var description: String { "\(name)" }

  /// Gives the subscriber to a closure. Only the holder of the gate may call this, before it has left the gate at the
  /// end.
  @inlinable @inline(__always)
  final func withDownstream<Result>(_ body: (Downstream) -> Result) -> Result {
    guard HeldSubscriber<Downstream>.isDirect else { return withBoxed(body) }
    // SAFETY: the subscriber is freed by `leaveSettled`, after the end and after the last call of this. One of a direct
    // type is held by itself.
    return unsafe target.unsafelyUnwrapped._withUnsafeGuaranteedRef {
      unsafe body(unsafeBitCast($0, to: Downstream.self))
    }
  }

  @inlinable @inline(__always)
  final func withBoxed<Result>(_ body: (Downstream) -> Result) -> Result {
    // SAFETY: as above; one of another type is in a box.
    unsafe target.unsafelyUnwrapped._withUnsafeGuaranteedRef {
      unsafe body(unsafeDowncast($0, to: SubscriberBox<Downstream>.self).subscriber)
    }
  }

  /// Delivers a value, to closures without the detour over their subscriber's state: the caller has looked whether the
  /// stream was cancelled, and a cancellation since then can't get the gate. Only the holder of the gate may call this.
  @inlinable @inline(__always)
  final func pass(_ value: Downstream.Input) -> Subscribers.Demand {
    guard let closures = unsafe closures else {
      // A direct subscriber has none only if it has, or had, another stream, and refuses this one.
      return HeldSubscriber<Downstream>.isDirect ? .none : withBoxed { $0.receive(value) }
    }
    // SAFETY: they are freed by `leaveSettled`, after the end and after the last call of this.
    unsafe closures._withUnsafeGuaranteedRef { $0.receiveValue(value) }
    return .none
  }

  /// Enters the gate by the short way.
  @inlinable @inline(__always)
  final func enterOwned() -> Bool { gate.enterOwned { me in enterRevoked(me) } }

  /// Leaves the gate by the short way, after `enterOwned`.
  @inlinable @inline(__always)
  final func leaveOwned() -> Bool { gate.leaveOwned { me in leaveRevoked(me) } }

  @inlinable @inline(never)
  final func enterRevoked(_ me: Int) -> Bool { gate.enterRevoked(me) }

  @inlinable @inline(never)
  final func leaveRevoked(_ me: Int) -> Bool { gate.leaveRevoked(me) }

  /// Enters the gate for a signal of which the subscriber is told.
  ///
  /// - Parameter isLetThrough: Says whether the subscriber would be told nothing now. It is asked while another thread
  ///   holds the gate, so it reads atomic words only.
  @inlinable @inline(__always)
  final func enter(unless isLetThrough: () -> Bool) -> Gate<Signal>.Entry {
    enterOwned() ? .entered : enterShared(.long, isLetThrough)
  }

  @inlinable @inline(__always)
  final func enterShared(_ patience: Patience, _ isLetThrough: () -> Bool) -> Gate<Signal>.Entry {
    let entry = enterFree()
    return entry == .taken ? enterTaken(patience, isLetThrough) : entry
  }

  /// Enters if the gate is free. A function of its own, without a closure: it counts no reference.
  @inlinable @inline(never)
  final func enterFree() -> Gate<Signal>.Entry { orBehindOthers(gate.tryEnterShared()) }

  /// What a thread is told that is inside already: under `handOver`, signals that were left to it go before its own.
  @inlinable @inline(__always)
  final func orBehindOthers(_ entry: Gate<Signal>.Entry) -> Gate<Signal>.Entry {
    entry == .nested && !waits && (isSettling || gate.hasHandedOver) ? .taken : entry
  }

  @inlinable @inline(never)
  final func enterTaken(_ patience: Patience, _ isLetThrough: () -> Bool) -> Gate<Signal>.Entry {
    if !waits || patience == .none { return orBehindOthers(gate.enterShared()) }
    var looks = 0
    return gate.wait(as: name, noting: WaitException.noteUntold) {
      looks += 1
      return isLetThrough() || looks > 1 && patience == .short
    }
  }

  /// Takes a signal within a delivery of the caller's own behind those that others have left, if there are any, and
  /// does its errand.
  ///
  /// - Returns: `false` if there are none: the caller takes the signal at once.
  @inlinable @inline(__always)
  final func tookBehindOthers(_ signal: @autoclosure () -> Signal, _ process: (Signal) -> Void) -> Bool {
    guard gate.hasHandedOver, gate.hasQueued || putOff?.own.isEmpty == false else { return false }
    takeBehindOthers(signal(), process)
    return true
  }

  @inlinable @inline(never)
  final func takeBehindOthers(_ signal: Signal, _ process: (Signal) -> Void) {
    let putOff = self.putOff ?? PutOff()
    self.putOff = putOff
    // The others' may lead back here, where what comes then finds this signal before it.
    putOff.own.append(signal)
    gate.takeQueued { signal in
      process(signal)
      // Done when the gate is left, which looks at it again as what was taken stays counted.
      if isDue, let errand = takeErrand() { putOff.errands.append(errand) }
    }
    while let signal = putOff.own.popFirst() {
      process(signal)
      leaveNested(process)
    }
  }

  /// Takes a signal inside the gate, or leaves it to the holder.
  ///
  /// - Parameters:
  ///   - signal: What to take.
  ///   - patience: How long to wait.
  ///   - isLetThrough: Says whether the subscriber would be told nothing of it now.
  ///   - process: Takes a signal; for the holder only.
  @inlinable
  final func receive(
    _ signal: Signal, _ patience: Patience, unless isLetThrough: () -> Bool = { false }, _ process: (Signal) -> Void
  ) {
    switch enterOwned() ? .entered : enterShared(patience, isLetThrough) {
    case .entered:
      process(signal)
      leave(process)
    case .nested:
      if tookBehindOthers(signal, process) { return }
      process(signal)
      leaveNested(process)
    case .taken: handOver(signal, process)
    }
  }

  /// Takes a signal that changes the state inside the gate, or leaves it to the holder.
  @inlinable
  final func receive(_ signal: Signal, _ process: (Signal) -> Void) { receive(signal, .short, process) }

  @inlinable
  final func handOver(_ signal: Signal, _ process: (Signal) -> Void) {
    if gate.handOver(signal) || (!waits && gate.relieve()) { settle(process) }
  }

  @inlinable @inline(__always)
  final func leave(_ process: (Signal) -> Void) {
    if !isDue, gate.leave() { return }
    settle(process)
  }

  /// Ends taking a signal within a delivery of the caller's own: does the errand in place.
  @inlinable @inline(__always)
  final func leaveNested(_ process: (Signal) -> Void) {
    if isDue { runNested(process) }
  }

  @inlinable @inline(never)
  final func runNested(_ process: (Signal) -> Void) {
    if takeCancellation() { cancelUpstream() }
    while let errand = takeErrand() {
      // What an errand goes on with may be the end.
      defer { if takeCancellation() { cancelUpstream() } }
      switch errand {
      case .ask(let subscription, let demand, let next):
        subscription.request(demand)
        go(on: next, process)
      case .cancel(let subscription): subscription.cancel()
      case .run(let work): work()
      }
    }
  }

  @inlinable @inline(__always)
  final func go(on step: NextStep, _ process: (Signal) -> Void) {
    if case .none = step { return }
    process(.goOn(step))
  }

  /// Notes that the stream has ended. Only the holder of the gate may call this.
  @inlinable @inline(__always)
  final func noteEnd() { (isOver, isDue) = (true, true) }

  /// Notes that the stream has ended, unless it has, and leaves it to do to cancel what is left of the operator's
  /// streams. Only the holder of the gate may call this.
  @inlinable
  final func noteCancellation() {
    guard !isOver else { return }
    noteEnd()
    isCancelling = true
  }

  /// Whether the operator's streams are to be cancelled now: once. Only the holder of the gate may call this.
  @inlinable @inline(__always)
  final func takeCancellation() -> Bool {
    guard isCancelling else { return false }
    isCancelling = false
    return true
  }

  /// Leaves something upstream to do, as the last step of taking a signal. Only the holder of the gate may call this.
  @inlinable @inline(__always)
  final func owe(_ errand: Errand) {
    assert(self.errand == nil, "an errand was forgotten")
    self.errand = errand
    isDue = true
  }

  /// What the operator has upstream: nothing, where values come from something outside. Under `lock` only.
  @usableFromInline
  var streams: LinkList { LinkList() }

  /// Takes all that out of its places. Under `lock` only.
  @usableFromInline
  func takeStreams() -> LinkList { LinkList() }

  /// Drops the values that wait, after the end.
  @usableFromInline
  func dropWaiting() {}

  /// Leaves the answer to a value that was handed over to do, behind what the value has left to do already: the thread
  /// that sent it has gone without one. Only the holder of the gate may call this.
  @inlinable
  final func owe(
    answer demand: Subscribers.Demand, to lane: @autoclosure () -> Link?, _ process: @escaping (Signal) -> Void
  ) {
    guard demand != .none, let subscription = lane() else { return }
    guard let former = takeErrand() else { return owe(.ask(subscription, demand, then: .none)) }
    owe(
      .run {
        self.resume(self.run(former), process)
        subscription.request(demand)
      })
  }

  /// Takes the errand of the signal that was taken last. Only the holder of the gate may call this.
  @inlinable
  final func takeErrand() -> Errand? {
    guard let due = errand else { return nil }
    errand = nil
    isDue = isOver
    return due
  }

  /// Settles, on a thread that was started for that, what another one has given away.
  @usableFromInline
  func settleAsHelper() { preconditionFailure("\(name) does not say how it takes a signal") }

  /// Takes what was handed over meanwhile, leaves the gate, frees the subscriber after the end, and does the errands.
  @inlinable @inline(never)
  final func settle(_ process: (Signal) -> Void, asHelper isHelper: Bool = false) {
    if isHelper { gate.adopt() }
    repeat {
      let own = takeErrand()
      let others = !isOver && putOff == nil && gate.leave() ? [] : leaveSettled(process, asHelper: isHelper)
      // What is asked for the caller's own signal, step by step: a loop, as there may be as many steps as values that
      // wait.
      let next = own.map { run($0) } ?? .none
      for errand in others { resume(run(errand), process) }
      if case .none = next { return }
      switch enterOwned() ? .entered : enterShared(.long, { false }) {
      case .entered: process(.goOn(next))
      case .nested:
        process(.goOn(next))
        return leaveNested(process)
      case .taken: if !gate.handOver(.goOn(next)) { return }
      }
    } while true
  }

  /// Lets others in between two deliveries of a series. Only for a caller that has nothing nested in the gate.
  ///
  /// - Returns: Whether the caller has the gate again: otherwise it is to hand over what is left of the series.
  @inlinable @inline(never)
  final func makeWay(_ process: (Signal) -> Void) -> Bool {
    guard waits else { return true }
    for errand in leaveSettled(process) { resume(run(errand), process) }
    return enterShared(.long, { false }) == .entered
  }

  /// Does an errand outside the gate.
  ///
  /// - Returns: What to go on with.
  @inlinable
  final func run(_ errand: Errand) -> NextStep {
    switch errand {
    case .ask(let subscription, let demand, let next):
      subscription.request(demand)
      return next
    case .cancel(let subscription): subscription.cancel()
    case .run(let work): work()
    }
    return .none
  }

  /// Goes on after an errand, outside the gate.
  @inlinable
  final func resume(_ step: NextStep, _ process: (Signal) -> Void) {
    if case .none = step { return }
    receive(.goOn(step), process)
  }

  /// Takes what was handed over meanwhile, leaves the gate, and after the end cancels what is left upstream and frees
  /// the subscriber.
  ///
  /// - Returns: The errands of what was handed over.
  @inlinable
  final func leaveSettled(_ process: (Signal) -> Void, asHelper isHelper: Bool = false) -> [Errand] {
    var ended: Unmanaged<AnyObject>?
    var endedClosures: Unmanaged<Closures>?
    var errands: [Errand] = []
    var cancels = takeCancellation()
    var budget = isHelper ? .unlimited : HandOverBudget()
    repeat {
      isSettling = true
      if takeHandedOver(within: &budget, adding: &errands, &cancels, process) { break }
      isSettling = false
      if let putOff {
        errands += putOff.errands
        self.putOff = nil
      }
      if isOver, !isConcluding, let target = unsafe target {
        unsafe ended = target
        unsafe self.target = nil
        unsafe endedClosures = closures
        unsafe closures = nil
      }
    } while !gate.leave()
    if cancels { cancelUpstream() }
    unsafe ended?.release()
    unsafe endedClosures?.release()
    return errands
  }

  /// Takes what was handed over by now.
  ///
  /// - Returns: Whether the budget is spent, and another thread holds the gate.
  @inlinable
  final func takeHandedOver(
    within budget: inout HandOverBudget, adding errands: inout [Errand], _ cancels: inout Bool,
    _ process: (Signal) -> Void
  ) -> Bool {
    func take(_ signal: Signal) {
      process(signal)
      if takeCancellation() { cancels = true }
      if isDue, let errand = takeErrand() { errands.append(errand) }
    }
    guard waits else {
      return gate.takeHandedOver(within: &budget, orElse: { HelperThread.start { self.settleAsHelper() } }, take)
    }
    // Where senders wait, few signals are left to others, so that nobody is kept for long.
    gate.takeHandedOver(take)
    return false
  }
}

/// What is left to do where a thread has taken others' signals within a delivery of its own.
@safe
@usableFromInline
final class PutOff<Signal> {
  // SAFETY (exclusivity): only the holder of the gate touches these, one thread at a time.
  /// The thread's own signals, behind those of others; none once the call is over that sent them.
  @safe @exclusivity(unchecked) @usableFromInline var own = RingBuffer<Signal>()
  /// What is to be done upstream for the others' signals, once the gate is left.
  @safe @exclusivity(unchecked) @usableFromInline var errands: [Errand] = []

  @inlinable
  init() {}
}
