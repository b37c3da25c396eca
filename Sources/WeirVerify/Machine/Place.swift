// Where an operation stands in the sources, and what it is.
// No test file: the tests of Machine and Reduction, and the litmus tests, go through all of it.

/// A place in the sources.
package struct Place {
  package let file: StaticString
  package let function: StaticString
  package let line: UInt

  package init(_ file: StaticString, _ function: StaticString, _ line: UInt) {
    self.file = file
    self.function = function
    self.line = line
  }

  /// Whether another one is the same line of the same file.
  func isSame(as other: Place) -> Bool { line == other.line && "\(file)" == "\(other.file)" }

  /// As `Buffer.swift:12`.
  var fileAndLine: String { "\("\(file)".split(separator: "/").last ?? ""):\(line)" }
}

/// What is done to shared memory.
package enum Operation: String, CaseIterable {
  case load, store, exchange, compareExchange, add, lock, identity, spin, barrier, lightBarrier
}

/// A place and what is done there, as text: what a mutation is told by.
package struct Site: Hashable, Comparable {
  package let file: String
  package let function: String
  package let line: UInt
  package let operation: Operation

  package init(file: String, function: String, line: UInt, operation: Operation) {
    self.file = file
    self.function = function
    self.line = line
    self.operation = operation
  }

  package static func < (lhs: Site, rhs: Site) -> Bool {
    (lhs.file, lhs.line, lhs.operation.rawValue) < (rhs.file, rhs.line, rhs.operation.rawValue)
  }
}

/// Every site that was passed, gathered cheaply.
struct Passed {
  private struct Key: Hashable {
    /// The address of its name, which is a literal.
    let file: Int
    let line: UInt
    let operation: Operation
  }

  private var places: [Key: Place] = [:]
  /// Keys that were noted lately: most sites are passed over and over.
  private var recent = [Key?](repeating: nil, count: 256)

  mutating func note(_ place: Place, _ operation: Operation) {
    let key = Key(file: unsafe Int(bitPattern: place.file.utf8Start), line: place.line, operation: operation)
    let slot = (key.file &+ Int(key.line)) & 255
    guard recent[slot] != key else { return }
    recent[slot] = key
    if places[key] == nil { places[key] = place }
  }

  var sites: Set<Site> {
    Set(
      places.map { key, place in
        Site(file: "\(place.file)", function: "\(place.function)", line: key.line, operation: key.operation)
      })
  }
}

/// A seeded bug: another behaviour for the operations of one site.
package struct Mutation {
  /// What an operation does in place of what it should.
  package enum Behaviour {
    /// As it should.
    case faithful
    /// Nothing; what it returns is as if it had been done.
    case skipped
    /// A load and a store, with nothing that keeps others from between them, and no fence.
    case split
    /// A read-modify-write that is a load and a plain store at once: atomic, but it waits in the store buffer.
    case buffered
    /// A compare-exchange that writes whatever the word is, and claims to have found what it expected.
    case forced
    /// A compare-exchange that writes nothing and claims to have.
    case claimed
    /// A store that happens after so many further operations of the thread.
    case postponed(past: Int)
    /// A load of what the word was before its last change.
    case stale
    /// A load, a thread identity, an addition or an exchange that returns this.
    case returns(Int)
    /// An operation with another ordering.
    case weakened(to: Ordering)

    /// An operation that orders nothing else.
    package static var relaxed: Behaviour { .weakened(to: .relaxed) }

    /// The ordering in place of the operation's own.
    var ordering: Ordering? { if case .weakened(let ordering) = self { ordering } else { nil } }
  }

  package let behaviour: Behaviour
  package let site: Site

  package init(_ behaviour: Behaviour, at site: Site) {
    self.behaviour = behaviour
    self.site = site
  }

  func matches(_ place: Place, _ operation: Operation) -> Bool {
    site.line == place.line && site.operation == operation && "\(place.file)" == site.file
  }
}
