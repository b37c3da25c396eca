// The subscriptions that were alive at a moment, as values.

/// The subscriptions that were alive at a moment, and how they hang together.
///
/// ``WeirInspector/snapshot()`` makes one. It is a value, and changes no more.
public struct StreamGraph: Sendable, Equatable, Codable {
  /// When it was made, in nanoseconds of a clock that never goes back.
  public let time: Int

  /// The subscriptions, in the order in which they were made.
  public let subscriptions: [Subscription]

  package init(time: Int, subscriptions: [Subscription]) {
    self.time = time
    self.subscriptions = subscriptions
  }

  /// Where in its life a subscription is.
  public enum State: String, Sendable, Codable {
    /// The publisher has not given it to the subscriber yet.
    case awaiting
    /// Values may pass.
    case active
    /// The publisher has finished.
    case finished
    /// The publisher has failed.
    case failed
    /// The subscriber has cancelled it.
    case cancelled
  }

  /// How long values have taken from where a stream begins to its end.
  ///
  /// Some are timed: one of 64 that come from an origin, and the first one behind each snapshot. The time ends where
  /// the end of the stream has taken the value, as when a sink's closure has returned. A value that waits in `buffer`,
  /// on the scheduler of `receive(on:)` or of `delay` is followed, as long as no more than 1,024 timed ones wait in one
  /// place; what other operators deliver later, as `debounce`
  /// and `mapAsync`, is not timed, nor is what passes a buffer that drops its oldest values.
  public struct Latency: Sendable, Equatable, Codable {
    /// How many values have been timed.
    public let samples: Int
    /// How long all of these have taken, in nanoseconds.
    public let total: Int

    package init(samples: Int, total: Int) {
      self.samples = samples
      self.total = total
    }
  }

  /// A subscription: what passes between a publisher, mostly an operator, and the subscriber that it was given.
  public struct Subscription: Sendable, Equatable, Codable, Identifiable {
    /// Its number; no other one of this process has it.
    public let id: Int
    /// The name of the publisher's type. Operators that make one, as several `map` in a row, are one, whose name has
    /// theirs, with `+` between them.
    public let publisher: String
    /// What the subscriber calls itself: the next operator, or the end of the stream.
    public let subscriber: String
    /// The number of the subscription that it leads to; `nil` at the end of a stream.
    public let downstream: Int?
    /// The numbers of the subscriptions to the subject that it feeds, if it does.
    public internal(set) var feeds: [Int]
    /// Where in its life it is.
    public let state: State
    /// How many values the subscriber has asked for so far; `nil` for all.
    public let requested: Int?
    /// How many values have passed.
    public let delivered: Int
    /// Whether the subscriber is being called with the last of these.
    public let isDelivering: Bool
    /// How many values the publisher keeps until they can pass; `nil` if it can't tell.
    ///
    /// `buffer`, `receive(on:)` and `delay` can.
    public internal(set) var waiting: Int?
    /// How long the publisher keeps each value on purpose, in nanoseconds of its scheduler; `nil` if it doesn't, or
    /// can't tell. `delay` can.
    public internal(set) var delay: Int?
    /// How many values the publisher has dropped for want of room; `nil` if it can't tell. `buffer` can.
    public let dropped: Int?
    /// How many values the subscriber has received and keeps for itself, as those that a loop over `values` has not
    /// come to yet; `nil` if it can't tell.
    public let untaken: Int?
    /// How long ago it was made, in nanoseconds.
    public let age: Int
    /// Whether the publisher, or who delivers for it, has the subscriber; once the stream is over, other than for calls
    /// that are under way: that of this subscriber, and those in which an object tells others the same end.
    public let isSubscriberHeld: Bool
    /// Whether anybody has the subscription, or the subscriber is being called: nobody else can cancel it.
    public let isSubscriptionHeld: Bool
    /// How long values have taken to here, at the end of a stream; `nil` elsewhere, and where none has been timed.
    public let latency: Latency?
    /// The operators that are one, that which values come to first being the first, and where each was made; of other
    /// publishers than Weir's operators and subjects one, with the place where it was subscribed to.
    public let operators: [Operator]
    /// Where the stream was subscribed to, at its end; `nil` elsewhere, but for publishers that don't know where they
    /// were made.
    public let attachment: Site?

    package init(
      id: Int, publisher: String, subscriber: String, downstream: Int?, feeds: [Int], state: State, requested: Int?,
      delivered: Int, isDelivering: Bool = false, waiting: Int?, delay: Int? = nil, dropped: Int?, untaken: Int?,
      age: Int, isSubscriberHeld: Bool, isSubscriptionHeld: Bool, latency: Latency? = nil,
      operators: [Operator] = [], attachment: Site? = nil
    ) {
      self.id = id
      self.publisher = publisher
      self.subscriber = subscriber
      self.downstream = downstream
      self.feeds = feeds
      self.state = state
      self.requested = requested
      self.delivered = delivered
      self.isDelivering = isDelivering
      self.waiting = waiting
      self.delay = delay
      self.dropped = dropped
      self.untaken = untaken
      self.age = age
      self.isSubscriberHeld = isSubscriberHeld
      self.isSubscriptionHeld = isSubscriptionHeld
      self.latency = latency
      self.operators = operators
      self.attachment = attachment
    }

    /// How many values may pass now; `nil` for any number.
    public var demand: Int? { requested.map { max(0, $0 &- delivered) } }

    /// Whether no more values pass.
    public var isOver: Bool { state != .awaiting && state != .active }
  }

  /// The subscription of a number, if it is there.
  ///
  /// - Complexity: O(log *n*) in the number of subscriptions.
  public subscript(id: Int) -> Subscription? { place(of: id).map { subscriptions[$0] } }

  private func place(of id: Int) -> Int? {
    var (low, high) = (0, subscriptions.count)
    while low < high {
      let middle = (low + high) / 2
      if subscriptions[middle].id < id { low = middle + 1 } else { high = middle }
    }
    return low < subscriptions.count && subscriptions[low].id == id ? low : nil
  }

  /// The places of the subscriptions from one on to the end of its stream.
  private func places(from id: Int) -> [Int] {
    var places: [Int] = []
    var next = place(of: id)
    while let place = next {
      places.append(place)
      // What a subscription leads to is older: a graph that was read and says otherwise leads in a circle, perhaps.
      next = subscriptions[place].downstream.flatMap { self.place(of: $0) }.flatMap { $0 < place ? $0 : nil }
    }
    return places
  }

  /// The subscriptions from one on to the end of its stream.
  ///
  /// - Parameter id: The number of the first one.
  /// - Complexity: O(*m* log *n*) for *m* of *n* subscriptions.
  public func way(from id: Int) -> [Subscription] { places(from: id).map { subscriptions[$0] } }

  /// The names on the way from a subscription's publisher to the end of its stream, as `Just -> Map -> Sink`.
  ///
  /// - Parameter id: The number of the subscription.
  /// - Complexity: O(*m* log *n*) for a way of *m* of *n* subscriptions.
  public func path(from id: Int) -> String {
    let places = places(from: id)
    return (places.map { subscriptions[$0].publisher } + places.suffix(1).map { subscriptions[$0].subscriber })
      .joined(separator: " -> ")
  }
}
