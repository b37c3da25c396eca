// A publisher that the test sends through.

public import Weir
import WeirQueues

/// Publishes what the test sends, and counts its subscribers.
///
/// Values are dropped for a subscriber that has not asked for one. Any thread may send, subscribe and cancel; it is
/// `Sendable` if its values are, as a subject is. In the commonly copied version the count never goes down.
public final class MockPublisher<Output, Failure: Error>: Publisher {
  private struct Counts {
    var subscribers = 0
    var total = 0
  }

  private let subject = Unchecked(PassthroughSubject<Output, Failure>())
  private let counts = Lock(Counts())

  /// Creates a publisher without subscribers.
  public init() {}

  /// How many subscribers there are. One counts once it has taken its subscription, when `receive(subscription:)` has
  /// returned, and not within that, so that a test which waits for it on another thread sends nothing before one that
  /// asks for values there has asked. One that asks later, as behind `subscribe(on:)`, which asks in a job of its own,
  /// may count before. One that cancels, or whose stream has ended, no longer counts.
  public var subscriberCount: Int { counts.withLock { $0.subscribers } }

  /// How many subscribers there have ever been.
  public var totalSubscriberCount: Int { counts.withLock { $0.total } }

  /// Attaches a subscriber.
  public func receive<S: Subscriber>(subscriber: S) where S.Failure == Failure, S.Input == Output {
    counts.withLock { $0.total += 1 }
    let presence = Presence()
    let leave = { self.counts.withLock { $0.subscribers -= presence.leave() } }
    subject.value.handleEvents(receiveCompletion: { _ in leave() }, receiveCancel: leave)
      .receive(subscriber: subscriber)
    counts.withLock { $0.subscribers += presence.come() }
  }

  /// Sends a value to every subscriber that has asked for one.
  public func send(_ value: Output) { subject.value.send(value) }

  /// Ends the stream of every subscriber, present and future.
  public func send(completion: Subscribers.Completion<Failure>) { subject.value.send(completion: completion) }

  /// Whether a subscriber counts; touched under the lock of the counts.
  private final class Presence {
    private var isCounted = false
    private var hasLeft = false

    /// What to add to the count.
    func come() -> Int {
      isCounted = !hasLeft
      return isCounted ? 1 : 0
    }

    /// What to take off the count.
    func leave() -> Int {
      hasLeft = true
      defer { isCounted = false }
      return isCounted ? 1 : 0
    }
  }
}

extension MockPublisher: Sendable where Output: Sendable {}
