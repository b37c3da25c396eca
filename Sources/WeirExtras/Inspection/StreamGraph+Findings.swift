// What a graph of live subscriptions says beside another one: what has changed, what leaks, and what has stalled.

extension StreamGraph {
  /// What differs between two graphs.
  public struct Changes: Sendable, Equatable {
    /// The subscriptions that were not there before.
    public let begun: [Subscription]
    /// The subscriptions that are there no more, as they were.
    public let gone: [Subscription]
    /// How many values have passed meanwhile, by the number of the subscription; those without any are left out, and
    /// those that are gone.
    public let delivered: [Int: Int]
  }

  /// What has changed since an earlier graph.
  ///
  /// - Parameter earlier: The earlier graph, of the same process.
  public func changes(since earlier: StreamGraph) -> Changes {
    var delivered: [Int: Int] = [:]
    for subscription in subscriptions {
      let more = subscription.delivered &- (earlier[subscription.id]?.delivered ?? 0)
      if more > 0 { delivered[subscription.id] = more }
    }
    return Changes(
      begun: subscriptions.filter { earlier[$0.id] == nil }, gone: earlier.subscriptions.filter { self[$0.id] == nil },
      delivered: delivered)
  }

  /// Subscriptions that are probably not wanted any more.
  public struct Leak: Sendable, Equatable, CustomStringConvertible {
    /// Why.
    public enum Reason: String, Sendable {
      /// The stream has ended or was cancelled, and somebody upstream still has its subscriber.
      case heldAfterItsEnd
      /// Values may pass, and nobody has the subscription: it can't be cancelled.
      case notCancellable
      /// There are more of that kind in each graph than in the one before.
      case growing
    }

    /// Why.
    public let reason: Reason
    /// The names on the way to the end of the stream.
    public let path: String
    /// The numbers of the subscriptions.
    public let subscriptions: [Int]
    /// Where their streams were subscribed to, or else where the last operator was made; `nil` where neither is known.
    public let place: Place?

    /// The path, the reason, how many there are, and where the streams were subscribed to.
    public var description: String { "\(path): \(reason.rawValue), \(subscriptions.count)" + StreamGraph.at(place) }
  }

  /// Subscriptions that are probably not wanted any more.
  ///
  /// What a stream looks like while it ends would be a leak if it stayed so: with an earlier graph, only those count
  /// that looked so there, too. That some kind grows is seen from two earlier graphs on.
  ///
  /// - Parameter earlier: Earlier graphs of the same process, the first one first.
  /// - Returns: What was found, one for each reason, path and place: of a stream that is held after its end the first
  ///   subscription, and of one that can't be cancelled the last.
  /// - Complexity: O(*n* log *n*) in the number of subscriptions, and O(*m* log *n*) for each that was found, where its
  ///   way has *m*; with two earlier graphs also for each at which a stream begins.
  public func leaks(after earlier: [StreamGraph] = []) -> [Leak] {
    var leaks: [Leak] = []
    for reason in [Leak.Reason.heldAfterItsEnd, .notCancellable] {
      let found = subscriptions.filter { subscription in
        guard subscription.shows(reason) else { return false }
        return earlier.last.map { $0[subscription.id]?.shows(reason) == true } ?? true
      }
      leaks += gathered(causes(of: found, reason), reason)
    }
    return leaks + growing(after: earlier)
  }

  /// Those of several subscriptions without which the others would not be found: a stream that is kept from its origin
  /// on is one leak, and so is one that its end has lost.
  private func causes(of found: [Subscription], _ reason: Leak.Reason) -> [Subscription] {
    let ids = Set(found.map(\.id))
    let next = Set(found.compactMap(\.downstream))
    return found.filter { subscription in
      reason == .heldAfterItsEnd
        ? !next.contains(subscription.id) : subscription.downstream.map { !ids.contains($0) } ?? true
    }
  }

  private func growing(after earlier: [StreamGraph]) -> [Leak] {
    guard earlier.count >= 2 else { return [] }
    let counts = (earlier + [self]).map { $0.ends }
    let found = ends.filter { kind, ids in
      let course = counts.map { $0[kind]?.count ?? 0 }
      return zip(course, course.dropFirst()).allSatisfy { $0 < $1 }
    }
    return leaks(found, .growing)
  }

  /// What is the same of subscriptions that are found together.
  private struct Kind: Hashable {
    let path: String
    let place: Place?
  }

  private func kind(of id: Int) -> Kind { Kind(path: path(from: id), place: way(from: id).last?.end) }

  /// The subscriptions at whose publisher a stream begins, by their kinds.
  private var ends: [Kind: [Int]] {
    let continued = Set(subscriptions.compactMap(\.downstream))
    return Dictionary(grouping: subscriptions.map(\.id).filter { !continued.contains($0) }) { kind(of: $0) }
  }

  private func gathered(_ found: [Subscription], _ reason: Leak.Reason) -> [Leak] {
    leaks(Dictionary(grouping: found.map(\.id)) { kind(of: $0) }, reason)
  }

  private func leaks(_ found: [Kind: [Int]], _ reason: Leak.Reason) -> [Leak] {
    found.map { Leak(reason: reason, path: $0.path, subscriptions: $1, place: $0.place) }
      .sorted { ($0.path, $0.subscriptions.first ?? 0) < ($1.path, $1.subscriptions.first ?? 0) }
  }

  /// What a description says of a place.
  fileprivate static func at(_ place: Place?) -> String { place.map { " (\($0))" } ?? "" }

  /// Values that wait, and who keeps them from passing.
  public struct Stall: Sendable, Equatable, CustomStringConvertible {
    /// The number of the subscription whose values wait.
    public let subscription: Int
    /// How many wait.
    public let waiting: Int
    /// The name of who keeps them from passing: who has not asked for them; or who has been given one, and has not
    /// returned; or the operator that has them, as its scheduler does not run.
    public let holder: String
    /// The names on the way to the end of the stream.
    public let path: String
    /// Where the holder was made; of the end of a stream, where the stream was subscribed to, or else where its last
    /// operator was made. `nil` where that isn't known.
    public let place: Place?

    /// The path, the number of values, and who holds them up, with the place.
    public var description: String { "\(path): \(waiting) values wait for \(holder)" + StreamGraph.at(place) }
  }

  /// Subscriptions that have had values for some time, none of which has passed, and nobody has asked for more. What a
  /// loop drops for want of room counts as passed. What `delay` keeps may be kept as much longer as it delays.
  ///
  /// - Parameters:
  ///   - earlier: An earlier graph of the same process.
  ///   - time: How many nanoseconds must lie between the two; else nothing is found.
  /// - Returns: What was found, in the order of the subscriptions.
  /// - Complexity: O(*n* log *n*) in the number of subscriptions, and O(*m* log *n*) for each that was found, where its
  ///   way has *m*.
  public func stalls(since earlier: StreamGraph, lasting time: Int = 2_000_000_000) -> [Stall] {
    subscriptions.compactMap { subscription in
      earlier[subscription.id].flatMap { stall(of: subscription, since: $0, at: earlier.time, lasting: time) }
    }
  }

  /// What holds a subscription's values up, if they have stood still for long enough.
  ///
  /// - Parameters:
  ///   - subscription: One of this graph's.
  ///   - former: The same as it was earlier.
  ///   - start: When that was.
  ///   - time: For how many nanoseconds values that are due must have stood still.
  func stall(
    of subscription: Subscription, since former: Subscription, at start: Int, lasting time: Int
  ) -> Stall? {
    let least = time.addingReportingOverflow(subscription.delay ?? 0)
    guard !least.overflow, self.time &- start >= least.partialValue, subscription.stands(since: former) else {
      return nil
    }
    let isTaken = (subscription.untaken ?? 0) > 0
    let holder =
      isTaken
      ? (subscription.subscriber, place(ofSubscriberOf: subscription)) : holder(of: subscription, since: former)
    return Stall(
      subscription: subscription.id, waiting: (isTaken ? subscription.untaken : subscription.waiting) ?? 0,
      holder: holder.0, path: path(from: subscription.id), place: holder.1)
  }

  /// Who keeps a subscription's values from passing.
  private func holder(of subscription: Subscription, since former: Subscription) -> (name: String, place: Place?) {
    let isHeld: (Subscription) -> Bool
    if subscription.demand == 0 {
      isHeld = { $0.demand == 0 }
    } else if subscription.isDelivering, former.isDelivering {
      isHeld = \.isDelivering
    } else {
      return (subscription.publisher, subscription.operators.last?.site.place)
    }
    let last = way(from: subscription.id).prefix(while: isHeld).last ?? subscription
    return (last.subscriber, place(ofSubscriberOf: last))
  }

  private func place(ofSubscriberOf subscription: Subscription) -> Place? {
    guard let next = subscription.downstream.flatMap({ self[$0] }) else { return subscription.end }
    return next.operators.first?.site.place
  }
}

extension StreamGraph.Subscription {
  /// Whether values waited at an earlier time, do so now, and none has passed meanwhile.
  func stands(since former: Self) -> Bool {
    guard state == .active, former.requested == requested else { return false }
    if let untaken, untaken > 0, let formerly = former.untaken, formerly > 0 {
      return delivered &- untaken == former.delivered &- formerly
    }
    return former.delivered == delivered && (waiting ?? 0) > 0 && (former.waiting ?? 0) > 0
  }

  /// Where the end of the stream is, as far as that is known: what waits in an asynchronous function has no line.
  fileprivate var end: StreamGraph.Place? { attachment?.place ?? operators.last?.site.place }

  /// Whether it looks like a leak, by itself.
  fileprivate func shows(_ reason: StreamGraph.Leak.Reason) -> Bool {
    switch reason {
    case .heldAfterItsEnd: isOver && isSubscriberHeld
    case .notCancellable: state == .active && !isSubscriptionHeld
    case .growing: false
    }
  }
}
