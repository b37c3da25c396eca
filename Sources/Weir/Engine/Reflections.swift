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
  @usableFromInline var customMirror: Mirror {
    Mirror(of: self, children: ["parent": parent, "downstream": downstream])
  }
  @usableFromInline var playgroundDescription: Any { description }
}

extension SubjectCore: CustomReflectable {
  /// What the subject knows, without the memory that it is kept in; the newest value alone while another thread delivers,
  /// since nobody else may look at the rest then.
  @usableFromInline package var customMirror: Mirror {
    let known: [Mirror.Child] =
      whileNobodyDelivers { [("completion", completion as Any), ("downstreams", members)] } ?? []
    let newest: [Mirror.Child] = latest.map { [("currentValue", $0.withLock { $0.value })] } ?? []
    return Mirror(of: self, children: newest + known)
  }

  /// The conduits of the list. Only the holder of the gate may call this.
  private var members: [Member] { (0..<count).compactMap { unsafe slots[$0]?.takeUnretainedValue() } }
}
