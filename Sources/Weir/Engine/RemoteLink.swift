// A subscription whose demand and cancellation travel to the upstream on a scheduler: the engine of subscribe(on:).

import WeirQueues

/// Asks and cancels an upstream on a scheduler.
///
/// What the downstream wants is left in a gate, from any thread. Whoever finds the gate free schedules the job that does
/// what has been left, and the gate stays closed until that job finds nothing more: so there is one job in flight, and
/// the order holds on concurrent schedulers too.
@usableFromInline
package final class RemoteLink<Context: Scheduler>: UpstreamLink {
  @frozen
  @usableFromInline
  enum Errand {
    case request(Subscribers.Demand)
    case cancel
  }

  @usableFromInline let errands = Gate<Errand>()
  @usableFromInline let cancelled = OneShot()
  /// The thread on which the job runs just now; only compared with the reader's own identity.
  @usableFromInline let runner = AtomicWord(0)
  @usableFromInline let scheduler: Context
  @usableFromInline let options: Context.SchedulerOptions?

  @inlinable
  init(scheduler: Context, options: Context.SchedulerOptions?, name: StaticString) {
    self.scheduler = scheduler
    self.options = options
    super.init(
      name: name,
      // SAFETY: the link passed in is the one that holds these closures.
      onRequest: { link, demand in unsafe unsafeDowncast(link, to: RemoteLink.self).ask(demand) },
      onCancel: { link in unsafe unsafeDowncast(link, to: RemoteLink.self).end() })
  }

  /// Whether this thread runs the job, further up its stack: it is where errands are done.
  @inlinable
  var isRunningHere: Bool { runner.relaxedLoad() == currentThreadIdentity() }

  @inlinable
  func ask(_ demand: Subscribers.Demand) {
    if isConnected, !cancelled.hasFired { send(.request(demand)) }
  }

  /// Within the job the upstream is cancelled at once: a request that is still being served may never end otherwise.
  @inlinable
  func end() {
    guard isConnected, cancelled.fire() else { return }
    if isRunningHere { disconnect() } else { send(.cancel) }
  }

  @inlinable
  func send(_ errand: Errand) {
    if errands.handOver(errand) { scheduler.schedule(options: options) { self.run() } }
  }

  @inlinable
  func run() {
    repeat {
      runner.relaxedStore(currentThreadIdentity())
      errands.takeHandedOver { errand in
        switch errand {
        case .request(let demand): forward(demand)
        case .cancel: disconnect()
        }
      }
      runner.relaxedStore(0)
    } while !errands.leave()
  }

  @usableFromInline
  package override var customMirror: Mirror { Mirror(self, children: EmptyCollection()) }
}

/// Passes values on until the downstream cancels, which the upstream learns later.
@usableFromInline
package struct RemoteRule<Context: Scheduler, Value>: LinkedRule {
  @usableFromInline package typealias Input = Value
  @usableFromInline package typealias Output = Value

  @usableFromInline let link: RemoteLink<Context>

  @inlinable
  init(_ link: RemoteLink<Context>) { self.link = link }

  @inlinable package var isCut: Bool { link.cancelled.hasFired }

  @inlinable
  package func refuse() {
    if link.isRunningHere { link.disconnect() }
  }

  @inlinable
  package func relay<Downstream: Subscriber>(
    _ input: Value, _ link: UpstreamLink, to downstream: Downstream
  ) -> Subscribers.Demand where Downstream.Input == Value { downstream.receive(input) }
}
