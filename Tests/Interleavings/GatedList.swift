// The plainest user of a gate, and what must hold of it in every order of steps.

import Weir
import WeirVerify

/// What uses a gate in the plainest way: every signal is kept.
final class GatedList {
  private let run: Run
  private let gate = Gate<Payload>()
  private let serial: Guarded
  /// The thread that holds the gate; 0 without one.
  private var inside = 0
  /// How often the gate was left.
  private var departures = 0
  private(set) var numbers: [Int] = []
  /// When each send began and when it returned.
  private var sends: [Int: (began: Moment, returned: Moment?)] = [:]
  /// How many were delivered by a thread that did not send them.
  private(set) var handedOver = 0
  var onDelivery: (Int) -> Void = { _ in }

  /// - Parameter entries: How often the first thread has been inside.
  init(_ run: Run, entries: Int = 0) {
    self.run = run
    serial = run.guarded("the gate's list")
    run.prepare(asThread: 1) { for _ in 0..<entries where gate.enter() == .entered { _ = gate.leave() } }
  }

  /// A gate owned by the first thread.
  convenience init(_ run: Run, isOwned: Bool) { self.init(run, entries: isOwned ? 2 : 0) }

  /// Lets the gate be nobody's for good.
  func disown() {
    run.heavyBarrierWorks = false
    for _ in 0..<2 where gate.enter() == .entered { _ = gate.leave() }
    run.heavyBarrierWorks = true
  }

  /// Sends another number from within a delivery.
  func nests(_ inner: Int, in outer: Int) {
    onDelivery = { [unowned self] number in
      guard number == outer else { return }
      send(inner)
      run.expect(numbers.last, inner, "delivered last, after a nested send")
    }
  }

  func send(_ number: Int) { send(number, patiently: true) }

  /// - Parameters:
  ///   - patiently: Whether a taken gate is worth a short wait.
  ///   - settling: Whether the holder looks for signals before it tries to leave.
  func send(_ number: Int, patiently: Bool = true, settling: Bool = false) {
    send(number, settling: settling) { patiently ? gate.enter() : gate.tryEnter() }
  }

  /// Sends after every other thread has left, unless it is let through.
  func sendWaiting(_ number: Int, unless isLetThrough: () -> Bool = { false }) {
    send(number, settling: false) { gate.enter(as: "gate", unless: isLetThrough) }
  }

  private func send(_ number: Int, settling: Bool, _ enter: () -> Gate<Payload>.Entry) {
    note(number) {
      let payload = run.payload(number)
      switch enter() {
      case .entered:
        begin()
        deliver(payload)
        if settling || !leave() { settle() }
      case .nested:
        run.expect(inside, run.threadNumber, "the holder when a thread is nested")
        gate.takeQueued(deliverForAnother)
        deliver(payload)
      case .taken: handOver(payload)
      }
    }
  }

  func handOver(_ number: Int) { note(number) { handOver(run.payload(number)) } }

  /// Enters and leaves without a signal.
  func visit() {
    guard gate.tryEnter() == .entered else { return }
    begin()
    if !leave() { settle() }
  }

  /// Looks at the list without entering; only for a list that is sent one number.
  func look() {
    _ = gate.whileHeld {
      let before = departures
      run.pause("looking")
      run.expect(departures, before, "how often the gate was left by the end of a look")
      return true
    }
  }

  /// Notes when a send begins and returns.
  private func note(_ number: Int, _ send: () -> Void) {
    sends[number] = (run.now(), nil)
    send()
    sends[number]?.returned = run.now()
  }

  private func handOver(_ payload: Payload) {
    guard gate.handOver(payload) else { return }
    begin()
    settle()
  }

  private func settle() {
    repeat { gate.takeHandedOver(deliverForAnother) } while !leave()
  }

  private func begin() {
    run.expect(inside, 0, "the thread inside when another enters")
    inside = run.threadNumber
  }

  private func leave() -> Bool {
    inside = 0
    if gate.leave() {
      departures += 1
      return true
    }
    begin()
    return false
  }

  private func deliverForAnother(_ payload: Payload) {
    handedOver += 1
    deliver(payload)
  }

  private func deliver(_ payload: Payload) {
    payload.use()
    serial.noteWrite()
    numbers.append(payload.number)
    onDelivery(payload.number)
    serial.noteWrite()
  }

  /// Expects these numbers, each once, those of a sender (the tens) in order, and the gate free.
  func expectAll(_ expected: [Int]) {
    onDelivery = { _ in }
    run.expect(numbers.sorted(), expected, "delivered")
    for sender in Set(numbers.map { $0 / 10 }) {
      run.expect(rises(numbers.filter { $0 / 10 == sender }), "sender \(sender)'s signals came in the order \(numbers)")
    }
    // Real-time order: what returned before another began is delivered first.
    for (place, later) in numbers.enumerated() {
      for earlier in numbers[place...] {
        guard let first = sends[earlier], let second = sends[later] else { continue }
        run.expect(
          first.returned?.precedes(second.began) != true,
          "\(earlier) was sent before \(later), and they came as \(numbers)")
      }
    }
    run.expect(gate.tryEnter(), .entered, "the gate afterwards")
    run.expect(gate.leave(), "the gate can't be left")
  }
}
