// What is known of a live subscription, in builds with the trait Inspection.
// No test file: Tests/ConsumerTests/inspection tests what is built with the trait.

#if WEIR_INSPECTION
  import WeirQueues

  /// What is known of a subscription: what passes between a publisher and the subscriber that it was given.
  ///
  /// It outlives neither end for long: it leaves the list when the publisher has let go of its subscriber, and the
  /// subscriber of its subscription.
  @safe
  @usableFromInline
  package final class InspectedSubscription: @unchecked Sendable {
    // SAFETY (Sendable): the constants are values or objects that any thread may use; what changes is atomic, or behind
    // the lock.

    /// Where in its life a subscription is.
    @usableFromInline
    package enum State: Int, Sendable {
      case awaiting, active, finished, failed, cancelled
    }

    private struct Life {
      var state = State.awaiting
      /// How many values were asked for; `nil` for all.
      var requested: Int? = 0
      /// Whether the publisher has the subscriber.
      var isSubscriberHeld = true
      /// Whether the subscriber is being told the end.
      var isEnding = false
      /// How many subscriptions the subscriber has; an operator that passes all on may give it several.
      var subscriptions = 0
      /// Objects that are asked how many values they keep; this doesn't keep them alive.
      weak var link: Link?
      var upstreams = InspectedUpstreams()
      weak var subscriber: AnyObject?
    }

    package let id: Int
    package let publisher: InspectedPublisher
    /// What the subscriber calls itself.
    package let subscriber: String
    /// The subscription that this one's values are made into values of; `nil` at the end of a stream.
    package let downstream: InspectedSubscription?
    /// The publisher, if it is an object.
    package let origin: ObjectIdentifier?
    /// The subject that is fed.
    package let target: ObjectIdentifier?
    /// When it was made, in nanoseconds of the monotonic clock.
    package let birth: Int

    /// What the trail has while the subscriber is called: where streams lead that are subscribed to then.
    @usableFromInline let next: AnyObject
    /// Its address, which lasts as long as this object.
    @usableFromInline let nextAddress: UnsafeMutableRawPointer
    @usableFromInline let count = AtomicWord(0)
    /// How many values had come when the newest call with one returned.
    @usableFromInline let taken = AtomicWord(0)
    /// Whether other subscriptions lead to this one: its values come from them.
    @usableFromInline let isFed = AtomicWord(0)
    /// Whether the next value is timed, if this is where values come from.
    @usableFromInline let isTimingWanted = AtomicWord(1)
    /// The place among all values of the first one that is timed and waits; 0 for none.
    @usableFromInline let expected = AtomicWord(0)
    private let waiting = Lock(TimedValues())
    /// How many values have been timed at the end of a stream, and how long all of them have taken.
    private let timed = Lock((samples: 0, nanoseconds: 0))
    private let life = Lock(Life())

    private init(
      id: Int, _ publisher: InspectedPublisher, _ subscriber: String, downstream: InspectedSubscription?,
      origin: ObjectIdentifier?, target: ObjectIdentifier?
    ) {
      self.id = id
      self.publisher = publisher
      self.subscriber = subscriber
      self.downstream = downstream
      self.origin = origin
      self.target = target
      birth = monotonicNanoseconds()
      next = downstream ?? (target == nil ? EndOfStream.instance : EndOfStream(feeding: id))
      unsafe nextAddress = Unmanaged.passUnretained(next).toOpaque()
    }

    @usableFromInline
    static func make(
      _ publisher: Any.Type, _ name: String, at assembly: _AssemblySite, leadingTo downstream: InspectedSubscription?,
      from origin: ObjectIdentifier?, feeding target: ObjectIdentifier?, subscriber: AnyObject?
    ) -> InspectedSubscription {
      let attachment = downstream == nil || assembly.stack == nil ? returnAddresses(most: 24) : []
      let name = nameWithoutAddresses(name)
      let record = Inspection.add { id in
        InspectedSubscription(
          id: id, InspectedPublisher(type: publisher, assembly: assembly, attachment: attachment), name,
          downstream: downstream, origin: origin, target: target)
      }
      record.life.withLock { $0.subscriber = subscriber }
      if let downstream {
        downstream.isFed.relaxedStore(1)
        downstream.life.withLock { $0.upstreams.add(record) }
      }
      return record
    }

    // MARK: What passes

    /// Notes a value. The publisher calls serially, by contract: of one that doesn't, values may be missed.
    ///
    /// - Returns: How many there have been.
    @inlinable @inline(__always)
    func noteValue() -> Int {
      let number = count.relaxedLoad() &+ 1
      count.relaxedStore(number)
      return number
    }

    /// Notes that the subscriber has returned from a call with a value.
    @inlinable @inline(__always)
    func noteReturn() { taken.relaxedStore(count.relaxedLoad()) }

    /// Notes what was asked for, on any thread.
    @usableFromInline
    func note(_ demand: Subscribers.Demand) {
      life.withLock { life in
        guard let former = life.requested, let more = demand.max else { return life.requested = nil }
        let sum = former.addingReportingOverflow(more)
        life.requested = sum.overflow ? nil : sum.partialValue
      }
    }

    @usableFromInline
    func begin(_ link: Link?) {
      life.withLock { life in
        life.link = link
        life.subscriptions += 1
        if life.state == .awaiting { life.state = .active }
      }
    }

    @usableFromInline
    func end(_ state: State) {
      life.withLock { life in
        if life.state == .awaiting || life.state == .active { life.state = state }
      }
    }

    /// Notes that the subscriber is told the end, or has been.
    @usableFromInline
    func noteEnding(_ isEnding: Bool) { life.withLock { $0.isEnding = isEnding } }

    /// Notes that the publisher has let go of the subscriber.
    @usableFromInline
    func loseSubscriber() { lose { $0.isSubscriberHeld = false } }

    /// Notes that the subscriber has let go of a subscription.
    @usableFromInline
    func loseSubscription() { lose { $0.subscriptions -= 1 } }

    private func lose(_ end: (inout Life) -> Void) {
      let isGone = life.withLock { life in
        end(&life)
        return !life.isSubscriberHeld && life.subscriptions == 0
      }
      guard isGone else { return }
      Inspection.remove(self)
      guard let downstream else { return }
      let (trace, hasFailed) = (trace(), state == .failed)
      downstream.life.withLock { life in
        let isOver = life.state != .awaiting && life.state != .active
        life.upstreams.remove(self, leaving: trace, hasFailed: hasFailed, isOver: isOver)
      }
    }

    // MARK: Which way a failure has come

    /// What leads to it, as far as the newest signal may have come from there.
    var sources: InspectedSources {
      var sources = life.withLock { $0.upstreams.sources(hasFailed: $0.state == .failed) }
      if hasThrown { sources.failing = nil }
      return sources
    }

    /// Whether the publisher has failed by itself when it was told of a failure.
    private var hasThrown: Bool {
      life.withLock { $0.state == .failed && $0.upstreams.count == 1 }
        && publisher.operators.last?.name == "TryCatch"
    }

    /// Notes that the publisher has failed, before the subscriber is told.
    @usableFromInline @inline(never)
    func fail() {
      end(.failed)
      // A subject that is fed has the failure of what feeds it, which is being delivered.
      if let origin, let feeder = Inspection.feeder(of: origin) {
        let trace = feeder.trace()
        life.withLock { $0.upstreams.failed = trace }
      }
      guard let downstream else { return }
      let trace = trace()
      downstream.life.withLock { $0.upstreams.failed = trace }
    }

    // MARK: How long it takes

    /// What is to be undone when a value that may be timed has been delivered.
    @usableFromInline
    struct Timing {
      /// When the value was sent; 0 where it isn't timed.
      let start: Int
      /// The thread's time before.
      let former: Int
    }

    /// Whether there is anything to do about the time of a value. Where values come from it is one of 64, and the first
    /// one behind each look at the graph.
    @inlinable @inline(__always)
    func mayBeTimed(_ number: Int, isWithinTimed: Bool) -> Bool {
      if isFed.relaxedLoad() == 0 {
        return number & 63 == 0 || isTimingWanted.relaxedLoad() != 0
      }
      let first = expected.relaxedLoad()
      return isWithinTimed || first != 0 && first <= number
    }

    /// Has the thread know when the value was sent that it delivers now. Of a value that goes to somebody who keeps it,
    /// the other side of the keeper knows.
    @usableFromInline @inline(never)
    func beginTiming(_ number: Int) -> Timing {
      // SAFETY: the calling thread's.
      let former = unsafe threadPlace().pointee.start
      var start = former
      if isFed.relaxedLoad() == 0 {
        isTimingWanted.relaxedStore(0)
        start = monotonicNanoseconds()
      } else if let kept = takeExpected(number) {
        start = kept
      }
      if let downstream, let keeper = downstream.life.withLock({ $0.link }) as? any ValueTimer {
        if start != 0, let place = keeper.place(ofNext: number, behind: downstream.delivered) {
          downstream.expect(place, sentAt: start)
        }
        start = 0
      }
      unsafe threadPlace().pointee.start = start
      return Timing(start: start, former: former)
    }

    @usableFromInline @inline(never)
    func endTiming(_ timing: Timing) {
      var former = timing.former
      if downstream == nil, timing.start != 0 {
        let time = monotonicNanoseconds() - timing.start
        timed.withLock { $0 = ($0.samples &+ 1, $0.nanoseconds &+ max(0, time)) }
        // What else becomes of the same value isn't timed.
        if former == timing.start { former = 0 }
      }
      unsafe threadPlace().pointee.start = former
    }

    /// Values that are timed and wait: their places among all, in order, and when they were sent.
    private struct TimedValues {
      /// Of how many it is known, so that a queue that only grows doesn't have two.
      static let limit = 1024
      var values: [(place: Int, start: Int)] = []
      var first: Int { values.first?.place ?? 0 }
    }

    /// Notes that the value of a place is timed.
    private func expect(_ place: Int, sentAt start: Int) {
      waiting.withLock { waiting in
        guard place > waiting.values.last?.place ?? 0, waiting.values.count < TimedValues.limit else { return }
        waiting.values.append((place, start))
        expected.relaxedStore(waiting.first)
      }
    }

    /// When the value of a place was sent, if it is timed.
    private func takeExpected(_ number: Int) -> Int? {
      guard expected.relaxedLoad() != 0 else { return nil }
      return waiting.withLock { waiting in
        let reached = waiting.values.prefix { $0.place <= number }
        guard let last = reached.last else { return nil }
        waiting.values.removeFirst(reached.count)
        expected.relaxedStore(waiting.first)
        return last.place == number ? last.start : nil
      }
    }

    /// Has the next value timed, if this is where values come from.
    package func wantTiming() { isTimingWanted.relaxedStore(1) }

    /// How many values have been timed at the end of a stream, and how long all of them have taken; `nil` for none.
    package var latency: (samples: Int, nanoseconds: Int)? {
      let latency = timed.withLock { $0 }
      return latency.samples > 0 ? latency : nil
    }

    // MARK: What is read

    package var delivered: Int { count.relaxedLoad() }
    /// How many values were asked for so far; `nil` for all.
    package var requested: Int? { life.withLock { $0.requested } }
    package var state: State { life.withLock { $0.state } }
    /// Whether the publisher has the subscriber; once the stream is over, other than for the call that is under way.
    package var isSubscriberHeld: Bool {
      let isTaking = isTaking
      return life.withLock { life in
        let isActive = life.state == .awaiting || life.state == .active
        return life.isSubscriberHeld && (isActive || !life.isEnding && !isTaking)
      }
    }
    /// Whether the subscriber is being told the end.
    package var isEnding: Bool { life.withLock { $0.isEnding } }
    /// Whether somebody has the subscription, and so could cancel it, or the subscriber is being called.
    package var isSubscriptionHeld: Bool {
      let isTaking = isTaking
      return life.withLock { $0.subscriptions > 0 || $0.isEnding } || isTaking
    }
    /// Whether the subscriber is being called with a value.
    package var isTaking: Bool { taken.relaxedLoad() != delivered }

    /// How many values the publisher keeps for this subscription, and how many it has dropped for want of room, as far
    /// as it can tell.
    package var keptUpstream: (waiting: Int?, dropped: Int?) {
      guard let keeper = life.withLock({ $0.link }) as? any ValueKeeper else { return (nil, nil) }
      return (keeper.waitingCount, keeper.droppedCount)
    }
    /// How many values the subscriber keeps.
    package var waitingDownstream: Int? { (life.withLock { $0.subscriber } as? any ValueKeeper)?.waitingCount }
    /// How many values the publisher has received and keeps no more, and how long it keeps each on purpose, in
    /// nanoseconds, where it keeps each until it can pass; `nil` for others.
    package var goneUpstream: (count: Int, delay: Int?)? {
      (life.withLock { $0.link } as? any LosslessKeeper).map { ($0.goneCount ?? delivered, $0.delay) }
    }
  }

  /// What the trail has where a stream ends: what is subscribed to there belongs to another one.
  final class EndOfStream: Sendable, TracedObject {
    static let instance = EndOfStream(feeding: nil)

    /// The subscription at the end, if that feeds a subject.
    let feeder: Int?

    init(feeding feeder: Int?) { self.feeder = feeder }

    /// Nothing: what is done there is the program's own.
    var assemblyTrace: String { "" }
  }
#endif
