// What a recorder writes on, and the subscriber that writes.

import Weir
import WeirQueues

/// Counts the frames of a time line.
struct FrameClock {
  /// The frame of the present.
  let now: () -> MarbleFrame
  /// How many frames a time takes.
  let frames: (MarbleTime) -> MarbleFrames
  /// Whether a time is as long as a number of frames, or longer.
  let reaches: (MarbleTime, Int) -> Bool

  /// A number of frames as a time, in the longest unit that gives a whole number; `nil` if there is none.
  func time(of number: Int) -> String? {
    for unit in MarbleTime.Unit.allCases.reversed() {
      var (low, high) = (0, 1)
      while high <= .max / 2, !reaches(MarbleTime(count: high, unit: unit), number) { (low, high) = (high, 2 * high) }
      while high - low > 1 {
        let middle = low + (high - low) / 2
        if reaches(MarbleTime(count: middle, unit: unit), number) { high = middle } else { low = middle }
      }
      // The one before, too: where moments are in floating point, the right one may fall short by a hair.
      for count in [high, low] where frames(MarbleTime(count: count, unit: unit)) == .whole(number) {
        return "\(count)\(unit.rawValue)"
      }
    }
    return nil
  }
}

/// Writes down what it receives, and tells who waits for it. A publisher keeps this alive, and so not the recorder.
final class RecorderTape<Output, Failure: Error>: Subscriber, Sendable {
  typealias Input = Output

  struct Record {
    let event: RecordedEvent<Output, Failure>
    let frame: MarbleFrame?
  }

  private struct Waiter {
    let number: Int
    let count: Int
    let resume: @Sendable () -> Void
  }

  private struct State {
    var records: [Record] = []
    var count = 0
    var completion: Subscribers.Completion<Failure>?
    var subscription: (any Subscription)?
    var demand: Subscribers.Demand
    var isCancelled = false
    var cancellation: (frame: MarbleFrame, count: Int)?
    /// Who waits for most values comes first; of those that wait for as many, the last.
    private var waiters: [Waiter] = []
    /// What each waiter waits for, by its number, which counts up.
    private var counts: [Int: Int] = [:]
    private var lastWaiter = 0

    init(demand: Subscribers.Demand) { self.demand = demand }

    mutating func add(_ count: Int, _ resume: @escaping @Sendable () -> Void) -> Int {
      lastWaiter += 1
      let waiter = Waiter(number: lastWaiter, count: count, resume: resume)
      waiters.insert(waiter, at: place(of: lastWaiter, count))
      counts[lastWaiter] = count
      return lastWaiter
    }

    mutating func remove(_ number: Int) -> Waiter? {
      counts.removeValue(forKey: number).map { waiters.remove(at: place(of: number, $0)) }
    }

    /// Takes those out whose values or whose end have come, in the order of their coming.
    ///
    /// - Complexity: O(log *n* + *m* log *m*) in the number of waiters and in that of those taken out.
    mutating func takeReady() -> [Waiter] {
      let first = completion == nil ? place(of: .max, count) : 0
      guard first < waiters.count else { return [] }
      let ready = waiters[first...].sorted { $0.number < $1.number }
      waiters.removeSubrange(first...)
      for waiter in ready { counts[waiter.number] = nil }
      return ready
    }

    /// Where a waiter stands, or is to stand.
    private func place(of number: Int, _ count: Int) -> Int {
      var (low, high) = (0, waiters.count)
      while low < high {
        let middle = low + (high - low) / 2
        let other = waiters[middle]
        if (other.count, other.number) > (count, number) { low = middle + 1 } else { high = middle }
      }
      return low
    }
  }

  private let state: Lock<State>
  private let clock: Unchecked<FrameClock?>

  /// Creates a tape.
  ///
  /// - Parameters:
  ///   - demand: What is asked for at the beginning.
  ///   - clock: Tells the frame of each event.
  init(demand: Subscribers.Demand, clock: FrameClock?) {
    state = Lock(State(demand: demand))
    self.clock = Unchecked(clock)
  }

  var records: [Record] { state.withLock { $0.records } }

  /// The frame in which the recorder has cancelled, and how many events had come by then.
  var cancellation: (frame: MarbleFrame, count: Int)? { state.withLock { $0.cancellation } }

  /// Whether each event has its frame.
  var hasFrames: Bool { clock.value != nil }

  /// How many frames a time takes.
  func frames(in time: MarbleTime) -> MarbleFrames { clock.value?.frames(time) ?? .broken }

  /// A number of frames as a time; `nil` if there is none.
  func time(of number: Int) -> String? { clock.value?.time(of: number) }

  var completion: Subscribers.Completion<Failure>? { state.withLock { $0.completion } }

  /// The first values, and the end if it has come: as of one moment.
  func valuesAndCompletion(
    atMost most: Int = .max
  ) -> (values: [Output], completion: Subscribers.Completion<Failure>?) {
    let (records, completion) = state.withLock { ($0.records, $0.completion) }
    var values: [Output] = []
    for record in records {
      if values.count == most { break }
      if case .value(let value) = record.event { values.append(value) }
    }
    return (values, completion)
  }

  func request(_ demand: Subscribers.Demand) {
    let subscription = state.withLock { state -> (any Subscription)? in
      if state.subscription == nil { state.demand += demand }
      return state.subscription
    }
    if demand > .none { subscription?.request(demand) }
  }

  func cancel() {
    let frame = clock.value?.now()
    let subscription = state.withLock { state -> (any Subscription)? in
      if !state.isCancelled { state.cancellation = frame.map { ($0, state.records.count) } }
      state.isCancelled = true
      defer { state.subscription = nil }
      return state.subscription
    }
    subscription?.cancel()
  }

  func receive(subscription: any Subscription) {
    let demand = state.withLock { state -> Subscribers.Demand? in
      guard state.subscription == nil, !state.isCancelled, state.completion == nil else { return nil }
      state.subscription = subscription
      return state.demand
    }
    guard let demand else { return subscription.cancel() }
    if demand > .none { subscription.request(demand) }
  }

  func receive(_ input: Output) -> Subscribers.Demand {
    append(.value(input))
    return .none
  }

  func receive(completion: Subscribers.Completion<Failure>) { append(.completion(completion)) }

  private func append(_ event: RecordedEvent<Output, Failure>) {
    let frame = clock.value?.now()
    var ended: (any Subscription)?
    let ready = state.withLock { state -> [Waiter] in
      state.records.append(Record(event: event, frame: frame))
      if case .completion(let completion) = event {
        state.completion = completion
        ended = state.subscription
        state.subscription = nil
      } else {
        state.count += 1
      }
      return state.takeReady()
    }
    for waiter in ready { waiter.resume() }
    withExtendedLifetime(ended) {}
  }

  /// Whether there are so many values, or the stream has ended.
  func isReady(_ count: Int) -> Bool { state.withLock { $0.count >= count || $0.completion != nil } }

  /// Calls a closure once there are so many values, or the stream has ended; at once if that is so already.
  ///
  /// - Returns: A number that identifies the closure to `forget`.
  func whenReady(_ count: Int, _ resume: @escaping @Sendable () -> Void) -> Int {
    let (number, ready) = state.withLock { state -> (Int, [Waiter]) in
      let number = state.add(count, resume)
      return (number, state.takeReady())
    }
    for waiter in ready { waiter.resume() }
    return number
  }

  /// Takes a closure back, unless it has been called, or another thread is about to call it.
  func forget(_ number: Int) {
    let forgotten = state.withLock { $0.remove(number) }
    withExtendedLifetime(forgotten) {}
  }
}
