// One client of the room: its lines go in, and posts go out as fast as its connection takes them.

import Combine
import Foundation

/// Ties a client to a room until the client hangs up, says nothing for too long, or can't keep up.
///
/// Any thread may use it.
final class Session: Subscriber, @unchecked Sendable {
  typealias Input = Post
  typealias Failure = Departure

  let name: String
  private let room: ChatRoom
  private let write: @Sendable (Post) -> Void

  private let lock = NSLock()
  private var outgoing: (any Subscription)?
  private var incoming: AnyCancellable?
  private var departure: Departure?

  /// Joins a room.
  ///
  /// - Parameters:
  ///   - name: Who it is.
  ///   - room: Where to.
  ///   - lines: What the client types; it finishes when the client hangs up.
  ///   - idleLimit: How long the client may say nothing.
  ///   - clock: Where that is timed.
  ///   - backlog: How many posts the client may be behind.
  ///   - write: Writes a post to the connection; called for as many as `connectionTakes(_:)` was told.
  init<Clock: Scheduler>(
    name: String, room: ChatRoom, lines: some Publisher<String, Never>, idleLimit: Clock.SchedulerTimeType.Stride,
    clock: Clock, backlog: Int, write: @escaping @Sendable (Post) -> Void
  ) {
    self.name = name
    self.room = room
    self.write = write
    room.feed(backlog: backlog).subscribe(self)
    room.post(.joined, by: name)
    let typing =
      lines
      .filter { !$0.isEmpty }
      .setFailureType(to: Departure.self)
      .timeout(idleLimit, scheduler: clock, customError: { .idle })
      .sink(
        receiveCompletion: { [weak self] in self?.end($0.departure(otherwise: .hungUp)) },
        receiveValue: { room.post(.said($0), by: name) })
    lock.withLock { if departure == nil { incoming = typing } }
  }

  /// Why the session ended, once it has.
  var ended: Departure? { lock.withLock { departure } }

  /// The connection has room for so many posts more.
  func connectionTakes(_ count: Int) { lock.withLock { outgoing }?.request(.max(count)) }

  func receive(subscription: any Subscription) { lock.withLock { outgoing = subscription } }

  func receive(_ post: Post) -> Subscribers.Demand {
    write(post)
    return .none
  }

  func receive(completion: Subscribers.Completion<Departure>) { end(completion.departure(otherwise: .roomClosed)) }

  /// Ends both directions, and says so to the room, the first time.
  private func end(_ reason: Departure) {
    // What is cancelled may free what it holds, and call others: not under the lock.
    let ended: (any Subscription, AnyCancellable?)? = lock.withLock {
      guard departure == nil, let outgoing else { return nil }
      departure = reason
      defer { (self.outgoing, incoming) = (nil, nil) }
      return (outgoing, incoming)
    }
    guard let (outgoing, incoming) = ended else { return }
    outgoing.cancel()
    incoming?.cancel()
    room.post(.left(reason), by: name)
  }
}

extension Subscribers.Completion<Departure> {
  fileprivate func departure(otherwise regular: Departure) -> Departure {
    if case .failure(let departure) = self { departure } else { regular }
  }
}
