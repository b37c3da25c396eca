// Which subscriptions are alive, in builds with the trait Inspection.
// No test file: Tests/ConsumerTests/inspection tests what is built with the trait.

#if WEIR_INSPECTION
  import WeirQueues

  /// The switch, and the list of the subscriptions that are alive.
  ///
  /// Operators attach their own subscribers to publishers whose type is a generic parameter. In builds with the trait
  /// the requirement of `Publisher` is disfavoured, so that all those calls mean the method below. If inspection is on,
  /// it puts an `InspectedEdge` between the two; no operator knows of it.
  @usableFromInline
  package enum Inspection {
    private struct Registry {
      var count = 0
      var live: [Int: InspectedSubscription] = [:]
      /// Those that feed subjects, by these.
      var feeding: [ObjectIdentifier: [Int: InspectedSubscription]] = [:]
    }

    private static let registry = Lock(Registry())
    private static let isServed: Bool = {
      guard placeOfInspection() != nil || isWatchWanted() else { return false }
      if serveInspection() { return true }
      complain("WEIR_INSPECT: nothing is served or watched, as WeirExtras is not in the program")
      return false
    }()

    /// Serves or watches the live subscriptions from the first call on, if the environment asks for that.
    package static func beginServing() { _ = isServed }

    /// Whether subscriptions that are made from now on are inspected.
    @usableFromInline
    package static var isOn: Bool {
      get { isInspectionOn }
      set { isInspectionOn = newValue }
    }

    private static let telling = AtomicWord(1)

    /// Whether failures that reach the end of a stream are told on the standard error output.
    package static var tellsFailures: Bool {
      get { telling.relaxedLoad() != 0 }
      set { telling.relaxedStore(newValue ? 1 : 0) }
    }

    /// The subscriptions that are alive, in the order in which they were made.
    package static var live: [InspectedSubscription] {
      registry.withLock { Array($0.live.values) }.sorted { $0.id < $1.id }
    }

    /// Enters a subscription.
    static func add(_ make: (Int) -> InspectedSubscription) -> InspectedSubscription {
      beginServing()
      return registry.withLock { registry in
        registry.count += 1
        let subscription = make(registry.count)
        registry.live[registry.count] = subscription
        if let target = subscription.target { registry.feeding[target, default: [:]][registry.count] = subscription }
        return subscription
      }
    }

    /// Takes out a subscription that nobody holds any more.
    static func remove(_ subscription: InspectedSubscription) {
      let removed = registry.withLock { registry in
        if let target = subscription.target {
          registry.feeding[target]?[subscription.id] = nil
          if registry.feeding[target]?.isEmpty == true { registry.feeding[target] = nil }
        }
        return registry.live.removeValue(forKey: subscription.id)
      }
      withExtendedLifetime(removed) {}
    }

    /// Those that feed a subject, in the order in which they were made.
    static func feeders(of subject: ObjectIdentifier) -> [InspectedSubscription] {
      registry.withLock { Array($0.feeding[subject, default: [:]].values) }.sorted { $0.id < $1.id }
    }

    /// The subscription whose publisher is attaching to others, or is delivering, on the calling thread.
    @usableFromInline
    static var current: InspectedSubscription? {
      innermostOnTrail { $0 is InspectedSubscription || $0 is EndOfStream } as? InspectedSubscription
    }

    /// The subscription that feeds a subject, if it is delivering on the calling thread.
    static func feeder(of subject: ObjectIdentifier) -> InspectedSubscription? {
      var found: InspectedSubscription?
      _ = innermostOnTrail { object in
        guard let number = (object as? EndOfStream)?.feeder else { return false }
        found = registry.withLock { $0.live[number] }.flatMap { $0.target == subject ? $0 : nil }
        return found != nil
      }
      return found
    }

    /// Attaches a subscriber by the requirement: here nothing is known of its type that would make it another call.
    @inlinable @inline(__always)
    package static func attach<P: Publisher, S: Subscriber>(
      _ subscriber: S, to publisher: P
    ) where S.Input == P.Output, S.Failure == P.Failure {
      publisher.receive(subscriber: subscriber)
    }

    /// Attaches a subscriber behind an edge that notes what passes.
    @inlinable
    package static func attachInspected<P: Publisher, S: Subscriber>(
      _ subscriber: S, to publisher: P, isEnd: Bool, leadingTo downstream: InspectedSubscription?,
      feeding subject: AnyObject?
    ) where S.Input == P.Output, S.Failure == P.Failure {
      let origin = P.self is AnyObject.Type ? ObjectIdentifier(publisher as AnyObject) : nil
      let record = InspectedSubscription.make(
        P.self, String(describing: subscriber), at: publisher._assembly, leadingTo: isEnd ? nil : downstream ?? current,
        from: origin, feeding: subject.map { ObjectIdentifier($0) },
        subscriber: S.self is AnyObject.Type ? subscriber as AnyObject : nil)
      let edge = InspectedEdge(record, subscriber)
      withOnTrail(record) { attach(edge, to: publisher) }
    }
  }

  /// A subscriber of Weir's own that has its place in the graph of live subscriptions.
  @usableFromInline
  package protocol InspectedSubscriber: Subscriber {
    /// Whether it ends a stream, so that what is subscribed to while it is called belongs to another one.
    static var isEndOfStream: Bool { get }

    /// The subject that it feeds, if that is what it does.
    var fedSubject: AnyObject? { get }

    /// The subscription that its stream leads to, if it tells: it may subscribe on a thread that knows of none.
    var leadsTo: InspectedSubscription? { get }
  }

  extension InspectedSubscriber {
    @inlinable package static var isEndOfStream: Bool { false }
    @inlinable package var fedSubject: AnyObject? { nil }
    @inlinable package var leadsTo: InspectedSubscription? { nil }
  }

  /// Keeps values, and delivers each of them later, if at all.
  package protocol ValueTimer: AnyObject {
    /// The place among all that it delivers of the value that it receives next; `nil` if that can't be told.
    ///
    /// - Parameters:
    ///   - received: How many it has received, with that one.
    ///   - delivered: How many it has delivered.
    func place(ofNext received: Int, behind delivered: Int) -> Int?
  }

  /// Knows how many values it keeps.
  package protocol ValueKeeper: ValueTimer {
    /// How many values wait; `nil` if that can't be told now, as another thread is at them.
    var waitingCount: Int? { get }
    /// How many values have been dropped for want of room; `nil` if nobody counts them.
    var droppedCount: Int? { get }
  }

  /// Keeps each value until it delivers it, until it is cancelled, or until a scheduler has dropped the value's job.
  package protocol LosslessKeeper: ValueTimer {
    /// How many values it keeps no more; `nil` if these are what it has delivered.
    var goneCount: Int? { get }
    /// How long it keeps each value on purpose, in nanoseconds of its scheduler; `nil` if it doesn't.
    var delay: Int? { get }
  }

  extension Publisher {
    /// Attaches a subscriber of Weir's own; with a note of it if inspection is on.
    @inlinable
    package func receive<S: InspectedSubscriber>(
      subscriber: S
    ) where S.Input == Output, S.Failure == Failure {
      if Inspection.isOn {
        Inspection.attachInspected(
          subscriber, to: self, isEnd: S.isEndOfStream, leadingTo: subscriber.leadsTo,
          feeding: subscriber.fedSubject)
      } else {
        Inspection.attach(subscriber, to: self)
      }
    }
  }

  extension Publisher {
    /// Attaches a subscriber.
    ///
    /// - Parameter subscriber: Receives a subscription first, then values as it asks for them, then a completion.
    @_alwaysEmitIntoClient @inline(__always)
    public func subscribe<Subscriber: Weir.Subscriber>(_ subscriber: Subscriber)
    where Failure == Subscriber.Failure, Output == Subscriber.Input {
      if Inspection.isOn {
        let known = subscriber as? any InspectedSubscriber
        let isEnd = known.map { type(of: $0).isEndOfStream } ?? !(subscriber is any InspectionEdge)
        Inspection.attachInspected(
          subscriber, to: self, isEnd: isEnd, leadingTo: known?.leadsTo, feeding: known?.fedSubject)
      } else {
        Inspection.attach(subscriber, to: self)
      }
    }
  }
#endif
