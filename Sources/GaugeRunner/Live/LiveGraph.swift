// The live streams of another process at a moment, as it has told them. Whatever it tells is taken for a stranger's.

/// The subscriptions of a process that were alive at a moment.
struct LiveGraph: Hashable, Decodable {
  /// What passes between a publisher and its subscriber.
  struct Subscription: Hashable, Decodable, Identifiable {
    /// How long values have taken from the origins of a stream to its end.
    struct Latency: Hashable, Decodable {
      /// How many were timed.
      var samples: Int
      /// How long all of these have taken, in nanoseconds.
      var total: Int
    }

    /// Where in the program something was made.
    struct Site: Hashable, Decodable {
      struct Place: Hashable, Decodable {
        var file: String
        var line: Int
      }

      var place: Place?

      /// The file's name and the line.
      var text: String? { place.map { "\($0.file.split(separator: "/").last ?? ""):\($0.line)" } }
    }

    /// One of the operators that are one.
    struct Operator: Hashable, Decodable {
      var site: Site
    }

    var id: Int
    var publisher: String
    var subscriber: String
    /// The subscription that it leads to; `nil` at the end of a stream.
    var downstream: Int?
    /// The subscriptions to the subject that it feeds.
    var feeds: [Int]
    var state: String
    /// How many values were asked for; `nil` for all.
    var requested: Int?
    var delivered: Int
    /// Whether the subscriber is being called with the last of these, if the process tells.
    var isDelivering: Bool?
    /// How many values the publisher keeps.
    var waiting: Int?
    /// How long it keeps each on purpose, in nanoseconds.
    var delay: Int?
    var dropped: Int?
    /// How many values the subscriber keeps.
    var untaken: Int?
    /// In nanoseconds.
    var age: Int
    var isSubscriberHeld: Bool
    var isSubscriptionHeld: Bool
    /// At the end of a stream of which a value was timed.
    var latency: Latency?
    var operators: [Operator]?
    /// Where the stream was subscribed to, at its end.
    var attachment: Site?

    /// How many values may pass now; `nil` for any number.
    var demand: Int? { requested.map { $0 > delivered ? $0 &- delivered : 0 } }
    /// Whether values may pass, as far as the two ends are concerned.
    var isActive: Bool { state == "active" }
    /// Whether no more values pass.
    var isOver: Bool { ["finished", "failed", "cancelled"].contains(state) }
  }

  /// In nanoseconds of the process's clock.
  var time: Int
  /// In the order in which they were made.
  private(set) var subscriptions: [Subscription]
  private var places: [Int: Int] = [:]

  private enum CodingKeys: String, CodingKey {
    case time, subscriptions
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    try self.init(
      time: container.decode(Int.self, forKey: .time),
      subscriptions: container.decode([Subscription].self, forKey: .subscriptions))
  }

  /// Puts subscriptions in order. Of two with one number the first one counts; one that leads to a younger one, which
  /// none does, leads nowhere.
  init(time: Int, subscriptions: [Subscription]) {
    self.time = time
    self.subscriptions = []
    for var subscription in subscriptions.sorted(by: { $0.id < $1.id }) where places[subscription.id] == nil {
      if let downstream = subscription.downstream, places[downstream] == nil { subscription.downstream = nil }
      places[subscription.id] = self.subscriptions.count
      self.subscriptions.append(subscription)
    }
  }

  /// The subscription of a number.
  subscript(id: Int) -> Subscription? { places[id].map { subscriptions[$0] } }

  /// The subscriptions of each stream, by the number of the one at its end.
  var streams: [Int: [Subscription]] {
    var (ends, streams) = ([Int: Int](), [Int: [Subscription]]())
    for subscription in subscriptions {
      // What it leads to is older, so that its end is known.
      let end = subscription.downstream.flatMap { ends[$0] } ?? subscription.id
      ends[subscription.id] = end
      streams[end, default: []].append(subscription)
    }
    return streams
  }

  /// The subscription at the end of the stream that one is in.
  func end(of id: Int) -> Subscription? {
    var place = self[id]
    while let downstream = place?.downstream { place = self[downstream] }
    return place
  }
}
