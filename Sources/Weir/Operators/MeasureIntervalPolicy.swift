// What measureInterval does with values: it measures the time between them.

/// Makes each value the time since the one before, or since the subscription.
@safe
@usableFromInline
package final class MeasureIntervalPolicy<Context: Scheduler, Input>: LinkedPolicy {
  @usableFromInline package typealias Output = Context.SchedulerTimeType.Stride

  @usableFromInline let scheduler: Context

  /// SAFETY (exclusivity): the upstream calls serially, and no code of the user's runs within a change of this.
  @safe @exclusivity(unchecked) @usableFromInline var last: Context.SchedulerTimeType?

  @inlinable
  package init(_ scheduler: Context) { self.scheduler = scheduler }

  @inlinable
  package func begin() {
    let now = scheduler.now
    last = now
  }

  /// Asks the upstream for the downstream's further demand rather than returning it, as Combine does.
  @inlinable
  package func relay<Downstream: Subscriber>(
    _ input: Input, _ link: UpstreamLink, to downstream: Downstream
  ) -> Subscribers.Demand where Downstream.Input == Output {
    let now = scheduler.now
    guard let last else { return .none }
    self.last = now
    let more = downstream.receive(last.distance(to: now))
    if more != .none { link.forward(more) }
    return .none
  }
}
