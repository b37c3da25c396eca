// The one subscriber of all operators that carry something from value to value.

/// What a stateful operator does with a value, given what it carries.
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
  associatedtype Carry

  /// The operator's name, as Combine shows it.
  static var name: StaticString { get }

  /// Whether `step` runs code of the user's, which may come back to the same operator before it returns.
  ///
  /// The engine then works on a copy of what is carried. Where it doesn't, `step` changes it in place.
  static var callsUserCode: Bool { get }

  /// Whether the operator forwards blindly, as Combine's simplest ones do: the upstream's subscription goes straight to the
  /// downstream, and signals after the end are passed on too.
  static var isTransparent: Bool { get }

  /// Values of the upstream for one of the downstream.
  var scale: Int { get }

  /// Takes a value.
  ///
  /// - Parameters:
  ///   - input: The value.
  ///   - carry: What is carried.
  /// - Returns: What to do next.
  func step(_ input: Input, _ carry: inout Carry) -> Step<Output, Failure>

  /// Takes the end of the upstream.
  ///
  /// - Parameter carry: What is carried.
  /// - Returns: A last value to deliver before the downstream finishes, if there is one.
  func flush(_ carry: inout Carry) -> Output?

  /// Converts the upstream's error.
  func convert(_ failure: UpstreamFailure) -> Failure
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

extension Stage {
  @inlinable @inline(__always)
  package static var isTransparent: Bool { false }

  @inlinable @inline(__always)
  package var scale: Int { 1 }

  @inlinable @inline(__always)
  package func flush(_ carry: inout Carry) -> Output? { nil }
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
/// The upstream is serial by contract, so what is carried needs no lock. After the end, from whichever side, nothing is
/// passed on any more, unless the stage is transparent.
@safe
@usableFromInline
package final class StageSubscriber<Rule: Stage, Downstream: Subscriber>: Subscriber, CustomStringConvertible,
  CustomReflectable, CustomPlaygroundDisplayConvertible
where Downstream.Input == Rule.Output, Downstream.Failure == Rule.Failure {
  @usableFromInline package typealias Input = Rule.Input
  @usableFromInline package typealias Failure = Rule.UpstreamFailure

  @usableFromInline let rule: Rule
  @usableFromInline let downstream: Downstream
  /// The downstream's subscription; none where the stage is transparent.
  @usableFromInline let link: UpstreamLink?

  /// SAFETY (exclusivity): the upstream calls serially; a stage that runs user code works on a copy.
  @safe @exclusivity(unchecked) @usableFromInline var carry: Rule.Carry

  @inlinable
  package init(_ rule: Rule, carrying carry: Rule.Carry, to downstream: Downstream) {
    self.rule = rule
    self.carry = carry
    self.downstream = downstream
    link = Rule.isTransparent ? nil : UpstreamLink(name: Rule.name, scale: rule.scale)
  }

  @inlinable
  package func receive(subscription: any Subscription) {
    guard let link else { return downstream.receive(subscription: subscription) }
    if link.connect(subscription) { downstream.receive(subscription: link) }
  }

  @inlinable @inline(__always)
  package func receive(_ input: Input) -> Subscribers.Demand {
    if let link, !link.isConnected { return .none }
    switch step(input) {
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

  @inlinable @inline(__always)
  func step(_ input: Input) -> Step<Rule.Output, Rule.Failure> {
    guard Rule.callsUserCode else { return rule.step(input, &carry) }
    var copy = carry
    let step = rule.step(input, &copy)
    carry = copy
    return step
  }

  @inlinable
  package func receive(completion: Subscribers.Completion<Failure>) {
    guard link?.complete() ?? true else { return }
    switch completion {
    case .finished:
      if let last = rule.flush(&carry) { _ = downstream.receive(last) }
      downstream.receive(completion: .finished)
    case .failure(let failure):
      downstream.receive(completion: .failure(rule.convert(failure)))
    }
  }

  @usableFromInline package var description: String { "\(Rule.name)" }
  @usableFromInline package var playgroundDescription: Any { description }
  @usableFromInline package var customMirror: Mirror { Mirror(self, children: ["downstream": downstream]) }
}
