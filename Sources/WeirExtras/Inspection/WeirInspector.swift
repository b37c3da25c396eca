// Shows which subscriptions are alive, in builds with the trait Inspection.
// No test file: Tests/ConsumerTests/inspection tests what is built with the trait.

import Weir
import WeirQueues

/// Shows which subscriptions are alive, and what passes them.
///
/// It is built in with the package's trait `Inspection`, and without that shows nothing: streams are as if there were
/// no inspector, to the instruction. With the trait it is off until the environment variable `WEIR_INSPECT` is 1, or
/// `isOn` is set. Subscriptions that were made before are not seen.
///
/// ```swift
/// WeirInspector.isOn = true
/// let numbers = PassthroughSubject<Int, Never>()
/// let token = numbers.map { $0 * 2 }.sink { print($0) }
/// numbers.send(1)
/// print(WeirInspector.snapshot())
/// token.cancel()
/// ```
///
/// Any thread may use it at any time. What it reads while values pass may lack the newest ones.
public enum WeirInspector {
  /// Whether the package was built with the trait `Inspection`.
  public static var isBuiltIn: Bool {
    #if WEIR_INSPECTION
      true
    #else
      false
    #endif
  }

  /// Whether subscriptions that are made from now on are seen. Without the trait it stays `false`.
  public static var isOn: Bool {
    get {
      #if WEIR_INSPECTION
        Inspection.isOn
      #else
        false
      #endif
    }
    set {
      #if WEIR_INSPECTION
        Inspection.isOn = newValue
      #endif
    }
  }

  /// The subscriptions that are alive now; none without the trait.
  ///
  /// It asks buffers how many values they keep, for which it waits for nobody.
  ///
  /// - Complexity: O(*n* log *n*) in the number of subscriptions, and in what feeds what.
  public static func snapshot() -> StreamGraph {
    let now = monotonicNanoseconds()
    #if WEIR_INSPECTION
      return StreamGraph(time: now, subscriptions: readings(at: now))
    #else
      return StreamGraph(time: now, subscriptions: [])
    #endif
  }

  #if WEIR_INSPECTION
    private static func readings(at now: Int) -> [StreamGraph.Subscription] {
      let live = Inspection.live
      let readings = live.map { reading($0, at: now) }
      let incoming = Dictionary(grouping: readings.filter { $0.downstream != nil }) { $0.downstream ?? 0 }
      let byOrigin = Dictionary(grouping: live.filter { $0.origin != nil }) { $0.origin }
      return zip(live, readings).map { record, reading in
        var reading = reading
        if let target = record.target { reading.feeds = (byOrigin[target] ?? []).map(\.id) }
        if let upstreams = incoming[reading.id] {
          let received = upstreams.reduce(0) { $0 + $1.delivered }
          if let gone = record.goneUpstream {
            reading.waiting = max(0, received - gone)
          } else if let waiting = reading.waiting {
            reading.dropped = max(0, received - reading.delivered - waiting)
          }
        }
        return reading
      }
    }

    private static func reading(_ record: InspectedSubscription, at now: Int) -> StreamGraph.Subscription {
      let delivered = record.delivered
      return StreamGraph.Subscription(
        id: record.id, publisher: operatorName(of: record.publisher), subscriber: record.subscriber,
        downstream: record.downstream?.id, feeds: [], state: StreamGraph.State(record.state),
        requested: record.requested, delivered: delivered, waiting: record.waitingUpstream, dropped: nil,
        untaken: record.waitingDownstream, age: max(0, now - record.birth),
        isSubscriberHeld: record.isSubscriberHeld, isSubscriptionHeld: record.isSubscriptionHeld)
    }
  #endif
}

/// The name of a publisher's type without its module, the namespace and what it is generic over.
package func operatorName(of type: Any.Type) -> String {
  var (name, depth, former) = ("", 0, Character(" "))
  for character in String(reflecting: type) {
    switch character {
    case "<", "(": depth += 1
    case ")": depth -= 1
    case ">": if former != "-" { depth -= 1 }
    default: if depth == 0 { name.append(character) }
    }
    former = character
  }
  let parts = name.split(separator: ".").dropFirst().drop { $0 == "Publishers" }
  return parts.isEmpty ? name : parts.joined(separator: ".")
}

#if WEIR_INSPECTION
  extension StreamGraph.State {
    fileprivate init(_ state: InspectedSubscription.State) {
      switch state {
      case .awaiting: self = .awaiting
      case .active: self = .active
      case .finished: self = .finished
      case .failed: self = .failed
      case .cancelled: self = .cancelled
      }
    }
  }
#endif
