// The namespaces of what operators return, and of what acts as a subscriber.
// No test file: declarations only.

/// Namespace of the types that operators return.
///
/// Unless the documentation of an operator says otherwise:
///
/// - Any thread may subscribe, request and cancel. An operator calls its closures and its subscriber on the thread that
///   sends the value, one call at a time for each subscription; several subscriptions share the closures, which may
///   then run on several threads at once.
/// - Passing on a value, a request, a completion or a cancellation takes constant time, besides what the closures, the
///   scheduler, the upstream and the subscriber take.
/// - Lengths of time are in the scheduler's own time, as `.milliseconds(300)`.
public enum Publishers {}

/// Namespace of the types that act as subscribers.
public enum Subscribers {}
