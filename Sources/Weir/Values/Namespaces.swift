// The namespaces of what operators return, and of what acts as a subscriber.
// No test mirror: declarations only.

/// Namespace of the types that operators return.
public enum Publishers {}

/// Namespace of the types that act as subscribers.
public enum Subscribers {}
