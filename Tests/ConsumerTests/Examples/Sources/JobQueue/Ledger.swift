// Which jobs a queue has taken and not done, and which of them are cancelled.

import Combine
import Foundation

/// Any thread may use it. Nothing is published under its lock.
final class Ledger: @unchecked Sendable {
  private let capacity: Int
  private let cancellations = PassthroughSubject<Int, Never>()

  private let lock = NSLock()
  private var pending: Set<Int> = []
  private var cancelled: Set<Int> = []
  /// How many threads have taken a job that they haven't sent yet.
  private var submitting = 0
  private var isShutDown = false

  init(capacity: Int) { self.capacity = capacity }

  /// Takes a job, which must be sent, and `added()` then be called.
  func add(_ job: Job) throws(Rejection) {
    let rejection: Rejection? = lock.withLock {
      if isShutDown { return .shutDown }
      if pending.count == capacity { return .full }
      pending.insert(job.id)
      submitting += 1
      return nil
    }
    if let rejection { throw rejection }
  }

  /// A job was sent.
  ///
  /// - Returns: Whether it was the last one.
  func added() -> Bool {
    lock.withLock {
      submitting -= 1
      return isShutDown && submitting == 0
    }
  }

  /// Takes no more jobs.
  ///
  /// - Returns: Whether none is going to be sent any more; otherwise `added()` will say so.
  func shutDown() -> Bool {
    lock.withLock {
      isShutDown = true
      return submitting == 0
    }
  }

  /// A job is through.
  func remove(_ job: Job) {
    lock.withLock {
      pending.remove(job.id)
      cancelled.remove(job.id)
    }
  }

  /// Cancels a job, if there is one.
  func cancel(_ id: Int) {
    let isNew = lock.withLock { pending.contains(id) && cancelled.insert(id).inserted }
    if isNew { cancellations.send(id) }
  }

  /// Sends when a job is cancelled, and at once if it is already.
  func cancellation(of job: Job) -> some Publisher<Int, Never> {
    // `merge` subscribes to the one and then to the other: no cancellation gets between them.
    cancellations.filter { $0 == job.id }
      .merge(with: Deferred { (self.isCancelled(job) ? [job.id] : []).publisher })
  }

  private func isCancelled(_ job: Job) -> Bool { lock.withLock { cancelled.contains(job.id) } }
}
