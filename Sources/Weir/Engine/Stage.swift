// The one subscriber of all operators that carry something from value to value, or that may end the stream themselves.

/// What an operator does with a value, given what it carries.
@usableFromInline
package protocol Stage<Input, Output> {
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

  /// What the operator does with signals outside its subscription's life.
  static var strays: Strays { get }

  /// Values of the upstream for one of the downstream.
  var scale: Int { get }

  /// Takes a value.
  ///
  /// A stage never passes what is carried `inout` to the user's code, which may come back to the same operator before it
  /// returns, and be given the next value then: it reads, calls, writes.
  ///
  /// - Parameters:
  ///   - input: The value.
  ///   - carrier: Holds what is carried.
  /// - Returns: What to do next.
  func step(_ input: Input, _ carrier: some StageCarrier<Carry>) -> Step<Output, Failure>

  /// Takes the end of the upstream.
  ///
  /// - Parameter carrier: Holds what is carried.
  /// - Returns: A last value to deliver before the downstream finishes, if there is one.
  func flush(_ carrier: some StageCarrier<Carry>) -> Output?

  /// Converts the upstream's error.
  func convert(_ failure: UpstreamFailure) -> Failure

  /// What is carried, for mirrors.
  func children(_ carry: Carry) -> [Mirror.Child]
}

/// Holds what a stage carries from value to value.
@usableFromInline
package protocol StageCarrier<Carry>: AnyObject {
  /// The kind of what is carried.
  associatedtype Carry
  /// What is carried.
  var carry: Carry { get set }
}

/// What a stage does with a value.
@frozen
@usableFromInline
package enum Step<Output, Failure: Error> {
  /// Pass a value on.
  case emit(Output)
  /// Drop the value and ask for another instead.
  case skip
  /// Keep the value; the demand it used up was asked for on its account.
  case hold
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

extension Stage {
  @inlinable @inline(__always)
  package var scale: Int { 1 }

  @inlinable @inline(__always)
  package func flush(_ carrier: some StageCarrier<Carry>) -> Output? { nil }

  @usableFromInline
  package func children(_ carry: Carry) -> [Mirror.Child] { [] }
}

extension Stage where UpstreamFailure == Failure {
  @inlinable @inline(__always)
  package func convert(_ failure: UpstreamFailure) -> Failure { failure }
}

extension Stage where Failure == any Error {
  @inlinable @inline(__always)
  package func convert(_ failure: UpstreamFailure) -> any Error { failure }
}

/// Stands between a publisher and a subscriber and takes each value through a stage.
///
/// The upstream is serial by contract, so what is carried needs no lock. Whatever strays are passed on: the operator's own
/// error and its last value are delivered at most once, and only while it is subscribed.
@safe
@usableFromInline
package final class StageSubscriber<Rule: Stage, Downstream: Subscriber>: Subscriber, StageCarrier,
  CustomStringConvertible, CustomReflectable, CustomPlaygroundDisplayConvertible
where Downstream.Input == Rule.Output, Downstream.Failure == Rule.Failure {
  @usableFromInline package typealias Input = Rule.Input
  @usableFromInline package typealias Failure = Rule.UpstreamFailure
  @usableFromInline package typealias Carry = Rule.Carry

  @usableFromInline let rule: Rule
  @usableFromInline let downstream: Downstream
  /// The downstream's subscription; none where the stage is transparent.
  @usableFromInline let link: UpstreamLink?

  /// SAFETY (exclusivity): the upstream calls serially, and no stage runs the user's code within a change of this.
  @safe @exclusivity(unchecked) @usableFromInline package var carry: Carry

  @inlinable
  package init(_ rule: Rule, carrying carry: Carry, to downstream: Downstream) {
    self.rule = rule
    self.carry = carry
    self.downstream = downstream
    link =
      Rule.strays == .transparent
      ? nil : UpstreamLink(name: Rule.name, scale: rule.scale, refusesNone: Rule.strays.isNoneRefused)
  }

  @inlinable
  package func receive(subscription: any Subscription) {
    guard let link else { return downstream.receive(subscription: subscription) }
    if link.connect(subscription) { downstream.receive(subscription: link) }
  }

  @inlinable @inline(__always)
  package func receive(_ input: Input) -> Subscribers.Demand {
    if !Rule.strays.areValuesPassed, link?.isConnected == false {
      refuseStray()
      return .none
    }
    switch rule.step(input, self) {
    case .emit(let output):
      let demand = downstream.receive(output)
      return rule.scale == 1 ? demand : demand * rule.scale
    case .skip: return .max(1)
    case .hold: return .none
    case .fail(let failure):
      if link?.disconnect() ?? true { downstream.receive(completion: .failure(failure)) }
      return .none
    }
  }

  @inlinable
  package func receive(completion: Subscribers.Completion<Failure>) {
    let isOwnEnd = link?.complete() ?? true
    guard isOwnEnd || Rule.strays.areCompletionsPassed else { return refuseStray() }
    switch completion {
    case .finished:
      if isOwnEnd, let last = rule.flush(self) { _ = downstream.receive(last) }
      downstream.receive(completion: .finished)
    case .failure(let failure):
      downstream.receive(completion: .failure(rule.convert(failure)))
    }
  }

  @inlinable @inline(never)
  func refuseStray() {
    if Rule.strays == .refuses { link?.requireSubscribed() }
  }

  @usableFromInline package var description: String { "\(Rule.name)" }
  @usableFromInline package var playgroundDescription: Any { description }
  @usableFromInline package var customMirror: Mirror {
    Mirror(self, children: [("downstream", downstream)] + rule.children(carry))
  }
}

extension StageSubscriber where Rule.Carry == Void {
  @inlinable
  package convenience init(_ rule: Rule, to downstream: Downstream) { self.init(rule, carrying: (), to: downstream) }
}
