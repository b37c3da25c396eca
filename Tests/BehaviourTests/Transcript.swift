// What a program under test does, event by event, as words.

import Combine
import WeirTesting

/// Collects the events of one behaviour, and keeps alive what takes part in it.
final class Transcript: TextOutputStream {
  /// Everything that happened, in order.
  private(set) var events: [String] = []
  /// Virtual time, from 0. Once a program has asked for it, each event ends with the time at which it happened.
  private(set) lazy var clock: TestScheduler<VirtualTime, Never> = {
    isTimed = true
    return TestScheduler(now: VirtualTime())
  }()
  /// Subscriptions that live as long as the transcript.
  var cancellables: Set<AnyCancellable> = []

  private var isTimed = false
  private var kept: [Any] = []

  /// Writes an event down.
  func note(_ event: Any) { events.append(isTimed ? "\(event)@\(seconds)" : "\(event)") }

  /// Takes the pieces of a line of `print`, of which the last one ends it.
  func write(_ string: String) {
    if !string.isEmpty, string != "\n" { note(string) }
  }

  /// Keeps an object as long as the transcript.
  func keep<Object>(_ object: Object) -> Object {
    kept.append(object)
    return object
  }

  /// The events in one line, as the table has them.
  var line: String { events.joined(separator: "; ") }

  private var seconds: String {
    let nanoseconds = clock.now.nanoseconds
    return nanoseconds % 1_000_000_000 == 0
      ? "\(nanoseconds / 1_000_000_000)" : "\(Double(nanoseconds) / 1_000_000_000)"
  }
}

/// The error with which the programs fail.
enum Fault: Error { case oops, other }
