// One subscriber's subscription to something outside that calls back: notifications, timers.

import WeirQueues

/// Passes on what callbacks bring, from any thread; values that come without demand are dropped.
@safe
@usableFromInline
package final class FeedLink<Downstream: Subscriber>: SerialLink<Downstream, FeedSignal<Downstream.Input>> {
  /// What the subscription hangs on, let go of at the end.
  @usableFromInline
  package struct Source {
    /// Ends the callbacks.
    let stop: () -> Void
    /// What mirrors show of it.
    let children: () -> [Mirror.Child]

    package init(stop: @escaping () -> Void, children: @escaping () -> [Mirror.Child] = { [] }) {
      self.stop = stop
      self.children = children
    }
  }

  @usableFromInline let ledger = DemandLedger()
  @usableFromInline let source = Lock<Source?>(nil)

  package init(downstream: HeldSubscriber<Downstream>, name: StaticString) {
    super.init(
      downstream: downstream, name: name,
      onRequest: { link, demand in link.downcast(to: FeedLink.self).ledger.add(demand) },
      onCancel: { link in link.downcast(to: FeedLink.self).end() })
  }

  deinit { takeSource()?.stop() }

  /// Hands the subscriber its subscription.
  ///
  /// - Parameter source: What the subscription hangs on; its callbacks may have begun already.
  package func open(_ source: Source) {
    self.source.withLock { $0 = source }
    receive(.open, .long) { process($0) }
  }

  /// Whether the stream has ended, at some time before now.
  package var isCancelled: Bool { ledger.isCancelled }

  /// Passes a value on if there is demand for it; from any thread.
  @inlinable
  package func send(_ value: Downstream.Input) {
    receive(.value(value), .long, unless: { ledger.hasNone }) { process($0) }
  }

  @usableFromInline
  func end() {
    guard ledger.cancel() != DemandLedger.cancelled else { return }
    takeSource()?.stop()
    receive(.cancel, .none) { process($0) }
  }

  @usableFromInline
  func takeSource() -> Source? {
    source.withLock { source in
      defer { source = nil }
      return source
    }
  }

  @usableFromInline
  override func settleAsHelper() { settle({ process($0) }, asHelper: true) }

  @inlinable
  func process(_ signal: FeedSignal<Downstream.Input>) {
    if isOver { return }
    switch signal {
    case .open: withDownstream { $0.receive(subscription: self) }
    case .value(let value):
      guard ledger.take() else { return }
      let more = pass(value)
      if more != .none { ledger.add(more) }
    case .cancel: noteEnd()
    }
  }

  @usableFromInline
  package override var customMirror: Mirror {
    let source = source.withLock { $0 }
    return Mirror(of: self, children: (source?.children() ?? []) + [("demand", ledger.demand)])
  }
}

/// What can happen to a subscription that callbacks feed.
@frozen
@usableFromInline
package enum FeedSignal<Value>: SteplessSignal {
  case open
  case value(Value)
  case cancel
}
