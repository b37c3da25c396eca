// Seeded bugs, each of which some scenario must notice. They show that the scenarios would notice the real one.

import Explorer

/// A bug at a place of the sources: told by file, function and operation, never by line, so that it moves with the code.
/// The exploration fails if the place is no longer there, or if there are several and none is named.
struct Mutant {
  let name: String
  let behaviour: Mutation.Behaviour
  let file: String
  let function: String
  let operation: Operation
  /// Which one, where the function has several.
  let index: Int?

  init(
    _ name: String, _ behaviour: Mutation.Behaviour, _ operation: Operation, in function: String, of file: String,
    _ index: Int? = nil
  ) {
    self.name = name
    self.behaviour = behaviour
    self.file = file
    self.function = function
    self.operation = operation
    self.index = index
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
  Mutant("gate: enters by load and store", .split, .compareExchange, in: "tryEnter()", of: gate),
  Mutant("gate: enters after spinning by load and store", .split, .compareExchange, in: "enterContended(_:)", of: gate),
  Mutant("gate: leaves by a plain store", .buffered, .compareExchange, in: "leave()", of: gate),
  Mutant("gate: leaves by load and store", .split, .compareExchange, in: "leave()", of: gate),
  Mutant("gate: leaves without looking at the list", .forced, .compareExchange, in: "leave()", of: gate),
  Mutant("gate: does not leave", .claimed, .compareExchange, in: "leave()", of: gate),
  Mutant("gate: keeps the holder's name after leaving", .skipped, .store, in: "leave()", of: gate, 0),
  Mutant("gate: forgets the holder that stays", .skipped, .store, in: "leave()", of: gate, 1),
  Mutant("gate: does not name the holder", .skipped, .store, in: "tryEnter()", of: gate),
  Mutant("gate: all threads have one name", .returns(16), .identity, in: "tryEnter()", of: gate),
  Mutant("gate: hands over by load and store", .split, .compareExchange, in: "handOver(_:)", of: gate),
  Mutant("gate: hands over whatever the list is", .forced, .compareExchange, in: "handOver(_:)", of: gate),
  Mutant("gate: hands over without releasing", .relaxed, .compareExchange, in: "handOver(_:)", of: gate),
  Mutant("gate: takes the list by load and store", .split, .exchange, in: "takeHandedOver(_:)", of: gate),
  Mutant("gate: takes the list without acquiring", .relaxed, .exchange, in: "takeHandedOver(_:)", of: gate),
  Mutant("gate: sees no waiting signals", .returns(1), .load, in: "hasHandedOver", of: gate),

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
  Mutant("subscription: ends by load and store", .split, .compareExchange, in: "end(from:)", of: subscription),
  Mutant("one-shot: fires by load and store", .split, .exchange, in: "fire()", of: "Weir/OneShot.swift"),

  // The sink's closures.
  Mutant("sink: cancels without the heavy barrier", .skipped, .barrier, in: "retireUnlessBusy()", of: sink),
  Mutant("sink: cancels without looking at busy", .returns(0), .load, in: "retireUnlessBusy()", of: sink),
  Mutant("sink: does not mark itself busy", .skipped, .store, in: "receive(_:unless:)", of: sink, 0),
  Mutant("sink: swaps its two marks", .postponed(past: 3), .store, in: "receive(_:unless:)", of: sink, 0),
  Mutant("sink: stays busy", .skipped, .store, in: "receive(_:unless:)", of: sink, 1),
  Mutant("sink: frees by load and store", .split, .exchange, in: "retire()", of: sink),
  Mutant("sink: does not see the end", .returns(2), .load, in: "isOver", of: subscription),

  // Locks.
  Mutant(
    "current value: stores and places without the lock", .skipped, .lock, in: "update(_:storesAfterEnd:)", of: latest),
  Mutant("upstreams: adds without the lock", .skipped, .lock, in: "add(_:)", of: upstreams),
  Mutant("autoconnect: counts without the lock", .skipped, .lock, in: "receive(subscriber:)", of: autoconnect),

  // Queues.
  Mutant("queue: publishes without releasing", .relaxed, .store, in: "enqueue(_:)", of: queue),
  Mutant("queue: sees what is not there yet", .returns(4), .load, in: "dequeue()", of: queue),
  Mutant("mailbox: counts by load and store", .split, .add, in: "post(_:)", of: mailbox),
  Mutant("mailbox: settles by load and store", .split, .add, in: "drain()", of: mailbox),
  Mutant("mailbox: does not settle", .skipped, .add, in: "drain()", of: mailbox),
]

private let gate = "Weir/Gate.swift"
private let ledger = "Weir/DemandLedger.swift"
private let subscription = "Weir/SubscriptionState.swift"
private let sink = "Weir/SinkHandlers.swift"
private let latest = "Weir/LatestValue.swift"
private let upstreams = "Weir/Upstreams.swift"
private let autoconnect = "Weir/Autoconnect.swift"
private let queue = "WeirQueues/SPSCLinkedQueue.swift"
private let mailbox = "Weir/MailboxLink.swift"
