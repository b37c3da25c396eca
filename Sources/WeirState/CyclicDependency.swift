// What happens when the rules of a state never come to rest.

import Foundation
import WeirQueues

private let warning = Lock(true)
private let maxDepth = Lock(100)

/// Whether rules that never come to rest stop the program in debug builds. `true` at first; any thread may set it.
///
/// In release builds they are reported on the standard error stream instead. In the field's own library the check can't
/// fail while this is on.
public var ManagedStateCyclicDependencyWarning: Bool {
  get { warning.withLock { $0 } }
  set { warning.withLock { $0 = newValue } }
}

/// How many rounds rules may take to come to rest. 100 at first; any thread may set it.
///
/// A change that has not come to rest by then is refused: the state keeps the value that it had. The field's own library
/// publishes the value as it happens to be, and reports nothing for depths below 100.
public var ManagedStateCyclicDependencyMaxDepth: Int {
  get { maxDepth.withLock { $0 } }
  set { maxDepth.withLock { $0 = newValue } }
}

@usableFromInline
enum CyclicDependency {
  /// Reports rules that did not come to rest.
  @usableFromInline
  static func report(_ state: String) {
    guard ManagedStateCyclicDependencyWarning else { return }
    let message =
      "ManagedState<\(state)>: the rules still change the value after \(ManagedStateCyclicDependencyMaxDepth) rounds;"
      + " do two of them undo each other? The change is refused."
    FileHandle.standardError.write(Data((message + "\n").utf8))
    assertionFailure(message)
  }
}
