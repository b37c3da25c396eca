// Publishes the changes of one state to its binding rules.

public import Weir
public import WeirQueues

/// Publishes diffs to binding rules, to one after the other, on the thread that has the state's turn.
///
/// It has no lock of its own that senders wait for, as subjects have: the turn keeps threads apart. Whom the turn is
/// lent, as threads wait for each other crosswise, mostly sends while the owner stands still inside a rule, as if that
/// rule's call had led here on one thread.
///
/// When a rule asks for the first time, it gets what is being worked on, or the state's value where nothing is, as a
/// diff without `old`, and then each diff. What it has not asked for in time it misses; as it asks, it begins anew.
/// What an inner run has shown, to rules before the one that wrote or to one that came in it, stands for them until the
/// next round. Who has begun anew in an inner run does so again then.
@usableFromInline
final class RulesSubject<Value>: Publisher, Sendable {
  @usableFromInline typealias Output = DiffedValue<Value>
  @usableFromInline typealias Failure = Never

  @usableFromInline
  struct Rule {
    @usableFromInline let link: RuleLink<Value>
    @usableFromInline let receive: (Output) -> Subscribers.Demand

    @inlinable
    init(link: RuleLink<Value>, receive: @escaping (Output) -> Subscribers.Demand) {
      self.link = link
      self.receive = receive
    }

    /// Passes the diff of a round, if there is demand.
    ///
    /// - Returns: Whether there was.
    @inlinable
    func offer(_ diff: Output, _ number: Int) -> Bool {
      guard link.demand.take() else { return false }
      link.seen.relaxedStore(number)
      let more = receive(diff)
      if more != .none { link.demand.add(more) }
      return true
    }
  }

  /// What rules are working on. Its number is its own; 0 stands for what they have not been sent.
  @usableFromInline
  struct Round {
    @usableFromInline let number: Int
    @usableFromInline let candidate: Candidate<Value>

    @inlinable
    init(number: Int, candidate: Candidate<Value>) {
      self.number = number
      self.candidate = candidate
    }
  }

  @usableFromInline
  struct State {
    /// The rounds under way, the innermost last: there are several where rules run within themselves. None is kept
    /// beyond its end, as its value may hold the state.
    @usableFromInline var rounds: [Round]
    @usableFromInline var last = 0
    @usableFromInline var rules: [Rule] = []

    @inlinable
    init(first: Candidate<Value>) { rounds = [Round(number: 0, candidate: first)] }
  }

  @usableFromInline let state: Lock<State>
  @usableFromInline let turn: TurnHandle
  @usableFromInline let late: Unchecked<Candidate<Value>.Late>

  /// - Parameters:
  ///   - first: What rules begin with, until `close`.
  ///   - turn: The state's turn.
  ///   - late: The way to the state's value, for rules that ask when nothing is being worked on.
  @inlinable
  init(_ first: Candidate<Value>, turn: TurnHandle, late: Candidate<Value>.Late) {
    state = Lock(State(first: first))
    self.turn = turn
    self.late = Unchecked(late)
  }

  /// Whether there are any. A rule that comes while the caller has the turn gets the state's value after it.
  @inlinable var hasRules: Bool { state.withLock { !$0.rules.isEmpty } }

  /// Passes what is being worked on to all rules, and ends the work. The caller has the turn.
  ///
  /// - Parameters:
  ///   - candidate: What is being worked on.
  ///   - old: The value before.
  @inlinable
  func send(_ candidate: Candidate<Value>, after old: Value) {
    let (number, depth, rules) = state.withLock { state -> (Int, Int, [Rule]) in
      guard !state.rules.isEmpty else { return (0, 0, []) }
      state.last += 1
      state.rounds.append(Round(number: state.last, candidate: candidate))
      return (state.last, state.rounds.count, state.rules)
    }
    guard number > 0 else {
      candidate.close()
      return
    }
    let diff = DiffedValue(old: old, live: candidate)
    // One that has asked within the call of another has got this then.
    for rule in rules where rule.link.seen.relaxedLoad() != number {
      // As it is now: what ran within this round may have passed it by, or brought it up to date.
      pass(rule.link.takeBehind(at: depth) ? DiffedValue(old: nil, live: candidate) : diff, number, to: rule)
    }
    close(candidate)
  }

  /// Ends the work on a value: who asks from now on gets another one.
  @inlinable
  func close(_ candidate: Candidate<Value>) {
    candidate.close()
    let removed = state.withLock { state -> Round? in
      for index in state.rounds.indices.reversed() where state.rounds[index].candidate === candidate {
        return state.rounds.remove(at: index)
      }
      return nil
    }
    // Freed after the lock: the `deinit` of the value may be user code.
    withExtendedLifetime(removed) {}
  }

  @inlinable
  func pass(_ diff: Output, _ number: Int, to rule: Rule) {
    while !rule.offer(diff, number), miss(rule.link) {}
  }

  /// Notes that a rule misses a diff, and looks for demand again. Who asks adds demand and then looks whether the rule
  /// is behind: one of the two sees both.
  ///
  /// - Returns: Whether the rule has asked, and is to get the diff after all.
  @inlinable
  func miss(_ link: RuleLink<Value>) -> Bool {
    link.isBehind = true
    guard !link.demand.hasNone else { return false }
    link.isBehind = false
    return true
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
    if link.isBehind { return catchUp(link, adding: demand) }
    link.demand.add(demand)
    // It may have missed a diff just before.
    if link.isBehind { catchUp(link) }
  }

  /// Brings a rule up to date that is behind, within the turn, where nothing is sent meanwhile.
  private func catchUp(_ link: RuleLink<Value>, adding demand: Subscribers.Demand = .none) {
    turn.enterToRead()
    link.demand.add(demand)
    // Again where it has missed a change within its own call, and has asked by what that returned; not for ever, as it
    // may make one each time.
    for _ in 0..<CyclicDependency.maxDepth {
      guard link.isBehind else { break }
      let found = state.withLock { state -> (rule: Rule, round: Round?, depth: Int)? in
        state.rules.first { $0.link === link }.map { ($0, state.rounds.last, state.rounds.count) }
      }
      guard let known = found, let round = known.round ?? roundAtRest() else { break }
      if round.number == 0 || link.seen.relaxedLoad() != round.number {
        _ = link.takeBehind(at: known.depth)
        pass(DiffedValue(old: nil, live: round.candidate), round.number, to: known.rule)
      } else {
        // It has missed what ran within this one, which this one replaces.
        link.isBehind = false
      }
      if link.demand.hasNone { break }
    }
    turn.leave()
  }

  /// The state's value, as if it had been worked on; `nil` where the state is gone.
  private func roundAtRest() -> Round? {
    guard let value = late.value.read() else { return nil }
    let candidate = Candidate(value, turn: turn, late: late.value)
    candidate.close()
    return Round(number: 0, candidate: candidate)
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
  /// The number of the round that the rule got last. Touched by whoever may call the rule.
  @usableFromInline let seen = AtomicWord(0)
  /// Behind a lock, as what comes before and after it must be seen in that order: see `RulesSubject.miss`.
  @usableFromInline let progress = Lock(Progress())
  private let subject: RulesSubject<Value>

  @usableFromInline
  struct Progress {
    @usableFromInline var isBehind = true
    /// How many rounds were under way when the rule began anew, until it gets one further out.
    @usableFromInline var depth = 0

    @inlinable
    init() {}
  }

  @usableFromInline
  init(_ subject: RulesSubject<Value>) { self.subject = subject }

  /// Whether the rule has had no diff yet, or has missed one since.
  @inlinable var isBehind: Bool {
    get { progress.withLock { $0.isBehind } }
    set { progress.withLock { $0.isBehind = newValue } }
  }

  /// Notes that the rule gets a diff, before it is called: within that it may miss the next one.
  ///
  /// - Parameter depth: How many rounds are under way.
  /// - Returns: Whether it begins anew, as it was behind; also where it has begun anew in a round within this one's
  ///   change: it knows nothing of what that change has shown before.
  @inlinable
  func takeBehind(at depth: Int) -> Bool {
    progress.withLock { progress in
      let beginsAnew = progress.isBehind || progress.depth > depth
      if beginsAnew { progress.depth = depth }
      progress.isBehind = false
      return beginsAnew
    }
  }

  @usableFromInline
  func request(_ demand: Subscribers.Demand) { subject.request(demand, for: self) }

  @usableFromInline
  func cancel() {
    _ = demand.cancel()
    isBehind = false
    subject.remove(self)
  }
}
