// The one subscriber of all operators that carry something from value to value, or that may end the stream themselves.

/// What an operator does with a value, given what it carries.
@usableFromInline
package protocol StepPolicy<Input, Output> {
  /// The kind of values that come in.
  associatedtype Input
  /// The kind of values that go out.
  associatedtype Output
  /// The kind of error that comes in.
  associatedtype UpstreamFailure: Error
  /// The kind of error that goes out.
  associatedtype Failure: Error
  /// What is carried from value to value.
  associatedtype Carry = Void

  /// The operator's name, as Combine shows it.
  static var name: StaticString { get }

  /// Whether Combine's mirror of the operator shows its downstream.
  static var showsDownstream: Bool { get }

  /// Takes a value.
  ///
  /// A policy never passes what is carried `inout` to the user's code, which may come back to the same operator before
  /// it returns, and be given the next value then: it reads, calls, writes.
  ///
  /// - Parameters:
  ///   - input: The value.
  ///   - carrier: Holds what is carried.
  /// - Returns: What to do next.
  func step(_ input: Input, _ carrier: some Carrier<Carry>) -> Step<Output, Failure>

  /// Takes the end of the stream, unless that is an error.
  ///
  /// - Parameter carrier: Holds what is carried.
  /// - Returns: A last value to deliver before the downstream finishes, if there is one.
  func flush(_ carrier: some Carrier<Carry>) -> Output?

  /// What is carried, for mirrors.
  func children(_ carry: Carry) -> [Mirror.Child]
}

/// What an operator does with its upstream's error.
@usableFromInline
package protocol FailureConverter {
  /// The kind of error that comes in.
  associatedtype UpstreamFailure: Error
  /// The kind of error that goes out.
  associatedtype Failure: Error

  /// Converts the upstream's error.
  func convert(_ failure: UpstreamFailure) -> Failure
}

/// What an operator does that passes a value on, or ends the stream, at once.
@usableFromInline
package protocol StagePolicy<Input, Output>: StepPolicy, FailureConverter {
  /// What the operator does with signals outside its subscription's life.
  static var strays: Strays { get }

  /// Whether it treats signals before its subscription like those after, unlike what `strays` says.
  static var takesEarlySignals: Bool { get }

  /// Whether being asked for no value at all is a mistake.
  static var refusesNone: Bool { get }

  /// Whether demand in return for a value is asked for by a request.
  static var requestsWhatIsReturned: Bool { get }

  /// What Combine's mirror shows of the subscription.
  static var shownLife: ShownLife { get }

  /// Values of the upstream for one of the downstream.
  var scale: Int { get }
}

/// What a mirror shows of a subscription.
@frozen
@usableFromInline
package enum ShownLife {
  case nothing, status, upstream
}

/// Holds what a policy carries from value to value.
@usableFromInline
package protocol Carrier<Carry>: AnyObject {
  /// The kind of what is carried.
  associatedtype Carry
  /// What is carried.
  var carry: Carry { get set }
}

/// What a policy does with a value.
@frozen
@usableFromInline
package enum Step<Output, Failure: Error> {
  /// Pass a value on.
  case emit(Output)
  /// Drop the value and ask for another instead.
  case skip
  /// Keep the value; the demand it used up was asked for on its account.
  case hold
  /// Pass a value on and end the stream.
  case last(Output)
  /// End the stream, as if the upstream had finished.
  case finish
  /// End the stream with an error.
  case fail(Failure)
}

/// What an operator does with signals that come before its subscription or after its end.
///
/// Only a publisher that breaks its contract sends such signals; this is where Combine's operators differ.
@frozen
@usableFromInline
package enum Strays {
  /// It has no subscription of its own and passes on all of them, the upstream's subscriptions too.
  case transparent
  /// It passes on values and nothing else.
  case passesValues
  /// It passes on completions and nothing else.
  case passesCompletions
  /// It ignores them after the end, and traps before the subscription.
  case refuses
  /// It ignores them.
  case ignores

  @inlinable @inline(__always) var areValuesPassed: Bool { self == .transparent || self == .passesValues }
  @inlinable @inline(__always) var areCompletionsPassed: Bool { self == .transparent || self == .passesCompletions }
  /// Whether such an operator also traps when it is asked for no value.
  @inlinable @inline(__always) var isNoneRefused: Bool { self == .refuses || self == .passesCompletions }
}

extension StepPolicy {
  @inlinable @inline(__always)
  package static var showsDownstream: Bool { true }

  @inlinable @inline(__always)
  package func flush(_ carrier: some Carrier<Carry>) -> Output? { nil }

  @usableFromInline
  package func children(_ carry: Carry) -> [Mirror.Child] { [] }
}

extension StagePolicy {
  @inlinable @inline(__always)
  package static var takesEarlySignals: Bool { false }

  @inlinable @inline(__always)
  package static var refusesNone: Bool { strays.isNoneRefused }

  @inlinable @inline(__always)
  package static var requestsWhatIsReturned: Bool { false }

  @inlinable @inline(__always)
  package static var shownLife: ShownLife { .nothing }

  @inlinable @inline(__always)
  package var scale: Int { 1 }
}

extension FailureConverter where UpstreamFailure == Failure {
  @inlinable @inline(__always)
  package func convert(_ failure: UpstreamFailure) -> Failure { failure }
}

extension FailureConverter where Failure == any Error {
  @inlinable @inline(__always)
  package func convert(_ failure: UpstreamFailure) -> any Error { failure }
}

/// Stands between a publisher and a subscriber and takes each value through a policy.
///
/// The upstream is serial by contract, so what is carried needs no lock; where that contract may be broken and what is
/// carried could be freed twice, a turnstile tells. Whatever strays are passed on: the operator's own error and its
/// last value are delivered at most once, and only while it is subscribed.
@safe
@usableFromInline
package final class StageSubscriber<Policy: StagePolicy, Downstream: Subscriber>: Subscriber, Carrier,
  CustomStringConvertible, CustomReflectable, CustomPlaygroundDisplayConvertible
where Downstream.Input == Policy.Output, Downstream.Failure == Policy.Failure {
  @usableFromInline package typealias Input = Policy.Input
  @usableFromInline package typealias Failure = Policy.UpstreamFailure
  @usableFromInline package typealias Carry = Policy.Carry

  @usableFromInline let policy: Policy
  @usableFromInline let downstream: Downstream
  /// The downstream's subscription; none where the policy is transparent.
  @usableFromInline let link: UpstreamLink?

  /// SAFETY (exclusivity): the upstream calls serially, which `turnstile` sees to where nobody else does; and no policy
  /// runs the user's code within a change of this.
  @safe @exclusivity(unchecked) @usableFromInline package var carry: Carry
  @usableFromInline let turnstile = Turnstile()

  @inlinable
  package init(_ policy: Policy, carrying carry: Carry, to downstream: Downstream) {
    self.policy = policy
    self.carry = carry
    self.downstream = downstream
    link =
      Policy.strays == .transparent
      ? nil : UpstreamLink(name: Policy.name, scale: policy.scale, refusesNone: Policy.refusesNone)
  }

  @inlinable
  package func receive(subscription: any Subscription) {
    guard let link else {
      if !_isPOD(Carry.self) { turnstile.trust(subscription) }
      return downstream.receive(subscription: subscription)
    }
    guard link.connect(subscription) else { return }
    if !_isPOD(Carry.self) { turnstile.trust(link) }
    downstream.receive(subscription: link)
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
    if !Policy.strays.areValuesPassed, Policy.takesEarlySignals ? link?.isOver == true : link?.isConnected == false {
      refuseStray()
      return .none
    }
    switch isWatched ? watchedStep(input) : policy.step(input, self) {
    case .emit(let output):
      let demand = downstream.receive(output)
      if Policy.requestsWhatIsReturned {
        if demand != .none { link?.request(demand) }
        return .none
      }
      return policy.scale == 1 ? demand : demand * policy.scale
    case .skip: return .max(1)
    case .hold: return .none
    case .last(let output):
      let demand = downstream.receive(output)
      finish()
      return demand
    case .finish:
      finish()
      return .none
    case .fail(let failure):
      if disconnect() { downstream.receive(completion: .failure(failure)) }
      return .none
    }
  }

  /// Ends the stream from the operator itself, once; not before there is a subscription.
  @inlinable
  func finish() {
    guard link?.isConnected != false, disconnect() else { return }
    if let last = flush() { _ = downstream.receive(last) }
    downstream.receive(completion: .finished)
  }

  @inlinable
  func disconnect() -> Bool {
    guard let link else { return true }
    return Policy.takesEarlySignals ? link.endAtAnyTime(cancelling: true) : link.disconnect()
  }

  @inlinable
  func complete() -> Bool {
    guard let link else { return true }
    return Policy.takesEarlySignals ? link.endAtAnyTime(cancelling: false) : link.complete()
  }

  @inlinable
  package func receive(completion: Subscribers.Completion<Failure>) {
    let isOwnEnd = complete()
    guard isOwnEnd || Policy.strays.areCompletionsPassed else { return refuseStray() }
    switch completion {
    case .finished:
      if isOwnEnd, let last = flush() { _ = downstream.receive(last) }
      downstream.receive(completion: .finished)
    case .failure(let failure):
      downstream.receive(completion: .failure(policy.convert(failure)))
    }
  }

  @inlinable @inline(never)
  func refuseStray() {
    if Policy.strays == .refuses { link?.requireSubscribed() }
  }

  /// What Combine shows of the life of operators that take early signals.
  @usableFromInline
  func children(_ link: UpstreamLink) -> [Mirror.Child] {
    guard Policy.takesEarlySignals else { return [] }
    return [("finished", link.isOver), ("upstreamSubscription", link.upstream as Any)]
  }

  /// What Combine shows of the subscription before what is carried.
  @usableFromInline
  var life: [Mirror.Child] {
    switch Policy.shownLife {
    case .nothing: []
    case .status: [("status", link?.status as Any)]
    case .upstream: [("upstreamSubscription", link?.upstream as Any)]
    }
  }

  @usableFromInline package var description: String { "\(Policy.name)" }
  @usableFromInline package var playgroundDescription: Any { description }
  @usableFromInline package var customMirror: Mirror {
    let shown: [Mirror.Child] = Policy.showsDownstream ? [("downstream", downstream)] : []
    return Mirror(of: self, children: shown + life + policy.children(carry) + (link.map(children) ?? []))
  }
}

extension StageSubscriber where Policy.Carry == Void {
  @inlinable
  package convenience init(_ policy: Policy, to downstream: Downstream) {
    self.init(policy, carrying: (), to: downstream)
  }
}

extension UpstreamLink {
  /// Whether the stream has ended, at some time before now.
  @inlinable @inline(__always)
  final var isOver: Bool { slot.state.isOver }

  /// Ends the stream from the operator itself, also before there was a subscription.
  ///
  /// - Parameter cancelling: Whether the upstream is cancelled.
  /// - Returns: Whether this call ended it.
  @inlinable
  final func endAtAnyTime(cancelling: Bool) -> Bool {
    switch slot.state.end() {
    case .awaiting, .activating: return true
    case .over: return false
    case .active:
      if cancelling { slot.withLink { $0.cancel() } }
      slot.endUse()
      return true
    }
  }
}
