// Timers of run loops as publishers.

public import Foundation
public import Weir
import WeirQueues

extension Timer {
  /// A publisher that publishes the date again and again, once it is connected.
  ///
  /// - Parameters:
  ///   - interval: The time between dates, in seconds: a tenth of a millisecond at least. Connecting traps where it is
  ///     not a number.
  ///   - tolerance: Not used, as in Combine; to set a tolerance, create the publisher with its initialiser.
  ///   - runLoop: The loop on which the timer runs.
  ///   - mode: The mode in which the timer runs.
  ///   - options: Not used.
  public static func publish(
    every interval: TimeInterval, tolerance _: TimeInterval? = nil, on runLoop: RunLoop, in mode: RunLoop.Mode,
    options: RunLoop.SchedulerOptions? = nil
  ) -> TimerPublisher {
    TimerPublisher(interval: interval, runLoop: runLoop, mode: mode, options: options)
  }

  /// Publishes the date again and again while it is connected.
  ///
  /// There is one timer at a time, whose dates go to all subscribers; dates that a subscriber has not asked for are
  /// dropped. Cancelling a connection ends all subscriptions, without a completion. Any thread may subscribe,
  /// connect and cancel; dates are delivered on the run loop, or on the main queue in its place (``connect()``).
  ///
  /// - Complexity: A date is O(*n*) in the number of subscribers, and so is the cancellation of a subscription.
  public final class TimerPublisher: ConnectablePublisher {
    #if WEIR_INSPECTION
      /// Where it was made.
      public let _assembly = _AssemblySite.here()
    #endif

    /// The moment at which the timer fired.
    public typealias Output = Date
    /// `Never`: it can't fail.
    public typealias Failure = Never

    /// The time between dates, in seconds.
    public let interval: TimeInterval

    /// How much later each date may come to spare the machine a waking, in seconds; not at all if `nil`.
    public let tolerance: TimeInterval?

    /// The loop on which the timer runs.
    public let runLoop: RunLoop

    /// The mode in which the timer runs.
    public let mode: RunLoop.Mode

    /// Not used.
    public let options: RunLoop.SchedulerOptions?

    /// The subscriptions, in order.
    private let sides = Lock<[any DateReceiver]>([])
    /// What runs; `nil` where nothing does.
    private let connection = Lock<Connection?>(nil)

    /// Creates a publisher.
    ///
    /// - Parameters:
    ///   - interval: The time between dates, in seconds.
    ///   - tolerance: How much later each date may come to spare the machine a waking, in seconds; not at all if
    ///     `nil`.
    ///   - runLoop: The loop on which the timer runs.
    ///   - mode: The mode in which the timer runs.
    ///   - options: Not used.
    public init(
      interval: TimeInterval, tolerance: TimeInterval? = nil, runLoop: RunLoop, mode: RunLoop.Mode,
      options: RunLoop.SchedulerOptions? = nil
    ) {
      self.interval = interval
      self.tolerance = tolerance
      self.runLoop = runLoop
      self.mode = mode
      self.options = options
    }

    /// Attaches a subscriber.
    public func receive<S: Subscriber>(subscriber: S) where S.Failure == Failure, S.Input == Output {
      let link = FeedLink(downstream: HeldSubscriber(subscriber), name: "Timer")
      let identity = link.combineIdentifier
      // Before a connection's end can take it for one of its own: it would have had no subscription then.
      link.open(FeedLink<S>.Source(stop: { [weak self] in self?.remove(identity) }))
      sides.withLock { $0.append(link) }
      if link.isCancelled { remove(identity) }
    }

    /// Starts a timer, if none runs. As of any timer, an interval of less than a tenth of a millisecond counts as a
    /// tenth of a millisecond. Traps where it is not a number. On the main loop, where an asynchronous `main` has left
    /// that to the main queue, dates are delivered on the queue, whatever the mode.
    ///
    /// - Returns: An object that stops the timer and ends all subscriptions when it is cancelled: the same one until it
    ///   is.
    public func connect() -> any Cancellable {
      let work = ScheduledWork { self.fire() }
      // With its time interval alone, a timer of the portable Foundation fires at once, and without any it fires once.
      let interval = interval.ofRepetition
      let timer = Timer(fire: Date() + interval, interval: interval, repeats: true) { _ in work.run() }
      timer.tolerance = tolerance ?? 0
      let made = Connection(timer: timer, work: work, publisher: self)
      let connection = self.connection.withLock { connection in
        if connection == nil { connection = made }
        return connection!
      }
      guard connection === made else { return connection }
      if runLoop !== RunLoop.main || !connection.moveToQueueOnceTheLoopIsGone() { runLoop.add(timer, forMode: mode) }
      return connection
    }

    private func fire() {
      let now = Date()
      for side in sides.withLock({ $0 }) { side.send(now) }
    }

    private func forget(_ ended: Connection) {
      // Freed behind the lock.
      let former = connection.withLock { $0 === ended ? $0.take() : nil }
      withExtendedLifetime(former) {}
    }

    private func remove(_ identity: CombineIdentifier) {
      let removed = sides.withLock { sides in
        sides.firstIndex { $0.combineIdentifier == identity }.map { sides.remove(at: $0) }
      }
      withExtendedLifetime(removed) {}
    }

    private final class Connection: Cancellable {
      private let timer: Timer
      private let work: ScheduledWork
      private let publisher: TimerPublisher
      private let isCancelled = OneShot()
      /// Lets the main queue take the place of the main loop.
      private let move = Lock<ScheduledWork?>(nil)
      /// What runs in place of the timer if the main loop is gone.
      private let repetition = Lock<DatedActions.Identity?>(nil)

      init(timer: Timer, work: ScheduledWork, publisher: TimerPublisher) {
        self.timer = timer
        self.work = work
        self.publisher = publisher
      }

      private var dated: DatedActions { LoopActions.of(publisher.runLoop).dated }

      /// - Returns: Whether the main loop is gone already.
      func moveToQueueOnceTheLoopIsGone() -> Bool {
        let move = ScheduledWork { self.moveToQueue() }
        self.move.withLock { $0 = move }
        let isGone = MainLoop.isGone(otherwise: move)
        if isGone { move.runOnce() }
        return isGone
      }

      private func moveToQueue() {
        let identity = dated.add(work, at: timer.fireDate, every: timer.timeInterval)
        repetition.withLock { $0 = identity }
        // Whoever cancelled meanwhile had no repetition to end.
        if !work.isAlive { dated.remove(identity) }
      }

      func cancel() {
        // The subscriptions of later may be those of another connection.
        guard isCancelled.fire() else { return }
        publisher.forget(self)
        work.drop()
        move.withLock { $0 }?.drop()
        timer.invalidate()
        if let identity = repetition.withLock({ $0 }) { dated.remove(identity) }
        let sides = publisher.sides.withLock { sides in
          defer { sides = [] }
          return sides
        }
        for side in sides { side.cancel() }
      }
    }
  }
}

/// One subscriber's side of a timer.
private protocol DateReceiver: Subscription {
  func send(_ date: Date)
}

extension FeedLink: DateReceiver where Downstream.Input == Date {}
