// Shows which subscriptions are alive, in builds with the trait Inspection.
// No test file: Tests/ConsumerTests/inspection tests what is built with the trait.

import Weir
import WeirQueues

/// Shows which subscriptions are alive, and what passes them.
///
/// It is built in with the package's trait `Inspection`, and without that shows nothing: streams are as if there were
/// no inspector, to the instruction. With the trait it is off until the environment variable `WEIR_INSPECT` is 1, or
/// `isOn` is set. Subscriptions that were made before are not seen. With `WEIR_INSPECT=serve` it is on, and other
/// programs of the user are answered, as by ``serve(at:)``, from the first subscription on. With `WEIR_INSPECT=watch`
/// the rules of ``StreamGraph`` are applied every second, and what they find is told on the standard error output.
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

  /// Whether failures that reach the end of a stream are told on the standard error output, with the operators that
  /// they have come past and the lines where these were made: until it is set to `false`, if inspection is on. Without
  /// the trait it stays `false`.
  public static var tellsFailures: Bool {
    get {
      #if WEIR_INSPECTION
        Inspection.tellsFailures
      #else
        false
      #endif
    }
    set {
      #if WEIR_INSPECTION
        Inspection.tellsFailures = newValue
      #endif
    }
  }

  /// Answers other programs of the same user that ask which streams are alive, as `gauge top` does, until the server
  /// that is returned is stopped or let go of. Inspection is switched on.
  ///
  /// The environment does the same to a program that doesn't: `WEIR_INSPECT=serve`, or `WEIR_INSPECT=serve:PATH`,
  /// serves from the first subscription or use of the inspector to the end of the process.
  ///
  /// - Parameter path: The socket. `nil` is for `PID.sock` in a folder `weir-UID` in `$XDG_RUNTIME_DIR`, or else in
  ///   the folder for temporary files: there `gauge top PID` looks for it.
  /// - Returns: The server.
  /// - Throws: `InspectionServer.Failure` in builds without the trait; where another user may replace the socket, or
  ///   somebody serves there; and where the system has no thread to give.
  public static func serve(at path: String? = nil) throws(InspectionServer.Failure) -> InspectionServer {
    guard isBuiltIn else {
      throw InspectionServer.Failure("the package was built without the trait Inspection, so there is nothing to serve")
    }
    let server = try InspectionServer(at: path, graph: { snapshot() })
    isOn = true
    return server
  }

  /// The subscriptions that are alive now; none without the trait.
  ///
  /// It asks buffers how many values they keep, for which it waits for nobody, and has the next value of each origin
  /// timed.
  ///
  /// - Complexity: O(*n* log *n*) in the number of subscriptions, and in what feeds what.
  public static func snapshot() -> StreamGraph {
    let now = monotonicNanoseconds()
    #if WEIR_INSPECTION
      Inspection.beginServing()
      return StreamGraph(time: now, subscriptions: readings(at: now))
    #else
      return StreamGraph(time: now, subscriptions: [])
    #endif
  }

  #if WEIR_INSPECTION
    private static func readings(at now: Int) -> [StreamGraph.Subscription] {
      let live = Inspection.live
      let ending = ending(live)
      let readings = live.map { reading($0, at: now, isTellingEnd: ending.contains($0.id)) }
      let incoming = Dictionary(grouping: readings.filter { $0.downstream != nil }) { $0.downstream ?? 0 }
      let byOrigin = Dictionary(grouping: live.filter { $0.origin != nil }) { $0.origin }
      return zip(live, readings).map { record, reading in
        var reading = reading
        if let target = record.target { reading.feeds = (byOrigin[target] ?? []).map(\.id) }
        if let upstreams = incoming[reading.id] {
          // What has come was read first: so a value that passes meanwhile is none that waits.
          let received = upstreams.reduce(0) { $0 + $1.delivered }
          if let gone = record.goneUpstream {
            reading.waiting = max(0, received - gone.count)
            reading.delay = gone.delay
          }
        }
        return reading
      }
    }

    /// The subscriptions to those objects that are telling the end, and what these lead to: who tells several
    /// subscribers lets go of them when all know it.
    private static func ending(_ live: [InspectedSubscription]) -> Set<Int> {
      let origins = Set(live.filter(\.isEnding).compactMap(\.origin))
      var ending: Set<Int> = []
      for record in live where record.origin.map(origins.contains) ?? false {
        var next: InspectedSubscription? = record
        while let record = next, ending.insert(record.id).inserted { next = record.downstream }
      }
      return ending
    }

    private static func reading(
      _ record: InspectedSubscription, at now: Int, isTellingEnd: Bool
    ) -> StreamGraph.Subscription {
      let delivered = record.delivered
      let operators = record.publisher.operators
      let isDelivering = record.isTaking
      let state = StreamGraph.State(record.state)
      let isHeld = record.isSubscriberHeld && !(isTellingEnd && (state == .finished || state == .failed))
      let kept = record.keptUpstream
      record.wantTiming()
      return StreamGraph.Subscription(
        id: record.id, publisher: operators.map(\.name).joined(separator: "+"), subscriber: record.subscriber,
        downstream: record.downstream?.id, feeds: [], state: state,
        requested: record.requested, delivered: delivered, isDelivering: isDelivering, waiting: kept.waiting,
        dropped: kept.dropped, untaken: record.waitingDownstream, age: max(0, now - record.birth),
        isSubscriberHeld: isHeld, isSubscriptionHeld: record.isSubscriptionHeld,
        latency: record.latency.map { StreamGraph.Latency(samples: $0.samples, total: $0.nanoseconds) },
        operators: operators.map { StreamGraph.Operator(name: $0.name, site: StreamGraph.Site($0.addresses)) },
        attachment: record.publisher.attachment.isEmpty ? nil : StreamGraph.Site(record.publisher.attachment))
    }
  #endif
}

#if WEIR_INSPECTION
  /// The server that the environment asks for.
  private let serverOfEnvironment: InspectionServer? = {
    do throws(InspectionServer.Failure) {
      let path = placeOfInspection().flatMap { $0.isEmpty ? nil : $0 }
      return try InspectionServer(at: path, graph: { WeirInspector.snapshot() })
    } catch {
      complain("WEIR_INSPECT: nothing is served: \(error)")
      return nil
    }
  }()

  /// Serves or watches, as the environment asks for; called once, by Weir, which doesn't know this module.
  @_cdecl("weir_serve_inspection")
  public func _serveInspection() {
    if isWatchWanted() { RuleWatch.start() } else { _ = serverOfEnvironment }
  }

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
