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
/// Demand that a subscriber returns for a value is noted as a request. Any thread may subscribe, ask and cancel. What
/// another thread sends while the subscriber cancels, a value or the end, may be noted and not come, or come and not be
/// noted; where such an end is noted, the cancellation is not.
public final class WatchedPublisher<Upstream: Publisher, Time>: Publisher {
  /// What the watched publisher sends.
  public typealias Output = Upstream.Output
  /// What the watched publisher fails with.
  public typealias Failure = Upstream.Failure
  /// What is noted.
  public typealias Record = TimedEvent<Time, WatchedEvent<Output, Failure>>

  private let upstream: Upstream
  private let clock: () -> Time
  private struct Notes {
    var records: [(subscriber: Int, record: Record)] = []
    /// For each subscriber, whether its stream is over.
    var isOver: [Bool] = []
  }
  private let notes = Lock(Notes())

  init(_ upstream: Upstream, clock: @escaping () -> Time) {
    self.upstream = upstream
    self.clock = clock
  }

  /// Everything that happened, in order.
  public var log: [Record] { notes.withLock { $0.records }.map(\.record) }

  /// What happened to each subscriber, in the order of their coming.
  ///
  /// - Complexity: O(n) in the number of records and of subscribers.
  public var logs: [[Record]] {
    let notes = notes.withLock { $0 }
    var logs: [[Record]] = Array(repeating: [], count: notes.isOver.count)
    for (subscriber, record) in notes.records { logs[subscriber].append(record) }
    return logs
  }

  /// Attaches a subscriber.
  public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    let number = notes.withLock { notes in
      notes.isOver.append(false)
      return notes.isOver.count - 1
    }
    let note = { (event: WatchedEvent<Output, Failure>) in
      self.notes.withLock { notes in
        // A value that another thread was sending when the subscriber cancelled.
        guard !notes.isOver[number] else { return }
        notes.records.append((number, Record(self.clock(), event)))
        switch event {
        case .completion, .cancellation: notes.isOver[number] = true
        case .subscription, .request, .value: break
        }
      }
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
