// Lanes that several threads fill and one place on a scheduler empties: the engine of ShardedSubject.

import WeirQueues

/// Takes the values of several senders, each in a lane of its own, to a scheduler, and delivers them there.
///
/// A sender adds its value to its lane and notes there that it has, by one exchange. Only if the lane had no note does
/// it tell who empties the lanes, by `news`. That one keeps a lane and its note for as long as it finds values in any
/// of the lanes, goes from one to the next, and takes so many from each: meanwhile senders touch nothing but their
/// lanes. When it has found nothing for a moment, it takes the notes away and looks once more. Of its exchange and a
/// sender's one is the second: it sees the value, or the sender finds no note and tells of its lane again. So it also
/// does with lanes that brought nothing while others filled a batch: senders that are gone cost nothing for long.
///
/// Who tells of a lane is counted from before it makes the note until it has told. Of several threads on one lane, one
/// may find another's note, go on, and end the stream, before the other has told of the lane: who empties the lanes
/// waits with the completion until nobody is about to tell.
///
/// Who brings the first news schedules a job; it has the role, and passes it on to a further job when it has delivered
/// a batch. So on concurrent schedulers, too, one thread at a time delivers.
@safe
@usableFromInline
package final class ShardedCore<Output, Failure: Error> {
  /// What senders tell.
  @frozen
  @usableFromInline
  enum News {
    case lane(ShardQueue<Output>)
    case completion(Subscribers.Completion<Failure>)
  }

  /// How many values a job delivers before it lets others of the scheduler run, and how many it takes from a lane
  /// before it looks at the next.
  #if WEIR_EXPLORER
    @usableFromInline static var batch: Int { 2 }
    @usableFromInline static var visit: Int { 2 }
  #else
    @usableFromInline static var batch: Int { 1024 }
    @usableFromInline static var visit: Int { 64 }
  #endif

  @usableFromInline let news = MPSCQueue<News>()
  /// Counts the news. Who raises it from zero schedules a job.
  @usableFromInline let work = WorkInProgress()
  @usableFromInline let schedule: (@escaping () -> Void) -> Void
  @usableFromInline let deliver: (Output) -> Void
  @usableFromInline let finish: (Subscribers.Completion<Failure>) -> Void
  /// Fires with the completion: what is sent behind it is dropped.
  @usableFromInline let ended = OneShot()
  // Senders read what is before, those that tell of a lane write the word between, and who has the role writes what is
  // behind.
  @usableFromInline let paddingBefore = CacheLinePadding()
  /// How many senders are telling of a lane.
  @usableFromInline let tellers = AtomicWord(0)
  @usableFromInline let paddingBehind = CacheLinePadding()

  // SAFETY (exclusivity): of who has the role.
  /// The lanes that have notes.
  @safe @exclusivity(unchecked) @usableFromInline var lanes: [ShardQueue<Output>] = []
  /// How many news were taken that are still counted.
  @safe @exclusivity(unchecked) @usableFromInline var taken = 0

  /// Creates an engine without lanes.
  ///
  /// - Parameters:
  ///   - schedule: Runs an action on the scheduler, which must run each that it gets.
  ///   - deliver: Gets each value, there.
  ///   - finish: Gets each completion, behind what was sent before it.
  @inlinable
  package init(
    schedule: @escaping (@escaping () -> Void) -> Void, deliver: @escaping (Output) -> Void,
    finish: @escaping (Subscribers.Completion<Failure>) -> Void
  ) {
    self.schedule = schedule
    self.deliver = deliver
    self.finish = finish
  }

  /// Ends the stream behind what was sent before, once. Any thread may call this.
  @inlinable
  package func send(completion: Subscribers.Completion<Failure>) {
    if ended.fire(), tell(.completion(completion)) { scheduleJob() }
  }

  /// Adds to the news.
  ///
  /// - Returns: Whether the caller has to schedule a job.
  @inlinable
  func tell(_ news: News) -> Bool {
    self.news.enqueue(news)
    return work.raise()
  }

  @inlinable
  func scheduleJob() { schedule { self.run() } }

  /// Delivers what there is, or a batch of it. For the job that has the role.
  @inlinable
  func run() {
    var left = Self.batch
    var wait = Backoff()
    while true {
      var rest = Backoff()
      repeat {
        let count = takeNews() + visitLanes()
        left -= count
        // The role goes to the further job: what was taken is still counted.
        if left <= 0 {
          leaveQuietLanes()
          return scheduleJob()
        }
        if count > 0 { (rest, wait) = (Backoff(), Backoff()) }
      } while rest.spin()
      leaveLanes()
      let count = taken
      taken = 0
      if work.settle(count) == 0 { return }
      // There are more, or there is one behind a sender that is about to add its own, and may not be running.
      if !wait.snooze() { nap() }
    }
  }

  /// Takes the notes of the lanes away, and delivers what came before that.
  @inlinable
  func leaveLanes() {
    for lane in lanes { leave(lane) }
    lanes.removeAll(keepingCapacity: true)
  }

  /// Does so with the lanes that have brought nothing since it was last called. What they bring later is told anew, and
  /// counts behind the news of this batch, as the role is kept.
  @inlinable
  func leaveQuietLanes() {
    var kept = 0
    for place in lanes.indices {
      let lane = lanes[place]
      if lane.isQuiet() {
        leave(lane)
      } else {
        lanes.swapAt(kept, place)
        kept += 1
      }
    }
    lanes.removeSubrange(kept...)
  }

  /// Takes the news that have come.
  ///
  /// - Returns: How many.
  @inlinable
  func takeNews() -> Int {
    let end = work.count.acquireLoad()
    var count = 0
    while taken < end, let next = news.dequeue() {
      taken += 1
      count += 1
      switch next {
      case .lane(let lane): lanes.append(lane)
      case .completion(let completion):
        count += takeLastNews()
        for lane in lanes { deliverAll(of: lane) }
        finish(completion)
      }
    }
    return count
  }

  /// Takes the news that were on their way when the stream was ended: behind it lie those of senders whose lane others
  /// have used since.
  ///
  /// - Returns: How many.
  @inlinable
  func takeLastNews() -> Int {
    var wait = Backoff()
    // Acquires what a sender that found another's note has that one tell (add in `tell`).
    while tellers.acquireLoad() != 0 {
      if !wait.snooze() { nap() }
    }
    var count = 0
    while case .lane(let lane) = news.dequeue() {
      lanes.append(lane)
      count += 1
    }
    taken += count
    return count
  }

  /// Delivers some values of each lane.
  ///
  /// - Returns: How many.
  @inlinable
  func visitLanes() -> Int {
    var count = 0
    for lane in lanes { count += lane.values.drain(atMost: Self.visit) { deliver($0) } }
    return count
  }

  /// Takes the note of a lane away, and delivers what came before that.
  @inlinable
  func leave(_ lane: ShardQueue<Output>) {
    lane.takeNote()
    deliverAll(of: lane)
  }

  /// Delivers all values that were sent on a lane by now, those of threads that are about to add one among them.
  @inlinable
  func deliverAll(of lane: ShardQueue<Output>) {
    let end = lane.values.end
    var wait = Backoff()
    while lane.values.position < end {
      if let value = lane.values.dequeue() {
        deliver(value)
      } else if !wait.snooze() {
        nap()
      }
    }
  }
}

// SAFETY: the role's; values go from thread to thread.
extension ShardedCore: @unchecked Sendable where Output: Sendable {}

/// A lane. Several threads may send on it, and share its order then.
///
/// It keeps the core, which keeps the lane's queue alone: where a scheduler lets go of a job, all goes with the subject
/// and the lanes.
@usableFromInline
package struct ShardLane<Output, Failure: Error> {
  @usableFromInline let core: ShardedCore<Output, Failure>
  @usableFromInline let queue: ShardQueue<Output>

  @inlinable
  package init(_ core: ShardedCore<Output, Failure>) {
    self.core = core
    queue = ShardQueue()
  }

  /// Sends a value behind those that were sent here before. Any thread may call this.
  @inlinable
  package func send(_ value: Output) {
    if core.ended.hasFired { return }
    queue.values.enqueue(value)
    // Releases the value (acquired in `takeNote`), or finds no note.
    if !queue.note.compareExchange(expected: 1, desired: 1).exchanged { tell() }
  }

  /// Makes a note, and tells of the lane if there was none.
  @inlinable
  func tell() {
    // Comes with the note to other senders on this lane (compareExchange in `send`), and so before their completion.
    _ = core.tellers.add(1)
    // Releases the value as in `send`.
    let isFirst = queue.note.exchange(1) == 0 && core.tell(.lane(queue))
    // Releases the news (acquired in `takeLastNews`). The job may run here, and wait for it.
    _ = core.tellers.add(-1)
    if isFirst { core.scheduleJob() }
  }
}

extension ShardLane: Sendable where Output: Sendable {}

/// What is sent on a lane: the values of one sender, in order.
@safe
@usableFromInline
package final class ShardQueue<Output> {
  @usableFromInline let values = MPSCQueue<Output>()
  // Written with each value, and alone on its lines: those of other lanes are other senders'.
  @usableFromInline let paddingBefore = CacheLinePadding()
  /// 1 if who empties the lanes knows of values here.
  @usableFromInline let note = AtomicWord(0)
  @usableFromInline let paddingBehind = CacheLinePadding()
  /// How far the values had been taken when `isQuiet` was last asked. SAFETY (exclusivity): of who has the role.
  @safe @exclusivity(unchecked) @usableFromInline var seen = 0

  @inlinable
  init() {}

  /// Whether nothing has been taken since this was last asked, and nothing is there. For who has the role.
  @inlinable
  func isQuiet() -> Bool {
    defer { seen = values.position }
    return values.position == seen && values.isEmpty
  }

  /// Takes the note away: for values that come later it is made anew. For who has the role.
  @inlinable
  func takeNote() { _ = note.exchange(0) }
}

// SAFETY: a queue and a word that threads share; values go from thread to thread.
extension ShardQueue: @unchecked Sendable where Output: Sendable {}
