// Delivers the elements of a sequence as they are asked for.

import WeirQueues

/// The subscription of one subscriber to a sequence.
///
/// The ledger says who delivers: the thread whose request finds no demand becomes the deliverer, and stays it until the
/// demand is used up, the sequence ends or the subscription is cancelled; every other request only adds to the ledger
/// (RxJava's queue-drain with the demand as its counter). So a request from within a delivery does not recurse, and the
/// fields belong to the deliverer while the ledger is positive and to whoever moves it away from zero otherwise.
@usableFromInline
package final class SequenceLink<Elements: Sequence, Downstream: Subscriber>: Link
where Downstream.Input == Elements.Element {
  @usableFromInline let ledger = DemandLedger()
  /// The origin's name if it is no plain sequence; it then refuses to be asked for nothing.
  @usableFromInline let name: StaticString?

  // SAFETY (exclusivity): these belong to one thread at a time, as said above; every change of the ledger that hands
  // them over is a read-modify-write that releases and acquires.
  @safe @exclusivity(unchecked) @usableFromInline var elements: Elements?
  @safe @exclusivity(unchecked) @usableFromInline var iterator: Elements.Iterator?
  @safe @exclusivity(unchecked) @usableFromInline var next: Elements.Element?
  @safe @exclusivity(unchecked) @usableFromInline var downstream: Downstream?

  @inlinable
  init(
    elements: Elements, iterator: Elements.Iterator, next: Elements.Element, downstream: Downstream,
    name: StaticString?
  ) {
    self.name = name
    self.elements = elements
    self.iterator = iterator
    self.next = next
    self.downstream = downstream
    super.init(
      onRequest: { link, demand in link.downcast(to: SequenceLink.self).deliver(demand) },
      onCancel: { link in link.downcast(to: SequenceLink.self).end() })
  }

  @inlinable
  func deliver(_ demand: Subscribers.Demand) {
    if let name { demand.requireSome(name) }
    // Taken out rather than copied: nobody else looks at them meanwhile, and no reference is counted.
    guard demand > .none, ledger.add(demand) == 0, var current = next.take(), var iterator = iterator.take(),
      var downstream = downstream.take()
    else { return }
    var limit = DemandLedger.units(demand)
    while limit != DemandLedger.unlimited {
      // What is returned for a value counts here only: the ledger stays above zero until the batch is settled.
      var credit = limit
      while credit != 0, !ledger.isCancelled {
        let following = iterator.next()
        let more = downstream.receive(current)
        guard let following else { return finish(downstream) }
        current = following
        credit -= 1
        if more != .none, !earn(more, &credit) { break }
      }
      // Written back before the ledger can reach zero: from then on they may be another thread's.
      self.iterator = iterator
      self.downstream = consume downstream
      next = current
      limit = ledger.settle(limit)
      if limit == 0 { return }
      if limit == DemandLedger.cancelled { return release() }
      guard let again = self.downstream.take() else { return }
      downstream = again
      self.iterator = nil
    }
    // Without limit there is nothing to count, and one word to look at.
    while !ledger.isCancelled {
      let following = iterator.next()
      _ = downstream.receive(current)
      guard let following else { return finish(downstream) }
      current = following
    }
    release()
  }

  /// Takes returned demand into account.
  ///
  /// - Returns: `false` if there is no limit any more, as the ledger then says.
  @inlinable @inline(__always)
  func earn(_ more: Subscribers.Demand, _ credit: inout Int) -> Bool {
    let (sum, overflow) = credit.addingReportingOverflow(DemandLedger.units(more))
    guard !overflow, sum != DemandLedger.unlimited else {
      ledger.add(.unlimited)
      return false
    }
    credit = sum
    return true
  }

  @inlinable
  func finish(_ downstream: Downstream) {
    let wasCancelled = ledger.cancel() == DemandLedger.cancelled
    release()
    if !wasCancelled { downstream.receive(completion: .finished) }
  }

  /// Cancels. The fields are freed here, unless a delivery is under way, which then does it.
  @inlinable
  func end() {
    if ledger.cancel() == 0 { release() }
  }

  @inlinable
  func release() {
    elements = nil
    iterator = nil
    next = nil
    downstream = nil
  }

  @usableFromInline
  package override var description: String {
    if let name { return "\(name)" }
    return (elements as? any CustomStringConvertible)?.description ?? "Sequence"
  }

  @usableFromInline
  package override var customMirror: Mirror {
    guard name != nil else { return Mirror(of: self, children: ["sequence": elements.map { $0 as Any } ?? []]) }
    var values: [Elements.Element] = []
    if let elements { values += elements }
    return Mirror(self, unlabeledChildren: values, ancestorRepresentation: .suppressed)
  }
}

extension Sequence {
  /// Gives a subscriber a subscription to these elements, or completes it at once if there are none.
  @inlinable
  package func deliver<Downstream: Subscriber>(to downstream: Downstream, as name: StaticString? = nil)
  where Downstream.Input == Element {
    var iterator = makeIterator()
    guard let first = iterator.next() else {
      downstream.receive(subscription: Subscriptions.empty)
      return downstream.receive(completion: .finished)
    }
    downstream.receive(
      subscription: SequenceLink(
        elements: self, iterator: iterator, next: first, downstream: downstream, name: name))
  }
}
