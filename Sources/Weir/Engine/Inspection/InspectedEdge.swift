// What stands between a publisher and its subscriber while inspection is on.
// No test file: Tests/ConsumerTests/inspection tests what is built with the trait.

#if WEIR_INSPECTION
  import WeirQueues

  /// An edge, whatever its subscriber.
  @usableFromInline
  package protocol InspectionEdge: AnyObject {
    /// What is known of the subscription.
    var record: InspectedSubscription { get }
  }

  /// Passes all signals on, and notes them.
  @safe
  @usableFromInline
  package final class InspectedEdge<Downstream: Subscriber>: Subscriber, InspectionEdge, CustomStringConvertible,
    CustomReflectable
  {
    @usableFromInline package typealias Input = Downstream.Input
    @usableFromInline package typealias Failure = Downstream.Failure

    @usableFromInline package let record: InspectedSubscription
    @usableFromInline let downstream: Downstream

    @inlinable
    init(_ record: InspectedSubscription, _ downstream: Downstream) {
      self.record = record
      self.downstream = downstream
    }

    deinit { record.loseSubscriber() }

    @inlinable
    package var combineIdentifier: CombineIdentifier { downstream.combineIdentifier }

    @inlinable
    package func receive(subscription: any Subscription) {
      let noted: any Subscription =
        if let link = Link.own(subscription) {
          InspectedLink(link, record)
        } else {
          InspectedForeignSubscription(subscription, record)
        }
      withOnTrail(record.next) { downstream.receive(subscription: noted) }
    }

    @inlinable @inline(__always)
    package func receive(_ input: Input) -> Subscribers.Demand {
      let count = record.noteValue()
      // SAFETY: the place is this thread's, and whoever calls this has the edge, and so the record, until it returns.
      let place = unsafe threadPlace()
      let isWithinTimed = unsafe place.pointee.start != 0
      let timing = record.mayBeTimed(count, isWithinTimed: isWithinTimed) ? record.beginTiming(count) : nil
      let more = unsafe withOnTrail(record.nextAddress, of: place) { downstream.receive(input) }
      record.noteReturn()
      if let timing { record.endTiming(timing) }
      if more != .none { record.note(more) }
      return more
    }

    @inlinable
    package func receive(completion: Subscribers.Completion<Failure>) {
      record.noteEnding(true)
      switch completion {
      case .finished: record.end(.finished)
      case .failure(let failure):
        record.fail()
        record.tellFailure(failure)
      }
      withOnTrail(record.next) { downstream.receive(completion: completion) }
      record.noteEnding(false)
    }

    @usableFromInline package var description: String { String(describing: downstream) }
    @usableFromInline package var customMirror: Mirror { Mirror(reflecting: downstream) }
  }

  /// The subscription that the subscriber behind an edge has, if the publisher is one of Weir's.
  @usableFromInline
  package final class InspectedLink: WrapperLink {
    @usableFromInline let record: InspectedSubscription

    @usableFromInline
    init(_ link: Link, _ record: InspectedSubscription) {
      self.record = record
      super.init(
        link,
        onRequest: { link, demand in
          let link = link.downcast(to: InspectedLink.self)
          link.record.note(demand)
          withOnTrail(link.record) { link.upstream.request(demand) }
        },
        onCancel: { link in
          let link = link.downcast(to: InspectedLink.self)
          link.record.end(.cancelled)
          withOnTrail(link.record) { link.upstream.cancel() }
        })
      record.begin(upstream)
    }

    deinit { record.loseSubscription() }
  }

  /// The subscription that the subscriber behind an edge has, if the publisher is foreign: it must stay foreign.
  @usableFromInline
  final class InspectedForeignSubscription: Subscription, CustomStringConvertible {
    private let upstream: any Subscription
    private let record: InspectedSubscription

    @usableFromInline
    init(_ upstream: any Subscription, _ record: InspectedSubscription) {
      self.upstream = upstream
      self.record = record
      record.begin(nil)
    }

    deinit { record.loseSubscription() }

    @usableFromInline var combineIdentifier: CombineIdentifier { upstream.combineIdentifier }
    @usableFromInline var description: String { String(describing: upstream) }

    @usableFromInline
    func request(_ demand: Subscribers.Demand) {
      record.note(demand)
      withOnTrail(record) { upstream.request(demand) }
    }

    @usableFromInline
    func cancel() {
      record.end(.cancelled)
      withOnTrail(record) { upstream.cancel() }
    }
  }

  // MARK: Who keeps values

  extension BufferLink: ValueKeeper {
    package var waitingCount: Int? {
      let entry = gate.enter()
      guard entry != .taken else { return nil }
      let count = isOver ? 0 : values.count + leaving.count
      if entry == .entered { leave { process($0) } }
      return count
    }

    package var droppedCount: Int? { lostCount.relaxedLoad() }

    /// Of values that make room for newer ones nobody knows when they will come.
    package func place(ofNext received: Int, behind delivered: Int) -> Int? {
      if case .dropOldest = whenFull { return nil }
      guard let count = waitingCount, count < size || !ledger.hasNone else { return nil }
      return delivered + count + 1
    }
  }

  extension PullSubscriber: ValueKeeper {
    package var waitingCount: Int? {
      lock.lock()
      defer { lock.unlock() }
      return values.count
    }

    package var droppedCount: Int? { nil }

    package func place(ofNext received: Int, behind delivered: Int) -> Int? { nil }
  }

  extension HopLink: LosslessKeeper {
    package var goneCount: Int? { droppable?.goneCount }

    package var delay: Int? { (policy as? any HopWithDelay)?.delay }

    package func place(ofNext received: Int, behind delivered: Int) -> Int? { droppable == nil ? received : nil }
  }

  /// A policy that delivers each value after a time.
  private protocol HopWithDelay {
    /// The time, in nanoseconds of the scheduler.
    var delay: Int { get }
  }

  extension DelayedHopPolicy: HopWithDelay {
    /// An interval only makes itself of a number, so that number is looked for.
    var delay: Int {
      typealias Stride = Context.SchedulerTimeType.Stride
      var above = 1
      while Stride.milliseconds(above) <= interval, above < 1 << 40 { above *= 2 }
      var milliseconds = above / 2
      while above - milliseconds > 1 {
        let middle = (milliseconds + above) / 2
        if Stride.milliseconds(middle) <= interval { milliseconds = middle } else { above = middle }
      }
      return milliseconds * 1_000_000
    }
  }
#endif
