// Applies the rules of a managed state until they have nothing left to change.

public import Weir
public import WeirQueues

/// The rules of one managed state.
///
/// A new value goes through rounds. In each, `applyRules` changes it, then the binding rules get it as a diff that they
/// can write into; the next round's diff begins where this one began. The value is settled once a round leaves it as it
/// found it. If others have been stored meanwhile, which it overwrites, rules have seen those: then there is one more,
/// whose diff begins with what is stored.
@usableFromInline
final class RuleBook<Value: BehavioralStateContract> {
  @usableFromInline let subject: RulesSubject<Value>
  /// What binding rules begin with; `nil` once that is settled.
  @usableFromInline var first: Candidate<Value>?
  @usableFromInline let turn: TurnHandle
  @usableFromInline let late: Candidate<Value>.Late
  @usableFromInline let underWay = Lock(UnderWay())

  /// The values that rules are running for, and who changes the state to them. There are several where rules write into
  /// their own state, or into one whose rules write into this one; those of several changers where the turn is lent, or
  /// keeps nobody apart.
  @usableFromInline
  struct UnderWay {
    @usableFromInline
    struct Run {
      @usableFromInline let number: Int
      @usableFromInline let changer: Int
      @usableFromInline let value: Value
      /// How many the changer has begun within this one, if it is its outermost.
      @usableFromInline var nested = 0

      @inlinable
      init(number: Int, changer: Int, value: Value) {
        self.number = number
        self.changer = changer
        self.value = value
      }
    }

    @usableFromInline var runs: [Run] = []
    @usableFromInline var last = 0

    @inlinable
    init() {}

    /// What a changer is settling, the outermost first, and how many more it has begun within that one.
    @inlinable
    func values(of changer: Int) -> (values: [Value], nested: Int) {
      var values: [Value] = []
      var nested = 0
      for run in runs where run.changer == changer {
        if values.isEmpty { nested = run.nested }
        values.append(run.value)
      }
      return (values, nested)
    }

    /// - Returns: The number to take it out by.
    @inlinable
    mutating func add(_ value: Value, of changer: Int) -> Int {
      last += 1
      for index in runs.indices where runs[index].changer == changer {
        runs[index].nested += 1
        break
      }
      runs.append(Run(number: last, changer: changer, value: value))
      return last
    }

    @inlinable
    mutating func remove(_ number: Int) -> Value? {
      for index in runs.indices.reversed() where runs[index].number == number { return runs.remove(at: index).value }
      return nil
    }
  }

  /// - Parameters:
  ///   - value: The state's first value, before any rule.
  ///   - turn: The state's turn.
  ///   - late: What a rule changes that writes into a diff of a round that is over.
  @inlinable
  init(_ value: Value, turn: TurnHandle, late: Candidate<Value>.Late) {
    self.turn = turn
    self.late = late
    let first = Candidate(value, turn: turn, late: late)
    self.first = first
    subject = RulesSubject(first, turn: turn, late: late)
  }

  /// What binding rules subscribe to.
  @inlinable var publisher: AnyPublisher<DiffedValue<Value>, Never> { subject.eraseToAnyPublisher() }

  /// Takes the value that binding rules begin with, when none has subscribed yet. What rules of another kind have
  /// written before is in it.
  @inlinable
  func begin(with value: Value) { first?.write(value) }

  /// Settles the first value, after the binding rules have subscribed and had it as their first diff.
  @inlinable
  func settleFirst(_ value: Value) -> Value {
    guard let first = first.take() else { return value }
    subject.close(first)
    return settle(value, first.value) ?? value
  }

  /// Settles a new value. One that its changer is settling already is left to that: a rule that writes into its own
  /// state, or into one whose rules write into this one, would otherwise run within itself for ever, as what it writes
  /// is stored only behind it.
  ///
  /// - Returns: The settled value; if the rules go on changing it for too long, what the last round left; `nil` for one
  ///   that is left to others, or out.
  @inlinable
  func settle(_ old: Value, _ new: Value) -> Value? {
    let changer = Changer.current
    // What is the user's, as `==`, is called and freed outside of the lock.
    let outer = underWay.withLock { $0.values(of: changer) }
    if !outer.values.isEmpty {
      if outer.values.contains(new) { return nil }
      // The outermost is one of them, and so is this one.
      guard outer.values.count < CyclicDependency.deepest, outer.nested + 1 < CyclicDependency.maxDepth else {
        CyclicDependency.warnOfNesting(of: Value.self)
        return nil
      }
    }
    let number = underWay.withLock { $0.add(new, of: changer) }
    defer {
      let former = underWay.withLock { $0.remove(number) }
      withExtendedLifetime(former) {}
    }
    var stored = old
    var beforeOverwritten: Value?
    var (old, new, last) = (old, new, number)
    for _ in 0..<CyclicDependency.maxDepth {
      var value = new
      value.applyRules()
      if subject.hasRules {
        let candidate = Candidate(value, turn: turn, late: late, beforeOverwritten: beforeOverwritten)
        subject.send(candidate, after: old)
        value = candidate.value
      }
      guard value == new else {
        (old, new, beforeOverwritten) = (new, value, nil)
        continue
      }
      let latest = underWay.withLock { $0.last }
      guard latest != last, let now = late.read(), now != stored else { return value }
      (old, new, beforeOverwritten, stored, last) = (now, value, stored, now, latest)
    }
    CyclicDependency.warn(of: Value.self, between: old, new)
    return new
  }
}
