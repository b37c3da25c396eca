// A model whose parts depend on each other by rules that it states itself.

public import Weir

/// A model that keeps itself consistent.
///
/// A ``ManagedState`` applies the rules after each change, before anybody learns of it:
///
///     struct Counter: BehavioralStateContract {
///       var count = 0
///       var text = ""
///       var isOdd = false
///       mutating func applyRules() { isOdd = count % 2 != 0 }
///     }
///
/// All requirements have an implementation that does nothing. `applyAnyRules` comes in two forms, as CombineExt has had
/// both; implement either.
public protocol BehavioralStateContract: Equatable {
  /// Publishes the changes that binding rules may react to.
  typealias RulesPublisher = AnyPublisher<DiffedValue<Self>, Never>

  /// Brings parts of the model into line with others. Runs again until a round of all rules leaves the model as it
  /// found it, or as often as ``ManagedStateCyclicDependencyMaxDepth`` allows.
  mutating func applyRules()

  /// Subscribes rules that react to changes and write into the diffs that they get.
  ///
  /// They may write into other states, which may write into this one, and send into subjects, also where a subscriber
  /// writes into this state. They may stand behind what lets one thread in at a time, as subjects, `share`,
  /// `multicast`, `buffer` and operators that join streams do. Where threads would wait for each other there, one of
  /// them leaves what it sends to another one, which delivers it when its own call is over. A rule behind that gets its
  /// diff late then, and what it writes is a change of its own, behind this one. Where two states' rules write into
  /// each other on several threads, those behind `receive(on:)` or `delay` with a scheduler that runs at once, or that
  /// write inside the closures of `scan`, `removeDuplicates` or `reduce`, stop the program with a message: write in a
  /// rule that takes the diff itself. What else a rule waits for, as a lock of yours, nobody looks after. And a rule
  /// that writes into a state which writes back takes a diff: where it has the value `inout`, that write stops the
  /// program.
  ///
  /// - Parameter state: Publishes first the first value, or, to a rule that asks later, the value as it is then, as a
  ///   diff without `old`; then the diff of each round in which a change is computed. Behind a round that rules have
  ///   changed the value in, and behind the first value, there is another one. Its diff begins with what that round
  ///   found, so that a rule hears of what rules behind it wrote there, and of what had changed before it ran once
  ///   more: do not count in a rule. Where other changes within it have shown values to rules, as one that a rule makes
  ///   of its own state, one round more begins with what they left, which is overwritten: see
  ///   ``DiffedValue/hasChanged(keyPath:)``.
  /// - Returns: The subscriptions; they live as long as the state.
  @SubscriptionBuilder
  static func applyBindingRules(to state: RulesPublisher) -> [AnyCancellable]

  /// Makes rules of any kind, before binding rules are made.
  ///
  /// - Parameter state: The state. It may be captured: it does not keep the tokens alive.
  /// - Returns: What keeps the rules going; it lives as long as the state.
  @AnyTokenBuilder<Any>
  static func applyAnyRules(to state: UIBinding<Self>) -> [Any]

  /// Makes rules that follow notifications.
  ///
  /// - Parameter state: The state. It may be captured: it does not keep the tokens alive.
  /// - Returns: The observers' tokens; they live as long as the state.
  @NotificationBuilder
  static func applyAnyRules(to state: ManagedState<Self>) -> [NotificationToken]
}

extension BehavioralStateContract {
  /// Does nothing.
  public mutating func applyRules() {}

  /// Changes the value in one step: of a state's value no other thread sees a part of the change, and none comes
  /// between, unless the state has the lock ``ManagedStateLock/absent``.
  ///
  ///     @ManagedState var counter = Counter()
  ///     counter.withLock { value in
  ///       value.count += 1
  ///       value.text = "Count: \(value.count)"
  ///     }
  ///
  /// In a task, others do come between if it takes longer than a second, as it may await something for all that can be
  /// known; not so for the state's own ``ManagedState/withLock(_:)``, as in `$counter.withLock`.
  ///
  /// - Parameter body: Changes the value. What it throws leaves the value as it was when the body began, also where
  ///   others have come between: it replaces what they wrote. A state for which each write is a change publishes it.
  /// - Returns: What the body returns.
  @inlinable @discardableResult
  public mutating func withLock<Result, Thrown: Error>(
    _ body: (inout Self) throws(Thrown) -> Result
  ) throws(Thrown) -> Result {
    var value = self
    let result = try body(&value)
    self = value
    return result
  }

  /// Makes no rules.
  public static func applyBindingRules(to state: RulesPublisher) -> [AnyCancellable] { [] }

  /// Makes no rules.
  public static func applyAnyRules(to state: UIBinding<Self>) -> [Any] { [] }

  /// Makes no rules.
  public static func applyAnyRules(to state: ManagedState<Self>) -> [NotificationToken] { [] }
}

/// An optional model has no rules of its own, not even if there is a value: its parent applies them where it wants to.
extension Optional: BehavioralStateContract where Wrapped: BehavioralStateContract {}

extension Publisher where Failure == Never {
  /// Makes the binding rules of a model that is part of this one.
  ///
  /// - Parameter keyPath: The part.
  public func applyNestedRules<Value: BehavioralStateContract, NEW: BehavioralStateContract>(
    to keyPath: WritableKeyPath<Value, NEW>
  ) -> [AnyCancellable] where Output == DiffedValue<Value> {
    NEW.applyBindingRules(to: map { $0.map(keyPath: keyPath) }.eraseToAnyPublisher())
  }
}

extension UIBinding where Value: BehavioralStateContract {
  /// Makes the rules of any kind of a model that is part of this one: those that it makes with a binding.
  ///
  /// Those that it makes with a ``ManagedState`` need a state of its own, and are left out.
  ///
  /// - Parameter keyPath: The part.
  public func applyNestedRules<NEW: BehavioralStateContract>(to keyPath: WritableKeyPath<Value, NEW>) -> [Any] {
    NEW.applyAnyRules(to: observe(keyPath))
  }
}
