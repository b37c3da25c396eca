// The one subscriber of all operators whose last value waits until it is asked for.

import WeirQueues

/// How such an operator asks its upstream for values.
@frozen
@usableFromInline
package enum DemandPolicy {
  /// It takes all there are, whatever is asked for downstream.
  case everything
  /// It takes all there are, and passes on what is asked for downstream besides.
  case everythingAndDemand
  /// It passes on what is asked for downstream, and keeps count of it.
  case demand
}

/// What an operator does when its upstream ends.
@frozen
@usableFromInline
package enum Conclusion<Output, Failure: Error> {
  /// End the stream at once.
  case now(Subscribers.Completion<Failure>)
  /// Deliver a last value, if there is one, and finish, as soon as there is demand.
  case due(Output?)
}

/// What an operator does whose last value waits until it is asked for.
///
/// To such an operator, a step's `last` and `finish` mean an end that waits too.
@usableFromInline
package protocol DuePolicy<Input, Output>: StepPolicy {
  /// How it asks for values.
  static var pull: DemandPolicy { get }

  /// What Combine's mirror shows as the result before the first value.
  var initial: Output? { get }

  /// Takes the upstream's end.
  func conclude(
    _ completion: Subscribers.Completion<UpstreamFailure>, _ carrier: some Carrier<Carry>
  ) -> Conclusion<Output, Failure>
}

extension DuePolicy {
  @inlinable @inline(__always)
  package var initial: Output? { nil }
}

/// A policy that makes one value of all of the upstream's; its `flush` is what they come to.
@usableFromInline
package protocol FoldPolicy<Input, Output>: DuePolicy, ThrowingPolicy {}

extension FoldPolicy {
  @inlinable @inline(__always)
  package static var pull: DemandPolicy { .everything }

  @inlinable @inline(__always)
  package func conclude(
    _ completion: Subscribers.Completion<Closure.UpstreamFailure>, _ carrier: some Carrier<Carry>
  ) -> Conclusion<Output, Closure.Failure> {
    switch completion {
    case .finished: .due(flush(carrier))
    case .failure(let failure): .now(.failure(Closure.convert(failure)))
    }
  }
}

/// Stands between a publisher and a subscriber, takes each value through a policy, and holds back the end of the stream
/// until there is demand for it.
///
/// The upstream is serial by contract, so what is carried needs no lock; where that contract may be broken and what is
/// carried could be freed twice, a turnstile tells. Signals before the subscription and after the end
/// are ignored.
@safe
@usableFromInline
package final class DueSubscriber<Policy: DuePolicy, Downstream: Subscriber>: Subscriber, Carrier,
  CustomStringConvertible, CustomReflectable, CustomPlaygroundDisplayConvertible
where Downstream.Input == Policy.Output, Downstream.Failure == Policy.Failure {
  @usableFromInline package typealias Input = Policy.Input
  @usableFromInline package typealias Failure = Policy.UpstreamFailure
  @usableFromInline package typealias Carry = Policy.Carry

  @usableFromInline let policy: Policy
  @usableFromInline let downstream: Downstream
  @usableFromInline let link: DueLink

  /// SAFETY (exclusivity): the upstream calls serially, which `turnstile` sees to where nobody else does; and no policy
  /// runs the user's code within a change of this.
  @safe @exclusivity(unchecked) @usableFromInline package var carry: Carry
  @usableFromInline let turnstile = Turnstile()

  /// The last value, once the stream is over.
  ///
  /// SAFETY (exclusivity): written by the one thread that ended the stream, before it offers the end to the link; read
  /// and emptied by the one that the link picks to deliver it.
  @safe @exclusivity(unchecked) @usableFromInline var lastValue: Policy.Output?

  @inlinable
  package init(_ policy: Policy, carrying carry: Carry, to downstream: Downstream) {
    self.policy = policy
    self.carry = carry
    self.downstream = downstream
    link = DueLink(name: Policy.name, forwardsDemand: Policy.pull != .everything)
  }

  @inlinable
  package func receive(subscription: any Subscription) {
    guard link.connect(subscription) else { return }
    if !_isPOD(Carry.self) { turnstile.trust(link) }
    downstream.receive(subscription: link)
    if Policy.pull != .demand { link.forward(.unlimited) }
  }

  /// Whether calls at once could free twice what is carried, and come from where nobody prevents them.
  @inlinable @inline(__always)
  var isWatched: Bool { !_isPOD(Carry.self) && turnstile.isWatched }

  @inlinable @inline(never)
  func watchedStep(_ input: Input) -> Step<Policy.Output, Policy.Failure> {
    turnstile.pass(Policy.name) { policy.step(input, self) }
  }

  @inlinable
  func flush() -> Policy.Output? {
    isWatched ? turnstile.pass(Policy.name) { policy.flush(self) } : policy.flush(self)
  }

  @inlinable @inline(__always)
  package func receive(_ input: Input) -> Subscribers.Demand {
    guard link.isConnected else { return .none }
    if Policy.pull == .demand, !link.takeDemand() { return .none }
    switch isWatched ? watchedStep(input) : policy.step(input, self) {
    case .emit(let output):
      let demand = downstream.receive(output)
      if Policy.pull == .demand, demand != .none { link.ledger.add(demand) }
      return demand
    case .skip: return .max(1)
    case .hold: return .none
    case .last(let output):
      if link.disconnect() { finish(output) }
      return .none
    case .finish:
      if link.disconnect() { finish(flush()) }
      return .none
    case .fail(let failure):
      if link.disconnect() { downstream.receive(completion: .failure(failure)) }
      return .none
    }
  }

  @inlinable
  package func receive(completion: Subscribers.Completion<Failure>) {
    guard link.complete() else { return }
    let conclusion =
      isWatched ? turnstile.pass(Policy.name) { policy.conclude(completion, self) } : policy.conclude(completion, self)
    switch conclusion {
    case .now(let completion): downstream.receive(completion: completion)
    case .due(let output): finish(output)
    }
  }

  /// Ends the stream as soon as there is demand. The caller ended the upstream, alone, so this happens once.
  @inlinable
  func finish(_ output: Policy.Output?) {
    lastValue = output
    link.deliverWhenAsked { self.deliver() }
  }

  @inlinable
  func deliver() {
    let output = lastValue
    lastValue = nil
    if let output { _ = downstream.receive(output) }
    downstream.receive(completion: .finished)
  }

  @usableFromInline package var description: String { "\(Policy.name)" }
  @usableFromInline package var playgroundDescription: Any { description }
  @usableFromInline package var customMirror: Mirror {
    guard Policy.showsDownstream else { return Mirror(of: self, children: policy.children(carry)) }
    let result = lastValue ?? policy.flush(self)
    return Mirror(
      of: self,
      children: [
        "downstream": downstream, "result": result as Any, "initial": policy.initial as Any, "status": link.status,
      ])
  }
}

extension DueSubscriber where Policy.Carry == Void {
  @inlinable
  package convenience init(_ policy: Policy, to downstream: Downstream) {
    self.init(policy, carrying: (), to: downstream)
  }
}

/// A subscription that knows what has been asked for, and to whose next request the end of the stream may be left.
///
/// Only while the end waits does it refer to the downstream.
@safe
@usableFromInline
package final class DueLink: UpstreamLink {
  @usableFromInline let ledger = DemandLedger()

  /// Delivers the end.
  ///
  /// SAFETY (exclusivity): belongs to the thread that ended the stream, until `ledger.park` hands it over, and then to
  /// the one request that unparks, or the one cancellation that finds the end parked.
  @safe @exclusivity(unchecked) @usableFromInline var deliverEnd: (() -> Void)?

  /// Creates a link.
  ///
  /// - Parameters:
  ///   - name: The operator's name.
  ///   - forwardsDemand: Whether the upstream is asked for what the downstream asks for.
  @inlinable
  package convenience init(name: StaticString, forwardsDemand: Bool) {
    self.init(
      name: name, scale: 1,
      onRequest: forwardsDemand
        ? { link, demand in
          let link = link.downcast(to: DueLink.self)
          if !link.note(demand) { link.forward(demand) }
        }
        : { link, demand in _ = link.downcast(to: DueLink.self).note(demand) },
      onCancel: { link in link.downcast(to: DueLink.self).abandon() })
  }

  /// Adds to what has been asked for, and delivers the end if it waits.
  ///
  /// - Returns: Whether the end waited.
  @inlinable
  func note(_ demand: Subscribers.Demand) -> Bool {
    demand.requireSome(name)
    guard ledger.add(demand) == DemandLedger.parked else { return false }
    if ledger.unpark() {
      let deliver = deliverEnd
      deliverEnd = nil
      deliver?()
    }
    return true
  }

  /// Takes the demand for one value.
  ///
  /// Traps where Combine traps: there must be some, as this operator keeps count.
  ///
  /// - Returns: `false` after a cancellation.
  @inlinable @inline(__always)
  func takeDemand() -> Bool {
    if ledger.take() { return true }
    precondition(
      ledger.isCancelled, "API violation: \(name) received a value that was not asked for\(CheckpointTrail.text)")
    return false
  }

  /// Delivers the end if anything has been asked for, or leaves that to the next request.
  ///
  /// - Parameter deliver: Delivers it; dropped after a cancellation.
  @inlinable
  func deliverWhenAsked(_ deliver: @escaping () -> Void) {
    deliverEnd = deliver
    let found = ledger.park()
    guard found != 0 else { return }
    deliverEnd = nil
    if found != DemandLedger.cancelled { deliver() }
  }

  @inlinable
  func abandon() {
    if ledger.cancel() == DemandLedger.parked { deliverEnd = nil }
    disconnect()
  }
}
