// Seeded bugs, each of which some scenario must notice. They show that the scenarios would notice the real one.

import WeirVerify

/// A bug at a place of the sources: told by file, function and operation, never by line, so that it moves with the
/// code. The exploration fails if the place is no longer there, or if there are several and none is named.
struct Mutant {
  let name: String
  let behaviour: Mutation.Behaviour
  let file: String
  let function: String
  let operation: Operation
  /// Which one, where the function has several.
  let index: Int?
  /// Why the code stays as it is though no scenario need notice the mutant.
  let reasonToStay: String?

  init(
    _ name: String, _ behaviour: Mutation.Behaviour, _ operation: Operation, in function: String, of file: String,
    _ index: Int? = nil, stays reasonToStay: String? = nil
  ) {
    self.name = name
    self.behaviour = behaviour
    self.file = file
    self.function = function
    self.operation = operation
    self.index = index
    self.reasonToStay = reasonToStay
  }

  /// The name of the scenarios that are about its place, as far as their names agree: "owned-gate" of "owned gate:
  /// ...".
  var family: String {
    let family = name.prefix { $0 != ":" }
    return family == "turn of a subscriber" ? "current" : String(family.map { $0 == " " ? "-" : $0 })
  }

  /// The place, among all that scenarios have passed.
  func site(among sites: some Sequence<Site>) -> (site: Site?, problem: String) {
    let found = sites.filter { $0.file == file && $0.function == function && $0.operation == operation }.sorted()
    let place = "\(operation.rawValue) in \(function) of \(file)"
    if found.isEmpty { return (nil, "there is no \(place) any more, or no scenario comes there") }
    if let index {
      return index < found.count
        ? (found[index], "") : (nil, "there are \(found.count) times \(place), not \(index + 1)")
    }
    return found.count == 1 ? (found[0], "") : (nil, "there are \(found.count) times \(place): say which")
  }
}

let mutants = [
  // The gate.
  Mutant("gate: enters by load and store", .split, .compareExchange, in: "tryEnterShared()", of: gate),
  Mutant("gate: enters with marks by load and store", .split, .compareExchange, in: "tryEnterMarked(_:)", of: gate),
  Mutant("gate: does not name the holder", .skipped, .store, in: "enterTaken(_:)", of: gate),
  Mutant("gate: all threads have one name", .returns(16), .identity, in: "tryEnterShared()", of: gate),
  Mutant("gate: leaves by a plain store", .buffered, .compareExchange, in: "leaveWord(_:)", of: gate),
  Mutant("gate: leaves by load and store", .split, .compareExchange, in: "leaveWord(_:)", of: gate),
  Mutant("gate: leaves without looking for signals", .forced, .compareExchange, in: "leaveWord(_:)", of: gate),
  Mutant("gate: does not leave", .claimed, .compareExchange, in: "leaveWord(_:)", of: gate),
  Mutant("gate: keeps the holder's name after leaving", .skipped, .store, in: "leaveShared()", of: gate),
  Mutant("gate: forgets the holder that stays", .skipped, .store, in: "leaveMarked(_:)", of: waiting),
  Mutant("gate: counts a signal by load and store", .split, .add, in: "noteQueued()", of: gate, 0),
  Mutant("gate: has no unit after a hand-over", .skipped, .add, in: "noteQueued()", of: gate, 1),
  Mutant("gate: does not name who found it free", .skipped, .store, in: "noteQueued()", of: gate),
  Mutant("gate: hands over without a look at the owner", .returns(4), .load, in: "noteQueued()", of: gate),
  Mutant("gate: makes two queues", .forced, .compareExchange, in: "install(_:in:)", of: gate),
  Mutant("gate: does not publish its queue", .claimed, .compareExchange, in: "install(_:in:)", of: gate),
  Mutant("gate: takes fewer signals than were counted", .stale, .load, in: "end", of: mpsc),
  Mutant("gate: takes nothing", .returns(0), .load, in: "end", of: mpsc),
  Mutant("gate: subtracts by load and store", .split, .add, in: "takeHandedOver(_:)", of: gate),
  Mutant("gate: subtracts nothing", .skipped, .add, in: "takeHandedOver(_:)", of: gate),
  Mutant("gate: sees no waiting signals", .returns(1), .load, in: "hasHandedOver", of: gate),

  // The gate's owned state. The identity of thread A, the owner, is 32.
  Mutant("owned gate: enters without being busy", .skipped, .store, in: "enterOwned(_:)", of: ownership),
  Mutant("owned gate: is busy too late", .postponed(past: 2), .store, in: "enterOwned(_:)", of: ownership),
  Mutant("owned gate: enters without looking again", .returns(32), .load, in: "enterOwned(_:)", of: ownership, 2),
  Mutant("owned gate: stays busy", .skipped, .store, in: "leaveOwned(_:)", of: ownership),
  Mutant("owned gate: leaves before it is not busy", .postponed(past: 2), .store, in: "leaveOwned(_:)", of: ownership),
  Mutant("owned gate: leaves without looking again", .returns(32), .load, in: "leaveOwned(_:)", of: ownership),
  Mutant("owned gate: revokes without the barrier", .skipped, .barrier, in: "revoke(_:)", of: ownership),
  Mutant("owned gate: takes the owner to be outside", .returns(0), .load, in: "revoke(_:)", of: ownership, 1),
  Mutant("owned gate: takes the owner to be inside", .returns(32), .load, in: "revoke(_:)", of: ownership, 1),
  Mutant(
    "owned gate: says by load and store that it ends", .split, .compareExchange, in: "revoke(_:)", of: ownership, 0),
  Mutant("owned gate: decides by load and store", .split, .compareExchange, in: "revoke(_:)", of: ownership, 1),
  Mutant("owned gate: decides whatever was decided", .forced, .compareExchange, in: "revoke(_:)", of: ownership, 1),
  Mutant("owned gate: who has revoked it has no name", .skipped, .store, in: "revoke(_:)", of: ownership),
  Mutant("owned gate: stays by load and store", .split, .compareExchange, in: "enterRevoked(_:)", of: ownership),
  Mutant("owned gate: stays whatever was decided", .forced, .compareExchange, in: "enterRevoked(_:)", of: ownership),
  Mutant("owned gate: stays without a name", .skipped, .store, in: "enterRevoked(_:)", of: ownership, 0),
  Mutant("owned gate: stays busy when revoked", .skipped, .store, in: "enterRevoked(_:)", of: ownership, 1),
  Mutant("owned gate: goes by load and store", .split, .compareExchange, in: "leaveRevoked(_:)", of: ownership),
  Mutant("owned gate: goes whatever was decided", .forced, .compareExchange, in: "leaveRevoked(_:)", of: ownership),
  Mutant("owned gate: is adopted whoever waits", .returns(1), .add, in: "claim(_:)", of: ownership),
  Mutant("owned gate: is adopted in vain", .claimed, .compareExchange, in: "claim(_:)", of: ownership, 0),
  Mutant(
    "owned gate: is revoked while it is not adopted", .claimed, .compareExchange, in: "claim(_:)", of: ownership, 1),
  Mutant("owned gate: is adopted by an idler", .skipped, .store, in: "claim(_:)", of: ownership, 3),
  Mutant("owned gate: keeps the adopter's name", .skipped, .store, in: "claim(_:)", of: ownership, 2),

  // Waiting.
  Mutant("waiting: never asks who owns the gate", .returns(4), .load, in: "tryEnterMarked(_:)", of: gate, 1),
  Mutant("waiting: sleeps whatever the word is", .forced, .compareExchange, in: "join(_:_:)", of: waiting),
  Mutant("waiting: leaves with marks by load and store", .split, .compareExchange, in: "leaveMarked(_:)", of: waiting),
  Mutant("waiting: leaves with marks whoever comes", .forced, .compareExchange, in: "leaveMarked(_:)", of: waiting),
  Mutant("waiting: lets the next in by load and store", .split, .compareExchange, in: "letNextIn()", of: waiting),
  Mutant("waiting: lets the next in whoever comes", .forced, .compareExchange, in: "letNextIn()", of: waiting),
  Mutant("waiting: who is let in has no name", .skipped, .store, in: "letNextIn()", of: waiting),
  Mutant("waiting: lookers are not counted", .skipped, .add, in: "whileHeld(_:)", of: waiting, 0),
  Mutant(
    "waiting: circles are looked for without the lock", .skipped, .lock, in: "enter(_:waitingFor:or:canGiveWay:)",
    of: waitLine),

  // The passing of the role of the thread that delivers for others.
  Mutant("relief: keeps its name", .skipped, .store, in: "name(_:)", of: relief, 1),
  Mutant("relief: gives away what it owns without a verdict", .skipped, .exchange, in: "name(_:)", of: relief),
  Mutant("relief: gives away what it owns and stays busy", .skipped, .store, in: "name(_:)", of: relief, 0),
  Mutant("relief: who is started has no name", .skipped, .store, in: "adopt()", of: relief),
  Mutant("relief: subtracts by load and store", .split, .add, in: takes, of: relief),
  Mutant("relief: subtracts nothing", .skipped, .add, in: takes, of: relief),

  // A subscriber's own turn.
  Mutant("turn of a subscriber: nobody looks at it", .returns(0), .load, in: "mayBeCalledHere", of: subjectTurn),
  Mutant(
    "turn of a subscriber: is taken by load and store", .split, .compareExchange, in: "catchUpOutside(_:adding:)",
    of: subjectTurn),
  Mutant(
    "turn of a subscriber: is taken without the barrier", .skipped, .barrier, in: "catchUpOutside(_:adding:)",
    of: subjectTurn),
  Mutant("turn of a subscriber: is kept", .claimed, .compareExchange, in: "endTurn()", of: subjectTurn),
  Mutant(
    "turn of a subscriber: ends whatever was left to it", .forced, .compareExchange, in: "endTurn()", of: subjectTurn),
  Mutant("turn of a subscriber: a miss is a plain store", .buffered, .exchange, in: "takeOrMiss(_:)", of: subjectTurn),
  Mutant("turn of a subscriber: a miss is not noted", .skipped, .exchange, in: "takeOrMiss(_:)", of: subjectTurn),

  // The demand ledger.
  Mutant("ledger: adds by load and store", .split, .compareExchange, in: "add(_:)", of: ledger),
  Mutant("ledger: adds whatever the word is", .forced, .compareExchange, in: "add(_:)", of: ledger),
  Mutant("ledger: takes by load and store", .split, .compareExchange, in: "takeCounted()", of: ledger),
  Mutant("ledger: takes without writing", .claimed, .compareExchange, in: "takeCounted()", of: ledger),
  Mutant("ledger: settles whatever the word is", .forced, .compareExchange, in: "settle(_:)", of: ledger),
  Mutant("ledger: cancels by load and store", .split, .exchange, in: "cancel()", of: ledger),
  Mutant("ledger: does not cancel", .skipped, .exchange, in: "cancel()", of: ledger),

  // Subscriptions.
  Mutant("subscription: begins by load and store", .split, .compareExchange, in: "beginActivation()", of: subscription),
  Mutant("subscription: misses an early end", .forced, .compareExchange, in: "endActivation()", of: subscription),
  Mutant("subscription: uses without counting", .claimed, .compareExchange, in: "beginUse()", of: subscription),
  Mutant("subscription: leaves by load and store", .split, .add, in: "endUse()", of: subscription),
  Mutant("subscription: is never the last user", .returns(0), .add, in: "endUse()", of: subscription),
  Mutant("subscription: is always the last user", .returns(7), .load, in: "endLastUse()", of: subscription),
  Mutant("subscription: ends by load and store", .split, .compareExchange, in: "end(from:)", of: subscription),
  Mutant("one-shot: fires by load and store", .split, .exchange, in: "fire()", of: "Weir/OneShot.swift"),

  // Where streams join.
  Mutant("join: gives every value away", .returns(0), .load, in: "hasNone", of: ledger),
  Mutant("zip: takes every lane for empty in a look", .returns(0), .load, in: "isEmpty", of: lanes),
  Mutant("combineLatest: leaves a value that is wanted", .returns(1), .load, in: "completesNone(_:)", of: offers),

  // The sink's closures.
  Mutant("subject link: stays direct when it is cancelled", .skipped, .exchange, in: "stopDirect()", of: subjectLink),
  Mutant("sink: cancels without the heavy barrier", .skipped, .barrier, in: "retireUnlessBusy()", of: closures),
  Mutant("sink: cancels without looking at busy", .returns(0), .load, in: "retireUnlessBusy()", of: closures, 1),
  Mutant("sink: takes closures for trusted ones", .returns(0), .load, in: "retireUnlessBusy()", of: closures, 0),
  Mutant("sink: does not mark itself busy", .skipped, .store, in: "receive(_:unless:)", of: closures, 0),
  Mutant("sink: swaps its two marks", .postponed(past: 3), .store, in: "receive(_:unless:)", of: closures, 0),
  Mutant("sink: stays busy", .skipped, .store, in: "receive(_:unless:)", of: closures, 1),
  Mutant("sink: does not count an untrusted call", .skipped, .add, in: "enter()", of: closures),
  Mutant("sink: counts untrusted calls by load and store", .split, .add, in: "enter()", of: closures),
  Mutant("sink: does not end an untrusted call", .skipped, .add, in: "leave(saying:)", of: closures),
  Mutant("sink: ends beside an untrusted call", .claimed, .compareExchange, in: "retireUnlessBusy()", of: closures),
  Mutant("sink: frees by load and store", .split, .exchange, in: "release()", of: closures),
  Mutant("sink: does not see the end", .returns(2), .load, in: "isOver", of: subscription),

  // Calls of one subscriber on two threads.
  Mutant("turnstile: stays closed", .skipped, .store, in: "pass(_:_:)", of: turnstile),
  Mutant("turnstile: opens too late", .postponed(past: 1), .store, in: "pass(_:_:)", of: turnstile),

  // Locks.
  Mutant("spin lock: takes by load and store", .split, .compareExchange, in: "lock()", of: spinLock),
  Mutant("spin lock: takes after a wait by load and store", .split, .compareExchange, in: "wait()", of: spinLock),
  Mutant("spin lock: takes after a wait whatever the word is", .forced, .compareExchange, in: "wait()", of: spinLock),
  Mutant("spin lock: stays taken", .skipped, .store, in: "unlock()", of: spinLock),
  Mutant("current value: stores and places without the lock", .skipped, .lock, in: "withLock(_:)", of: latest),
  Mutant("upstreams: adds without the lock", .skipped, .lock, in: "add(_:)", of: upstreams),
  Mutant("autoconnect: counts without the lock", .skipped, .lock, in: "receive(subscriber:)", of: autoconnect, 0),

  // Queues.
  Mutant("queue: publishes without releasing", .relaxed, .store, in: "enqueue(_:)", of: queue),
  Mutant("queue: sees what is not there yet", .returns(4), .load, in: "comesToNext()", of: queue),
  Mutant("queue: publishes a batch without releasing", .relaxed, .store, in: "enqueue(contentsOf:)", of: queue),
  Mutant("queue: does not answer a consumer that closes", .skipped, .store, in: "canAdd()", of: queue),
  Mutant("queue: is drained whenever it is empty", .returns(1), .load, in: "isDrained", of: queue, 0),
  Mutant("ring: publishes without releasing", .relaxed, .store, in: "enqueue(_:)", of: ring),
  Mutant("ring: gives a slot back without releasing", .relaxed, .store, in: "dequeue()", of: ring),
  Mutant("ring: is never full", .returns(64), .load, in: "room(at:for:)", of: ring, 1),
  Mutant("ring: publishes before it fills", .postponed(past: 1), .store, in: "enqueue(_:)", of: ring),
  Mutant("ring: is drained whenever it is empty", .returns(1), .load, in: "isDrained", of: ring, 0),
  Mutant("ring: does not answer a consumer that closes", .skipped, .store, in: "room(at:for:)", of: ring),
  Mutant("ring: asks after the answer", .forced, .compareExchange, in: "closeReceiving()", of: ring),
  Mutant("mpsc: takes a place by load and store", .split, .compareExchange, in: "takePlace()", of: mpsc),
  Mutant("mpsc: takes a last place by load and store", .split, .compareExchange, in: contended, of: mpsc),
  Mutant("mpsc: publishes without releasing", .relaxed, .store, in: "fill(_:of:with:)", of: mpsc),
  Mutant("mpsc: is drained when it is closed", .returns(5), .load, in: "isDrained", of: mpsc),
  Mutant("mpsc: does not publish a segment", .skipped, .store, in: "link(_:behind:)", of: mpsc),
  Mutant("mpsc: publishes a segment too late", .postponed(past: 1), .store, in: "link(_:behind:)", of: mpsc),
  Mutant("mpsc: opens a segment by load and store", .split, .add, in: "link(_:behind:)", of: mpsc),
  Mutant("mpsc: opens no segment", .skipped, .add, in: "link(_:behind:)", of: mpsc),
  Mutant("segments: links none", .skipped, .store, in: "link(_:behind:)", of: segments),
  Mutant("segments: keeps one that goes on", .skipped, .store, in: "prepare(_:)", of: segments),
  Mutant("segments: gives a spare to two", .split, .exchange, in: "prepare(_:)", of: segments),
  Mutant("segments: keeps by load and store", .split, .compareExchange, in: "giveBack(_:_:)", of: segments),
  Mutant("segments: keeps one over another", .forced, .compareExchange, in: "giveBack(_:_:)", of: segments),
  Mutant("segments: counts a run's users by load and store", .split, .add, in: "release(_:)", of: segments),
  Mutant("segments: trims by load and store", .split, .exchange, in: "trim(_:)", of: segments),
  Mutant("mpmc: takes a slot to fill by load and store", .split, .compareExchange, in: "claim()", of: mpmc),
  Mutant("mpmc: takes a slot to empty by load and store", .split, .compareExchange, in: "dequeue()", of: mpmc),
  Mutant("mpmc: fills without releasing", .relaxed, .store, in: "show(_:)", of: mpmc),
  Mutant("mpmc: empties without releasing", .relaxed, .store, in: "giveBack(_:)", of: mpmc),
  Mutant("mpmc: takes a batch by load and store", .split, .compareExchange, in: "claim(atMost:of:turn:)", of: mpmc),
  Mutant("mpmc: overwrites by load and store", .split, .compareExchange, in: "overwrite(with:)", of: mpmc, 1),
  Mutant("mpmc: overwrites what another takes", .forced, .compareExchange, in: "overwrite(with:)", of: mpmc, 1),
  Mutant("mpmc: overwrites by a plain store", .split, .add, in: "overwrite(with:)", of: mpmc),
  Mutant("mpmc: is drained while it is overwritten", .returns(2), .load, in: "isDrained", of: mpmc, 2),
  Mutant("queues: close by load and store", .split, .compareExchange, in: "setLowestBit(of:)", of: mpsc),

  // Channels.
  Mutant("channel: does not look for who waits", .returns(0), .add, in: "areThere", of: waiters),
  Mutant("channel: who waits is not counted", .skipped, .add, in: "join(_:for:)", of: waiters),
  Mutant("channel: looks by load and store", .split, .add, in: "areThere", of: waiters),
  Mutant("channel: joins a line without the lock", .skipped, .lock, in: "join(_:for:)", of: waiters),
  Mutant("channel: leaves a line without the lock", .skipped, .lock, in: "leave(_:)", of: waiters),
  Mutant("channel: wakes without the lock", .skipped, .lock, in: "wakeOne(_:)", of: waiters),
  Mutant("channel: stays counted when it leaves", .skipped, .add, in: "leave(_:)", of: waiters),
  Mutant("channel: does not say that nobody receives", .skipped, .add, in: "endReceiving()", of: waiters),
  Mutant("channel: says by load and store that nobody receives", .split, .add, in: "endReceiving()", of: waiters),
  Mutant("channel: overlooks that nobody receives", .returns(0), .load, in: "isReceivingOver", of: waiters),
  Mutant("channel: receives without a turn", .skipped, .lock, in: "withTurn(_:)", of: growing),
  Mutant("channel: falls asleep without the lock", .skipped, .lock, in: "sleep(_:)", of: waiters),
  Mutant("channel: is woken without the lock", .skipped, .lock, in: "markWoken()", of: waiters),

  Mutant("pull: asks without the lock", .skipped, .lock, in: "askForOne()", of: puller),
  Mutant("pull: looks without the lock", .skipped, .lock, in: "lookForNext()", of: puller),
  Mutant("pull: receives without the lock", .skipped, .lock, in: "receive(_:)", of: puller),
  Mutant("pull: takes a subscription without the lock", .skipped, .lock, in: "receive(subscription:)", of: puller),
  Mutant("pull: is cancelled without the lock", .skipped, .lock, in: "cancel()", of: puller),
  Mutant("pull: begins to wait without the lock", .skipped, .lock, in: "enqueue(_:)", of: puller),
  Mutant("pull: goes on without the lock", .skipped, .lock, in: "wait()", of: puller),
  Mutant("pull: frees the upstream without the lock", .skipped, .lock, in: "freeUpstream()", of: puller),

  // Tasks that wait for a promise, and for room.
  Mutant("promise: begins to wait without the lock", .skipped, .lock, in: "awaitedOutcome()", of: promise),
  Mutant("promise: is resolved without the lock", .skipped, .lock, in: "resolve(_:)", of: promise),
  Mutant("room: is taken without the lock", .skipped, .lock, in: "take()", of: room),
  Mutant("room: is given back without the lock", .skipped, .lock, in: "giveBack()", of: room),

  Mutant("mailbox: counts by load and store", .split, .add, in: "raise(_:)", of: work),
  Mutant("mailbox: settles by load and store", .split, .add, in: "settle(_:)", of: work),
  Mutant("mailbox: does not settle", .skipped, .add, in: "settle(_:)", of: work),
  Mutant("mailbox: keeps the worker's name after settling", .skipped, .store, in: "settle(_:)", of: work),

  // The loop of a scheduler.
  Mutant("event loop: does not say that it sleeps", .skipped, .exchange, in: "sleep(until:)", of: eventLoop, 0),
  Mutant(
    "event loop: says by a plain store that it sleeps", .buffered, .exchange, in: "sleep(until:)", of: eventLoop, 0),
  Mutant("event loop: overlooks the sleeper", .returns(0), .exchange, in: "wake()", of: eventLoop),
  Mutant("event loop: looks for the sleeper by load and store", .split, .exchange, in: "wake()", of: eventLoop),
  Mutant("event loop: does not end", .claimed, .compareExchange, in: "abandon()", of: eventLoop),
  Mutant("event loop: overlooks what was let go of", .returns(0), .load, in: "hasManyDropped", of: eventLoop),
  Mutant("shards: does not tell of a lane", .returns(1), .exchange, in: "tell()", of: shards),
  Mutant("shards: notes by load and store", .split, .compareExchange, in: "send(_:)", of: shards),
  Mutant("shards: does not say that it will tell", .skipped, .add, in: "tell()", of: shards, 0),
  Mutant("shards: does not say that it has told", .skipped, .add, in: "tell()", of: shards, 1),
  Mutant("shards: takes the note by a plain store", .buffered, .exchange, in: "takeNote()", of: shards),

  // Waiting senders, and one stream after another.
  Mutant("parker: is not signalled", .skipped, .exchange, in: "unpark()", of: parker),
  Mutant("parker: does not sleep", .returns(1), .load, in: "park()", of: parker),
  Mutant("parker: keeps the signal", .skipped, .store, in: "reset()", of: parker),
  Mutant("succession: asks without the lock", .skipped, .lock, in: "note(_:)", of: succession),
  Mutant("succession: switches without the lock", .skipped, .lock, in: "begin(last:)", of: succession),
  Mutant("succession: ends without the lock", .skipped, .lock, in: "end(at:)", of: succession),

  // Replaying, and going on after a failure.
  Mutant("replay: admits without the lock", .skipped, .lock, in: "admit()", of: replay),
  Mutant("replay: calls beside a delivery without the barrier", .skipped, .barrier, in: outside, of: replayTurn, 0),
  Mutant("replay: leaves a request without the barrier", .skipped, .barrier, in: outside, of: replayTurn, 1),
  Mutant("replay: calls whom the holder calls", .returns(0), .load, in: "isCalling(_:)", of: replayTurn),
  Mutant("replay: does not say whom it calls", .skipped, .store, in: "beginCall(_:)", of: replay),
  Mutant("replay: does not say that it is through", .skipped, .store, in: "endCall(_:)", of: replay),
  Mutant("replay: does not look at the turn", .returns(0), .load, in: "beginCall(_:)", of: replay),
  Mutant("replay: dismisses without the lock", .skipped, .lock, in: "dismiss()", of: replay),
  Mutant("revival: begins to wait without the lock", .skipped, .lock, in: "beginWaiting()", of: revival),
  Mutant("revival: ends the wait without the lock", .skipped, .lock, in: "endWaiting(of:)", of: revival),
  Mutant("revival: subscribes without the lock", .skipped, .lock, in: "endSubscribing()", of: revival),
  Mutant("revival: keeps without the lock", .skipped, .lock, in: "hold(_:in:whileWaits:)", of: revival),

  // The right to change a state.
  Mutant("turn: all threads have one name", .returns(16), .identity, in: "enter(_:)", of: turn),
  Mutant("turn: enters without its lock", .skipped, .lock, in: "enter(_:)", of: turn),
  Mutant("turn: leaves without its lock", .skipped, .lock, in: "leave(unlessThrough:)", of: turn),
  Mutant("turn: sleeps without its lock", .skipped, .lock, in: "enterContended(_:isApart:)", of: turn, 0),
  Mutant("turn: looks for a circle without the table", .skipped, .lock, in: "withWaits(_:)", of: waitLine),
  Mutant("turn: is looked at without its lock", .skipped, .lock, in: "changers", of: turn),
  Mutant("turn: notes a change without the lock", .skipped, .lock, in: "enter(_:_:_:)", of: changes),
  Mutant("turn: ends a change without the lock", .skipped, .lock, in: "leave(_:unlessThrough:)", of: changes),
]

private let gate = "Weir/Gate.swift"
private let ownership = "Weir/GateOwnership.swift"
private let waiting = "Weir/GateWaiting.swift"
private let waitLine = "WeirQueues/WaitLine.swift"
private let relief = "Weir/GateRelief.swift"
private let takes = "takeHandedOver(within:orElse:_:)"
private let subjectTurn = "Weir/SubjectTurn.swift"
private let ledger = "Weir/DemandLedger.swift"
private let subscription = "Weir/SubscriptionState.swift"
private let closures = "Weir/GuardedClosures.swift"
private let subjectLink = "Weir/SubjectLink.swift"
private let latest = "Weir/LatestValue.swift"
private let turnstile = "Weir/Turnstile.swift"
private let upstreams = "Weir/Upstreams.swift"
private let autoconnect = "Weir/Autoconnect.swift"
private let lanes = "Weir/TupleLanes.swift"
private let offers = "Weir/TupleOffer.swift"
private let queue = "WeirQueues/SPSCLinkedQueue.swift"
private let work = "Weir/WorkInProgress.swift"
private let eventLoop = "Weir/EventLoop.swift"
private let shards = "Weir/ShardedCore.swift"
private let spinLock = "WeirQueues/SpinLock.swift"
private let ring = "WeirQueues/SPSCRing.swift"
private let mpsc = "WeirQueues/MPSCQueue.swift"
private let contended = "takePlacesContended(atMost:)"
private let mpmc = "WeirQueues/MPMCQueue.swift"
private let growing = "WeirQueues/ChannelQueue.swift"
private let puller = "Weir/PullSubscriber.swift"
private let promise = "Weir/PromiseCore.swift"
private let room = "WeirQueues/Room.swift"
private let waiters = "WeirQueues/ChannelWaiters.swift"
private let segments = "WeirQueues/SegmentChain.swift"
private let parker = "WeirQueues/Parker.swift"
private let succession = "Weir/SuccessionLink.swift"
private let replay = "Weir/ReplayCore.swift"
private let replayTurn = "Weir/ReplayTurn.swift"
private let outside = "serveOutside(_:adding:)"
private let revival = "Weir/RevivalSubscriber.swift"
private let turn = "WeirState/Turn.swift"
private let changes = "WeirState/Changes.swift"
