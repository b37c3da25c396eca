// One thread sends; others subscribe, cancel and ask for values. Each delivery belongs to the thread that caused it.

import CAttacks
import Weir
import WeirExtras
import WeirQueues

/// A subscriber that asks for a value at a time, from a thread of its own.
private final class Asking: Subscriber, @unchecked Sendable {
  typealias Input = Int
  typealias Failure = Never

  let witness: Witness
  private var subscription: (any Subscription)?

  init(_ tally: Tally) { witness = Witness(tally, order: .gaps) }

  func receive(subscription: any Subscription) { self.subscription = subscription }

  func receive(_ input: Int) -> Subscribers.Demand {
    if input > 0 { witness.receive(input) }
    return .none
  }

  func receive(completion: Subscribers.Completion<Never>) {}

  /// Asks for a value, which may come on this thread before this returns.
  func ask() {
    let state = attack_state()!
    state.pointee.asking = Int64(witness.identity)
    subscription?.request(.max(1))
    state.pointee.asking = 0
  }

  func cancel() { subscription?.cancel() }
}

/// The subjects, as publishers that anybody may subscribe to.
private struct Source {
  let send: (Int) -> Void
  let publisher: AnyPublisher<Int, Never>
  let hasFirstValue: Bool
}

private func source(_ name: String) -> Source {
  let subject = relay(nil)
  switch name {
  case "current-value":
    let subject = current(nil)
    return Source(send: { subject.send($0) }, publisher: subject.eraseToAnyPublisher(), hasFirstValue: true)
  case "published":
    let model = Model()
    return Source(send: { model.value = $0 }, publisher: model.$value.eraseToAnyPublisher(), hasFirstValue: true)
  case "replay":
    let subject = ReplaySubject<Int, Never>(bufferSize: 1)
    subject.send(0)
    return Source(send: { subject.send($0) }, publisher: subject.eraseToAnyPublisher(), hasFirstValue: true)
  case "share-replay":
    let shared = subject.prepend(0).shareReplay(bufferSize: 1)
    let connection = shared.sink { _ in }
    let publisher = shared.handleEvents(receiveCancel: { withExtendedLifetime(connection) {} })
    return Source(send: { subject.send($0) }, publisher: publisher.eraseToAnyPublisher(), hasFirstValue: true)
  case "share":
    return Source(
      send: { subject.send($0) }, publisher: subject.share().eraseToAnyPublisher(), hasFirstValue: false)
  case "merge":
    let merged = subject.merge(with: Empty(completeImmediately: false)).eraseToAnyPublisher()
    return Source(send: { subject.send($0) }, publisher: merged, hasFirstValue: false)
  case "combine-latest":
    let latest = current(nil)
    let both = latest.combineLatest(Just(0)) { value, _ in value }.eraseToAnyPublisher()
    return Source(send: { latest.send($0) }, publisher: both, hasFirstValue: true)
  case "replay; combine-latest":
    let latest = ReplaySubject<Int, Never>(bufferSize: 1)
    latest.send(0)
    let both = latest.combineLatest(Just(0)) { value, _ in value }.eraseToAnyPublisher()
    return Source(send: { latest.send($0) }, publisher: both, hasFirstValue: true)
  default:
    return Source(send: { subject.send($0) }, publisher: subject.eraseToAnyPublisher(), hasFirstValue: false)
  }
}

/// What the other threads do.
private enum Other: String, CaseIterable {
  case subscribe = "others subscribe and cancel"
  case ask = "others ask"
}

private func attackAffinity(_ run: Run, _ name: String, _ other: Other) {
  let tally = run.tally
  let source = source(name)
  // The others cancel, or ask for one value at a time.
  tally.excuse = .standstill(senders: 1)
  // A value goes to the witness, and to both of them.
  tally.subscribers = 3
  let witness = Witness(tally, senders: 1, order: .all, looksForStandstills: true)
  let sink = source.publisher.sink { if $0 > 0 { witness.receive($0) } }
  let isOver = Count()
  var bodies: [() -> Void] = [
    {
      let lane = tally.lane()
      var number = 1
      while !run.isOver {
        let value = Tag.of(0, number)
        let sent = lane.send(value, source.send)
        tally.judge(sent, hasArrived: witness.hasSeen(value))
        number += 1
        // Others find the gate free now and then.
        busy(number * 7919 % 3000)
      }
      isOver.set(1)
    }
  ]
  for _ in 0..<2 {
    bodies.append {
      var round = 0
      let asking = Asking(tally)
      if other == .ask { source.publisher.subscribe(asking) }
      while isOver.value == 0 {
        round += 1
        switch other {
        case .ask: asking.ask()
        case .subscribe:
          probe(tally, hasFirstValue: source.hasFirstValue, pauses: round % 3 == 0) { receive in
            source.publisher.sink(receiveValue: receive)
          }
        }
        tally.rounds.add()
      }
      asking.cancel()
    }
  }
  onThreads(3) { bodies[$0]() }
  sink.cancel()
}

let affinity = Other.allCases.flatMap { other in
  [
    "passthrough", "current-value", "published", "replay", "share", "share-replay", "merge", "combine-latest",
    "replay; combine-latest",
  ]
  .map { name in
    Attack("affinity", "\(name); \(other.rawValue)") { run in attackAffinity(run, name, other) }
  }
}
