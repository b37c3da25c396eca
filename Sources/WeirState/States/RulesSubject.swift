// Publishes the changes of one state to its binding rules.

public import Weir
public import WeirQueues

/// Publishes diffs to binding rules, to one after the other, on the thread that has the state's turn.
///
/// It has no lock of its own that senders wait for, as subjects have: the turn keeps threads apart. Whom the turn is
/// lent, as threads wait for each other crosswise, mostly sends while the owner stands still inside a rule, as if that
/// rule's call had led here on one thread.
///
/// A rule gets the newest diff when it asks for the first time, and then each one. What it has not asked for in time it
/// misses, but for the newest, which it gets as it asks.
@usableFromInline
final class RulesSubject<Value>: Publisher, Sendable {
  @usableFromInline typealias Output = DiffedValue<Value>
  @usableFromInline typealias Failure = Never

  @usableFromInline
  struct Rule {
    @usableFromInline let link: RuleLink<Value>
    @usableFromInline let receive: (Output) -> Subscribers.Demand
    /// Whether it has had no diff yet, or has missed one since.
    @usableFromInline var isBehind = true

    @inlinable
    init(link: RuleLink<Value>, receive: @escaping (Output) -> Subscribers.Demand) {
      self.link = link
      self.receive = receive
    }

    /// Passes a diff, if there is demand.
    ///
    /// - Returns: Whether there was.
    @inlinable
    func offer(_ diff: Output) -> Bool {
      guard link.demand.take() else { return false }
      let more = receive(diff)
      if more != .none { link.demand.add(more) }
      return true
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
    for rule in rules { pass(diff, to: rule) }
  }

  @inlinable
  func pass(_ diff: Output, to rule: Rule) {
    // Before the rule is called: within that it may miss the next one.
    if rule.isBehind { mark(rule.link, isBehind: false) }
    if !rule.offer(diff) { mark(rule.link, isBehind: true) }
  }

  @inlinable
  func mark(_ link: RuleLink<Value>, isBehind: Bool) {
    state.withLock { state in
      if let index = state.rules.firstIndex(where: { $0.link === link }) { state.rules[index].isBehind = isBehind }
    }
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
    if isBehind(link) { return catchUp(link, adding: demand) }
    link.demand.add(demand)
    // It may have missed a diff just before.
    if isBehind(link) { catchUp(link) }
  }

  private func isBehind(_ link: RuleLink<Value>) -> Bool {
    state.withLock { state in state.rules.contains { $0.link === link && $0.isBehind } }
  }

  /// Passes the newest diff to a rule that is behind, within the turn, where nothing is sent meanwhile.
  private func catchUp(_ link: RuleLink<Value>, adding demand: Subscribers.Demand = .none) {
    turn.enterToRead()
    link.demand.add(demand)
    let next = state.withLock { state -> (rule: Rule, diff: Output)? in
      state.rules.first { $0.link === link && $0.isBehind }.map { ($0, state.newest) }
    }
    if let next { pass(next.diff, to: next.rule) }
    turn.leave()
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
