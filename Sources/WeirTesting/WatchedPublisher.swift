// What the subscribers of a publisher do and get, with virtual times.

public import Weir
import WeirQueues

/// Something that happened at a moment in virtual time.
public struct TimedEvent<Time, Event> {
  /// When it happened.
  public var time: Time
  /// What happened.
  public var event: Event

  /// Creates a record.
  ///
  /// - Parameters:
  ///   - time: When it happened.
  ///   - event: What happened.
  public init(_ time: Time, _ event: Event) {
    self.time = time
    self.event = event
  }
}

extension TimedEvent: Equatable where Time: Equatable, Event: Equatable {}
extension TimedEvent: Sendable where Time: Sendable, Event: Sendable {}
extension TimedEvent: CustomStringConvertible {
  /// The event and its time.
  public var description: String { "\(event) at \(time)" }
}

/// Something between a publisher and one of its subscribers.
public enum WatchedEvent<Output, Failure: Error> {
  /// The subscriber gets its subscription.
  case subscription
  /// The subscriber asks for values.
  case request(Subscribers.Demand)
  /// The publisher sends a value.
  case value(Output)
  /// The publisher ends the stream.
  case completion(Subscribers.Completion<Failure>)
  /// The subscriber cancels.
  case cancellation
}

extension WatchedEvent: Equatable where Output: Equatable, Failure: Equatable {}
extension WatchedEvent: Sendable where Output: Sendable, Failure: Sendable {}

/// Passes on what a publisher sends, and notes what its subscribers do and get, and when, until the stream is over.
///
///     let scheduler = TestScheduler()
///     let source = scheduler.watch(try scheduler.cold("-a-b|", values: ["a": 1, "b": 2]))
///     let first = source.prefix(1).record()
///     scheduler.run()
///     #expect(source.log == [
///       TimedEvent(VirtualTime(), .subscription),
///       TimedEvent(VirtualTime(), .request(.unlimited)),
///       TimedEvent(VirtualTime(nanoseconds: 1_000_000), .value(1)),
///       TimedEvent(VirtualTime(nanoseconds: 1_000_000), .cancellation),
///     ])
///
/// Demand that a subscriber returns for a value is noted as a request. Any thread may subscribe, ask and cancel.
public final class WatchedPublisher<Upstream: Publisher, Time>: Publisher {
  /// What the watched publisher sends.
  public typealias Output = Upstream.Output
  /// What the watched publisher fails with.
  public typealias Failure = Upstream.Failure
  /// What is noted.
  public typealias Record = TimedEvent<Time, WatchedEvent<Output, Failure>>

  private let upstream: Upstream
  private let clock: () -> Time
  private let noted = Lock<[(subscriber: Int, record: Record)]>([])
  private let count = Lock(0)

  init(_ upstream: Upstream, clock: @escaping () -> Time) {
    self.upstream = upstream
    self.clock = clock
  }

  /// Everything that happened, in order.
  public var log: [Record] { noted.withLock { $0 }.map(\.record) }

  /// What happened to each subscriber, in the order of their coming.
  ///
  /// - Complexity: O(n) in the number of records and of subscribers.
  public var logs: [[Record]] {
    let noted = noted.withLock { $0 }
    // In this order: each of the records has its subscriber counted.
    var logs: [[Record]] = Array(repeating: [], count: count.withLock { $0 })
    for (subscriber, record) in noted { logs[subscriber].append(record) }
    return logs
  }

  /// Attaches a subscriber.
  public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    let number = count.withLock { count in
      count += 1
      return count - 1
    }
    let note = { (event: WatchedEvent<Output, Failure>) in
      self.noted.withLock { $0.append((number, Record(self.clock(), event))) }
    }
    upstream
      .handleEvents(
        receiveSubscription: { _ in note(.subscription) }, receiveOutput: { note(.value($0)) },
        receiveCompletion: { note(.completion($0)) }, receiveCancel: { note(.cancellation) },
        receiveRequest: { if $0 > .none { note(.request($0)) } }
      )
      .receive(subscriber: subscriber)
  }
}

extension TestScheduler {
  /// Makes a publisher that passes on what another one sends, and notes what its subscribers do and get, at which times
  /// of this scheduler.
  ///
  /// - Parameter publisher: The publisher.
  /// - Returns: The publisher to be subscribed to, with the log.
  public func watch<Source: Publisher>(_ publisher: Source) -> WatchedPublisher<Source, SchedulerTimeType> {
    WatchedPublisher(publisher) { self.now }
  }
}
