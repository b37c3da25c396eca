// What happens when the rules of a state never come to rest.

import WeirQueues

private let warning = Lock(true)
private let maxDepth = Lock(100)

/// `true` if rules that don't come to rest in as many rounds as they may take are reported on the standard error
/// stream, once for each kind of state and the parts that they change. `true` at first; any thread may set it. Two that
/// undo each other within one round are at rest.
///
/// In CombineExt the check can't fail while this is on.
public var ManagedStateCyclicDependencyWarning: Bool {
  get { warning.withLock { $0 } }
  set { warning.withLock { $0 = newValue } }
}

/// How many rounds rules may take to come to rest, including the last one, which has to leave the value as it found it.
/// Numbers below 2 count as 2. 100 at first; any thread may set it. Rounds that only tell rules of what the change
/// overwrites are not among them.
///
/// A change that has not come to rest by then is kept as the last round left it: a rule like `lastUpdated = Date()`
/// never rests, and neither does a value that isn't equal to itself, as one with a number that is none (`nan`). Where
/// rules run within themselves, as they write into their own state, there are so many runs within one change at most,
/// no more than 16 deep; what they write beyond that is left out. CombineExt reports nothing for depths below 100.
public var ManagedStateCyclicDependencyMaxDepth: Int {
  get { maxDepth.withLock { $0 } }
  set { maxDepth.withLock { $0 = newValue } }
}

@usableFromInline
enum CyclicDependency {
  /// How many rounds there may be.
  @usableFromInline static var maxDepth: Int { max(ManagedStateCyclicDependencyMaxDepth, 2) }

  /// How deep the runs of rules may lie within each other, the outermost included, as where they write into their own
  /// state: each takes a part of the thread's stack.
  @usableFromInline static var deepest: Int { min(maxDepth, 16) }

  /// A kind of state, by the type that it keeps, and what is wrong with its rules.
  private struct Finding: Hashable {
    let type: ObjectIdentifier
    let trouble: Trouble
  }

  private enum Trouble: Hashable {
    case change(of: [String])
    case inequality(of: [String])
    case nesting
  }

  /// What has been told.
  private static let told = Lock<Set<Finding>>([])

  /// Tells, once for each kind of state and the parts of it, that its rules did not come to rest.
  ///
  /// - Parameters:
  ///   - type: What the state keeps.
  ///   - old: What the last round found.
  ///   - new: What it left.
  @usableFromInline
  static func warn<Value>(of type: Value.Type, between old: Value, _ new: Value) {
    guard ManagedStateCyclicDependencyWarning else { return }
    let odd = changedParts(new, new)
    guard odd.isEmpty else {
      return tell(
        .inequality(of: odd), of: type,
        "\(list(odd)) is not equal to itself, so that its rules have not come to rest after \(maxDepth) rounds; "
          + "the value is kept as the last one left it. Is there a number that is none?")
    }
    let parts = changedParts(old, new)
    tell(
      .change(of: parts), of: type,
      "its rules still change \(parts.isEmpty ? "the value" : list(parts)) after \(maxDepth) rounds; the value is kept "
        + "as the last one left it. Does a rule depend on what it changes, or do two undo each other?")
  }

  /// Tells, once for each kind of state, that its rules run within themselves.
  @usableFromInline
  static func warnOfNesting<Value>(of type: Value.Type) {
    guard ManagedStateCyclicDependencyWarning else { return }
    tell(
      .nesting, of: type,
      "its rules run again and again within themselves; what they wrote last is left out. Do they write into their own "
        + "state, or into one whose rules write into it, another value each time?")
  }

  private static func tell<Value>(_ trouble: Trouble, of type: Value.Type, _ finding: String) {
    guard told.withLock({ $0.insert(Finding(type: ObjectIdentifier(type), trouble: trouble)).inserted }) else { return }
    complain("WeirState: warning: ManagedState<\(type)>: \(finding)")
  }

  private static func list(_ parts: [String]) -> String { parts.map { "\\.\($0)" }.joined(separator: ", ") }

  /// The stored properties in which two values of one type differ; those of models within them instead of these, unless
  /// a model is an object, which may lead back to where it is, or lies 16 deep, as in a list of itself.
  ///
  /// - Complexity: O(*n*) in the number of stored properties, with those of models within, besides comparing them.
  static func changedParts(_ old: Any, _ new: Any, depth: Int = 0) -> [String] {
    zip(Mirror(reflecting: old).children, Mirror(reflecting: new).children).flatMap { old, new -> [String] in
      guard let label = old.label, let before = old.value as? any Equatable, !isEqual(before, new.value) else {
        return []
      }
      // Of a wrapped property the storage is seen.
      let name = label.hasPrefix("_") ? String(label.dropFirst()) : label
      let isModel = before is any BehavioralStateContract && !(type(of: before) is any AnyObject.Type)
      let inner = isModel && depth < 16 ? changedParts(before, new.value, depth: depth + 1) : []
      return inner.isEmpty ? [name] : inner.map { "\(name).\($0)" }
    }
  }

  private static func isEqual<Value: Equatable>(_ value: Value, _ other: Any) -> Bool { other as? Value == value }
}
