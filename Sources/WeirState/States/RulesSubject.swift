// Publishes the changes of one state to its binding rules.

public import Weir
public import WeirQueues

/// Publishes diffs to binding rules, to one after the other, on the thread that has the state's turn.
///
/// It has no lock of its own that senders wait for, as subjects have: the turn keeps threads apart. Whom the turn is
/// lent, as threads wait for each other crosswise, sends while the owner stands still inside a rule, as if that rule's
/// call had led here on one thread.
///
/// A rule gets the newest diff when it asks for the first time, and then each one; what it has not asked for in time it
/// misses.
@usableFromInline
final class RulesSubject<Value>: Publisher, Sendable {
  @usableFromInline typealias Output = DiffedValue<Value>
  @usableFromInline typealias Failure = Never

  @usableFromInline
  struct Rule {
    @usableFromInline let link: RuleLink<Value>
    @usableFromInline let receive: (Output) -> Subscribers.Demand
    /// Whether it has asked.
    @usableFromInline var isServed = false

    @inlinable
    init(link: RuleLink<Value>, receive: @escaping (Output) -> Subscribers.Demand) {
      self.link = link
      self.receive = receive
    }

    /// Passes a diff, if there is demand.
    @inlinable
    func offer(_ diff: Output) {
      guard link.demand.take() else { return }
      let more = receive(diff)
      if more != .none { link.demand.add(more) }
    }
  }

  @usableFromInline
  struct State {
    @usableFromInline var newest: Output
    @usableFromInline var rules: [Rule] = []

    @inlinable
    init(newest: Output) { self.newest = newest }
  }

  @usableFromInline let state: Lock<State>
  @usableFromInline let turn: TurnHandle

  /// - Parameters:
  ///   - first: The first diff.
  ///   - turn: The state's turn.
  @inlinable
  init(_ first: Output, turn: TurnHandle) {
    state = Lock(State(newest: first))
    self.turn = turn
  }

  /// Passes a diff to all rules. The caller has the turn.
  @inlinable
  func send(_ diff: Output) {
    // The former diff is freed after the lock: its `deinit` may be user code.
    var exchanged = diff
    let rules = state.withLock { state in
      swap(&state.newest, &exchanged)
      return state.rules
    }
    for rule in rules { rule.offer(diff) }
  }

  @inlinable
  func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Never {
    let link = RuleLink(self)
    let rule = Rule(link: link) { subscriber.receive($0) }
    state.withLock { $0.rules.append(rule) }
    subscriber.receive(subscription: link)
  }

  @usableFromInline
  func request(_ demand: Subscribers.Demand, for link: RuleLink<Value>) {
    if state.withLock({ state in state.rules.contains { $0.link === link && !$0.isServed } }) {
      turn.enterToRead()
      add(demand, for: link)
      turn.leave()
    } else {
      link.demand.add(demand)
    }
  }

  /// Adds demand within the turn, where nothing is sent meanwhile, and passes the newest diff if it is the first.
  private func add(_ demand: Subscribers.Demand, for link: RuleLink<Value>) {
    link.demand.add(demand)
    let first = state.withLock { state -> (rule: Rule, diff: Output)? in
      guard let index = state.rules.firstIndex(where: { $0.link === link && !$0.isServed }) else { return nil }
      state.rules[index].isServed = true
      return (state.rules[index], state.newest)
    }
    if let first { first.rule.offer(first.diff) }
  }

  @usableFromInline
  func remove(_ link: RuleLink<Value>) {
    let removed = state.withLock { state in
      state.rules.firstIndex { $0.link === link }.map { state.rules.remove(at: $0) }
    }
    withExtendedLifetime(removed) {}
  }
}

/// The subscription of a binding rule.
@usableFromInline
final class RuleLink<Value>: Subscription {
  @usableFromInline let demand = DemandLedger()
  private let subject: RulesSubject<Value>

  @usableFromInline
  init(_ subject: RulesSubject<Value>) { self.subject = subject }

  @usableFromInline
  func request(_ demand: Subscribers.Demand) { subject.request(demand, for: self) }

  @usableFromInline
  func cancel() {
    _ = demand.cancel()
    subject.remove(self)
  }
}
