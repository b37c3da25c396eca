// Schedulers that drop jobs without running them, as an operation queue does whose operations are cancelled.

import WeirQueues

/// What a job that may be dropped does, or leaves out.
@usableFromInline
package protocol DroppableWork: AnyObject {
  /// Does the next pieces of work.
  ///
  /// - Parameter pieces: As many as a job is for; none for a job that does what there is.
  func runJob(_ pieces: Range<Int>)

  /// Leaves out what a job was for that won't run.
  ///
  /// - Parameter pieces: The numbers of the pieces; none for a job that was to do what there is.
  func dropJob(_ pieces: Range<Int>)
}

/// A job on a scheduler that may drop it. What it was for is left out then, as if the job had carried it.
///
/// The scheduler's closure holds the job alone: whoever lets go of the closure without having run it drops the job.
@usableFromInline
package final class DroppableJob<Work: DroppableWork> {
  @usableFromInline let work: Work
  @usableFromInline let pieces: Range<Int>
  @usableFromInline let hasRun = OneShot()

  @inlinable
  init(_ work: Work, _ pieces: Range<Int>) {
    self.work = work
    self.pieces = pieces
  }

  @inlinable
  deinit {
    if !hasRun.hasFired { work.dropJob(pieces) }
  }

  /// Does the work, once.
  @inlinable
  func run() {
    if hasRun.fire() { work.runJob(pieces) }
  }
}

/// Whose work waits in a queue, and is done by jobs of a scheduler.
@usableFromInline
package protocol JobOwner: DroppableWork {
  /// Where the jobs run.
  associatedtype Context: Scheduler
  /// What waits in the queue.
  associatedtype Piece

  /// Where the jobs run.
  var scheduler: Context { get }
  /// The jobs' options.
  var options: Context.SchedulerOptions? { get }
  /// Where the pieces wait whose jobs may be dropped; `nil` if no job is ever dropped.
  var droppable: DroppableQueue<Piece>? { get }

  /// Leaves out what there is. Only for who has the role.
  func leaveOutAll()
}

extension JobOwner {
  /// Schedules a job that does what there is.
  ///
  /// - Returns: `false` if the scheduler is closed, and refuses the job. One that may not be refused is let go of then.
  @inlinable @discardableResult
  func scheduleJob(mayBeRefused: Bool = false) -> Bool {
    if mayBeRefused { return scheduler.scheduleUnlessClosed(options: options) { self.runJob(0..<0) } }
    if droppable != nil {
      scheduleDroppableJob(0..<0)
    } else {
      scheduler.schedule(options: options) { self.runJob(0..<0) }
    }
    return true
  }

  /// Schedules a job that may be dropped.
  ///
  /// - Parameter pieces: The numbers of the pieces that are left out then.
  @inlinable
  func scheduleDroppableJob(_ pieces: Range<Int>) {
    let job = DroppableJob(self, pieces)
    scheduler.schedule(options: options) { job.run() }
  }

  /// Leaves out what a job was for that won't run. Where other jobs have done that already, what these were for still
  /// waits, and gets a job.
  @inlinable
  package func dropJob(_ pieces: Range<Int>) {
    if pieces.isEmpty {
      leaveOutAll()
    } else if let droppable {
      for number in droppable.drop(pieces) { scheduleDroppableJob(number..<number + 1) }
    }
  }
}

/// A queue of pieces of work whose jobs may be dropped: what a dropped job was for leaves the queue at once. Any thread
/// may use it.
@usableFromInline
package final class DroppableQueue<Piece> {
  @usableFromInline
  struct State {
    /// The pieces in the queue, by their numbers, which count from 0.
    @usableFromInline var pieces: [Int: Piece] = [:]
    /// The number of the next piece to come.
    @usableFromInline var end = 0
    /// A number that no piece in the queue is below.
    @usableFromInline var start = 0

    @inlinable
    init() {}

    @inlinable
    mutating func popFirst() -> Piece? {
      while start < end {
        start += 1
        if let piece = pieces.removeValue(forKey: start - 1) { return piece }
      }
      return nil
    }

    /// The numbers of the first pieces in the queue.
    @inlinable
    mutating func firstNumbers(_ count: Int) -> [Int] {
      while start < end, pieces[start] == nil { start += 1 }
      var numbers: [Int] = []
      var number = start
      while number < end, numbers.count < count {
        if pieces[number] != nil { numbers.append(number) }
        number += 1
      }
      return numbers
    }
  }

  @usableFromInline let state = Lock(State())

  @inlinable
  init() {}

  /// How many pieces have left the queue.
  @inlinable
  package var goneCount: Int { state.withLock { $0.end - $0.pieces.count } }

  /// Puts a piece at the end.
  ///
  /// - Returns: Its number.
  @inlinable
  func append(_ piece: Piece) -> Int {
    state.withLock { state in
      state.pieces[state.end] = piece
      state.end += 1
      return state.end - 1
    }
  }

  /// Takes the first piece.
  @inlinable
  func popFirst() -> Piece? { state.withLock { $0.popFirst() } }

  /// Leaves pieces out, but those that have left the queue already.
  ///
  /// - Returns: The numbers of the first pieces that still wait: as many as had left already, if there are so many.
  @inlinable
  func drop(_ numbers: Range<Int>) -> [Int] {
    var leftOut: [Piece] = []
    let waiting = state.withLock { state in
      for number in numbers { if let piece = state.pieces.removeValue(forKey: number) { leftOut.append(piece) } }
      return state.firstNumbers(numbers.count - leftOut.count)
    }
    // Freed after the lock: the `deinit` of a value may be user code.
    withExtendedLifetime(leftOut) {}
    return waiting
  }
}
