// How strongly an operation on memory orders what stands around it, as C++20 names it.
// No test file: the tests of Machine and Reduction, and the litmus tests, go through all of it.

/// The ordering of an access or of a fence.
package enum Ordering: String, CaseIterable, Sendable {
  /// No atomic access: two of them that nothing orders, one of which writes, are a race.
  case plain = "na"
  case relaxed = "rlx"
  case acquire = "acq"
  case release = "rel"
  case acquireRelease = "acqrel"
  case sequentiallyConsistent = "sc"

  /// Whether a read, or a fence behind one, learns what the writer has released.
  package var acquires: Bool {
    switch self {
    case .acquire, .acquireRelease, .sequentiallyConsistent: true
    case .plain, .relaxed, .release: false
    }
  }

  /// Whether a write, or one behind a fence, carries what its thread knows.
  package var releases: Bool {
    switch self {
    case .release, .acquireRelease, .sequentiallyConsistent: true
    case .plain, .relaxed, .acquire: false
    }
  }

  /// Of a read-modify-write: the ordering of its read, if it writes nothing.
  package var ofReadAlone: Ordering { acquires ? .acquire : .relaxed }
}
