// The orderings of the package's atomic accesses, each of which is in a list: the next weaker one is a mutant, for the
// memory of C++20. What the explorer replaces is in Tests/machine-orderings.csv.

import WeirVerify

/// The accesses of one file, in the order in which they stand there.
struct OrderedAccesses {
  let file: String
  let accesses: [OrderedAccess]

  init(_ file: String, _ accesses: OrderedAccess...) {
    self.file = file
    self.accesses = accesses
  }

  /// One for each next weaker ordering of each access; none for those that are relaxed.
  var mutants: [Mutant] {
    accesses.flatMap { access in
      access.weaker.map { weaker in
        let name = file.split { $0 == "/" || $0 == "." }[1]
        let number = access.index.map { " \($0 + 1)" } ?? ""
        return Mutant(
          "order: \(name) \(access.function) \(access.operation.rawValue)\(number): \(weaker?.rawValue ?? "none")",
          weaker.map { Mutation.Behaviour.weakened(to: $0) } ?? .skipped, access.operation, in: access.function,
          of: file, access.index, stays: access.reasonToStay)
      }
    }
  }
}

/// An atomic access, told as a mutant's place is.
struct OrderedAccess {
  let operation: Operation
  let ordering: Ordering
  let function: String
  let index: Int?
  let reasonToStay: String?

  /// - Parameters:
  ///   - operation: What is done.
  ///   - ordering: The ordering that it has.
  ///   - function: Where.
  ///   - index: Which one, where the function has several of the operation, those that are relaxed among them.
  ///   - reasonToStay: Why it keeps this ordering, if no scenario fails without it.
  init(
    _ operation: Operation, _ ordering: Ordering, _ function: String, _ index: Int? = nil,
    stays reasonToStay: String? = nil
  ) {
    self.operation = operation
    self.ordering = ordering
    self.function = function
    self.index = index
    self.reasonToStay = reasonToStay
  }

  /// The cheap half of an asymmetric fence, which is there or isn't.
  static func lightBarrier(
    _ function: String, _ index: Int? = nil, stays reasonToStay: String? = nil
  ) -> OrderedAccess {
    OrderedAccess(.lightBarrier, .sequentiallyConsistent, function, index, stays: reasonToStay)
  }

  /// Its costly half, which `mutants` leave out one by one.
  static func heavyBarrier(_ function: String, _ index: Int? = nil) -> OrderedAccess {
    OrderedAccess(.barrier, .sequentiallyConsistent, function, index)
  }

  /// The next weaker orderings; `nil` stands for none at all.
  var weaker: [Ordering?] {
    switch (operation, ordering) {
    case (_, .relaxed), (.barrier, _): []
    case (.lightBarrier, _): [nil]
    case (.load, .sequentiallyConsistent): [.acquire]
    case (_, .sequentiallyConsistent): [.acquireRelease]
    case (_, .acquireRelease): [.acquire, .release]
    default: [.relaxed]
    }
  }
}

/// Why read-modify-writes keep an ordering that no scenario fails without.
let alike = "all read-modify-writes have one ordering; a weaker one is no cheaper on x86"
/// Of what comes last, or first.
let alone = "nobody else is left on either side"
/// What is behind them is plain memory of the package's own.
let unwatched = "it orders plain fields of the engine, which the explorer does not watch"

let weakOrderings = [gateOrderings, subjectOrderings, subscriptionOrderings, queueOrderings, observerOrderings].joined()
  .flatMap(\.mutants)
