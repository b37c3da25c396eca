// What the stress tests send: objects on the heap, since plain numbers hide premature and missing retains.

import TestKit

/// A numbered message of one sender.
final class Message: Sendable {
  let sender: Int
  let number: Int
  let text: String
  private let tracked: LifetimeTracked

  init(sender: Int, number: Int, _ lifetimes: Lifetimes) {
    self.sender = sender
    self.number = number
    text = "message \(number) of sender \(sender)"
    tracked = lifetimes.track(number)
  }

  /// Whether the object still holds what it was made with.
  var isIntact: Bool { tracked.number == number && text == "message \(number) of sender \(sender)" }
}

/// What one subscriber received; notices deliveries that overlap.
final class Inbox: @unchecked Sendable {
  private let inside = Counter()
  private let overlapping = Counter()
  private let damaged = Counter()
  /// The numbers of each sender, in the order of their arrival. Unguarded on purpose: deliveries are to be serial.
  private(set) var numbers: [[Int]]
  private(set) var completions = 0

  init(senders: Int) { numbers = Array(repeating: [], count: senders) }

  func receive(_ message: Message) {
    if inside.add() != 1 { overlapping.add() }
    if !message.isIntact { damaged.add() }
    numbers[message.sender].append(message.number)
    inside.add(-1)
  }

  func complete() {
    if inside.add() != 1 { overlapping.add() }
    completions += 1
    inside.add(-1)
  }

  /// Overlapping deliveries and damaged messages.
  var faults: Int { overlapping.value + damaged.value }

  /// Whether each sender's numbers rise by more than nothing: in order and none twice.
  var isInOrder: Bool { numbers.allSatisfy { zip($0, $0.dropFirst()).allSatisfy { $0 < $1 } } }

  var count: Int { numbers.reduce(0) { $0 + $1.count } }
}
