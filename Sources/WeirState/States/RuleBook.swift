// Applies the rules of a managed state until they have nothing left to change.

public import Weir
public import WeirQueues

/// The rules of one managed state.
///
/// A new value goes through rounds. In each, `applyRules` changes it, then the binding rules get it as a diff that they
/// can write into; the next round's diff begins where this one began. The value is settled once a round leaves it as it
/// found it. If rules were shown others meanwhile, by runs within this one, there is one more, whose diff begins with
/// what those have left: it is overwritten.
@usableFromInline
final class RuleBook<Value: BehavioralStateContract> {
  @usableFromInline let subject: RulesSubject<Value>
  /// What binding rules begin with; `nil` once that is settled.
  @usableFromInline var first: Candidate<Value>?
  /// The run for that, from when the first of them may subscribe.
  @usableFromInline var firstRun: UnderWay.Entry?
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

    /// What its owner knows of a run.
    @usableFromInline
    struct Entry {
      @usableFromInline let number: Int
      /// Whether there were others when it began.
      @usableFromInline let isInner: Bool
      /// How much of `shown` was there before, or has been taken.
      @usableFromInline var taken: Int

      @inlinable
      init(number: Int, isInner: Bool, taken: Int) {
        self.number = number
        self.isInner = isInner
        self.taken = taken
      }
    }

    /// A value that a run has shown to the rules, as the one before or the one after.
    @usableFromInline
    struct Note {
      @usableFromInline let number: Int
      @usableFromInline let value: Value

      @inlinable
      init(number: Int, value: Value) {
        self.number = number
        self.value = value
      }
    }

    @usableFromInline var runs: [Run] = []
    @usableFromInline var last = 0
    /// What runs within others have shown, in this order, until no run is under way.
    @usableFromInline var shown: [Note] = []

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

    @inlinable
    mutating func begin(_ value: Value, after old: Value, of changer: Int) -> Entry {
      last += 1
      for index in runs.indices where runs[index].changer == changer {
        runs[index].nested += 1
        break
      }
      let entry = Entry(number: last, isInner: !runs.isEmpty, taken: shown.count)
      if entry.isInner {
        note(old, of: entry)
        note(value, of: entry)
      }
      runs.append(Run(number: last, changer: changer, value: value))
      return entry
    }

    @inlinable @inline(never)
    mutating func note(_ value: Value, of entry: Entry) { shown.append(Note(number: entry.number, value: value)) }

    /// What others have shown since the run began, or since this was asked last.
    @inlinable
    func takeShown(within entry: inout Entry) -> [Value] {
      defer { entry.taken = shown.count }
      return shown[entry.taken...].filter { $0.number != entry.number }.map(\.value)
    }

    /// Ends a run.
    ///
    /// - Returns: What is to be freed outside of the lock.
    @inlinable
    mutating func end(_ entry: Entry) -> (value: Value?, shown: [Note]?) {
      for index in runs.indices.reversed() where runs[index].number == entry.number {
        let value = runs.remove(at: index).value
        guard runs.isEmpty, !shown.isEmpty else { return (value, nil) }
        defer { shown = [] }
        return (value, shown)
      }
      return (nil, nil)
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
  func begin(with value: Value) {
    first?.write(value)
    firstRun = underWay.withLock { $0.begin(value, after: value, of: Changer.current) }
  }

  /// Settles the first value, after `begin`, and after the binding rules have subscribed and had it as their first
  /// diff.
  @inlinable
  func settleFirst(_ value: Value) -> Value {
    guard let first = first.take(), let run = firstRun.take() else { return value }
    subject.close(first)
    return settle(value, first.value, run)
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
    return settle(old, new, underWay.withLock { $0.begin(new, after: old, of: changer) })
  }

  /// Settles a value for which a run has begun, and ends that.
  @inlinable
  func settle(_ old: Value, _ new: Value, _ run: UnderWay.Entry) -> Value {
    var run = run
    defer {
      let former = underWay.withLock { $0.end(run) }
      withExtendedLifetime(former) {}
    }
    var (old, new) = (old, new)
    var overwritten: [Value]?
    let most = CyclicDependency.maxDepth
    var (changes, repetitions) = (0, 0)
    while changes < most, repetitions < most {
      var value = new
      value.applyRules()
      if subject.hasRules {
        let candidate = Candidate(value, turn: turn, late: late, overwritten: overwritten)
        subject.send(candidate, after: old)
        value = candidate.value
      }
      guard value == new else {
        (old, new, overwritten) = (new, value, nil)
        if run.isInner { underWay.withLock { $0.note(value, of: run) } }
        changes += 1
        continue
      }
      guard underWay.withLock({ $0.shown.count }) > run.taken else { return value }
      let shown = underWay.withLock { $0.takeShown(within: &run) }
      guard !shown.isEmpty, let now = late.read() else { return value }
      (old, new, overwritten) = (now, value, shown)
      repetitions += 1
    }
    if changes < most {
      CyclicDependency.warnOfNesting(of: Value.self)
    } else {
      CyclicDependency.warn(of: Value.self, between: old, new)
    }
    return new
  }
}
