// What mirrors and playgrounds show of the engine's subscribers to several streams.
// No test mirror: ReflectionTests asks all operators.

extension Mirror {
  /// Shows an object by the labels that Combine gives it, and nothing of what the engine's superclasses keep.
  @usableFromInline
  init<Subject>(of subject: Subject, children: some Collection<Child> = []) {
    self.init(subject, children: children, ancestorRepresentation: .suppressed)
  }

  /// Shows an object by the labels that Combine gives it, and nothing of what the engine's superclasses keep.
  @usableFromInline
  init<Subject>(of subject: Subject, children: KeyValuePairs<String, Any>) {
    self.init(subject, children: children, ancestorRepresentation: .suppressed)
  }
}

extension UpstreamLink {
  /// Where in its life the subscription is, for mirrors.
  @usableFromInline
  final var status: String { isConnected ? "subscribed" : isOver ? "terminal" : "awaitingSubscription" }
}

extension LaneSubscriber: CustomReflectable, CustomPlaygroundDisplayConvertible {
  @usableFromInline var customMirror: Mirror {
    Mirror(of: self, children: fan.showsParent ? ["parentSubscription": fan.combineIdentifier] : [:])
  }
  @usableFromInline var playgroundDescription: Any { description }
}

extension Fan {
  /// Whether inner streams depend on another one, and mirrors of their subscribers name its subscription.
  var showsParent: Bool { refusesNone }
}

extension OuterSubscriber: CustomReflectable, CustomPlaygroundDisplayConvertible {
  @usableFromInline var customMirror: Mirror { Mirror(of: self) }
  @usableFromInline var playgroundDescription: Any { description }
}

extension TupleLaneSubscriber: CustomReflectable, CustomPlaygroundDisplayConvertible {
  @usableFromInline var customMirror: Mirror { Mirror(of: self) }
  @usableFromInline var playgroundDescription: Any { description }
}

extension BufferSubscriber: CustomReflectable, CustomPlaygroundDisplayConvertible {
  @usableFromInline var customMirror: Mirror { link.customMirror }
  @usableFromInline var playgroundDescription: Any { description }
}

extension AutoconnectSubscriber: CustomReflectable, CustomPlaygroundDisplayConvertible {
  @usableFromInline var customMirror: Mirror { Mirror(of: self, children: ["downstream": downstream]) }
  @usableFromInline var playgroundDescription: Any { description }
}
