// Bindings to the elements of a collection.

import Weir

extension SafeBinding where Value: MutableCollection {
  /// A binding for each element that the collection has now, by its index.
  ///
  /// Where there is no such index any more, its binding reads as the element was when the bindings were made, and is
  /// not written; in CombineExt it traps. Where an element before it has been removed, the binding stands for the one
  /// that has its index then. The indices must be such that can be compared whatever has been removed, as numbers can;
  /// those of a dictionary's values can't.
  public func bindingArray() -> [UIBinding<Value.Element>] {
    let elements = wrappedValue
    return elements.indices.map { safe($0, default: elements[$0]) }
  }

  /// A binding to an element that must be there: it traps where it is read or written and is not.
  ///
  /// It publishes the element at each change of the collection that has it; if elements are known to be `Equatable`
  /// here, only where it has changed, was not there before, or is told of without what it was: at first, and to a
  /// subscriber that has not asked for a change of the collection in time.
  public func unsafe(_ index: Value.Index) -> UIBinding<Value.Element> { element(index, isSame: { _, _ in false }) }

  /// A binding to an element that need not be there: out of range it reads as the default, and is not written. For
  /// indices as `bindingArray()` needs them.
  ///
  /// It publishes the element, or the default, at each change of the collection; if elements are known to be
  /// `Equatable` here, only where it has changed, or is told of without what it was, as by an `unsafe` one.
  ///
  /// - Parameters:
  ///   - index: The element's index.
  ///   - defaultValue: Evaluated each time there is no element, also for the collection before a change: that it has
  ///     become another one is no change.
  public func safe(
    _ index: Value.Index, default defaultValue: @autoclosure @escaping () -> Value.Element
  ) -> UIBinding<Value.Element> {
    element(index, default: defaultValue, isSame: { _, _ in false })
  }

  /// A binding to the element at an index that is there now: once the index is gone it reads as the element is now, and
  /// is not written. Where an element before it has been removed, it stands for the one that has the index then.
  ///
  /// CombineExt reads the element again for its default, and traps once it is gone. Traps if the index is out of range
  /// now.
  public func safe(_ index: Value.Index) -> UIBinding<Value.Element> {
    let now = current(index)
    return safe(index, default: now)
  }

  fileprivate func current(_ index: Value.Index) -> Value.Element {
    guard let now = wrappedValue[safe: index] else {
      preconditionFailure("safe(\(index)) has no default, and there is no element now: use safe(_:default:)")
    }
    return now
  }

  fileprivate func element(
    _ index: Value.Index, default defaultValue: (() -> Value.Element)? = nil,
    isSame: @escaping (Value.Element, Value.Element) -> Bool
  ) -> UIBinding<Value.Element> {
    let missing: () -> Value.Element =
      defaultValue ?? { preconditionFailure("unsafe(\(index)): there is no such element; use safe(_:default:)") }
    func element(of whole: Access<Value>) -> Access<Value.Element> {
      let read = { whole.read()[safe: index] ?? missing() }
      if case .readOnly = whole.kind {
        return Access(readOnly: read, turnOfReferred: whole.turnOfReferred) { isAnnounced, body in
          guard whole.read().contains(index: index) else {
            if defaultValue == nil { _ = missing() }
            return
          }
          whole.changeReferred(isAnnounced) { whole in if let element = whole[safe: index] { body(element) } }
        }
      }
      return Access(
        turn: whole.turn, read: read,
        store: { element, write in
          do {
            try whole.change(isAnnounced: write == .announced) { (whole: inout Value) throws(NoElement) in
              guard whole.contains(index: index) else { throw NoElement() }
              whole[index] = element
            }
          } catch {
            if defaultValue == nil { _ = missing() }
          }
        })
    }
    let diffs = compactMap { change -> DiffedValue<Value.Element>? in
      let old = change.old.flatMap { $0[safe: index] ?? defaultValue?() }
      guard let new = change.new[safe: index] ?? defaultValue?() else { return nil }
      if let old, isSame(old, new) { return nil }
      // By way of the diff, which does not keep the state alive: the state keeps its subscribers.
      return DiffedValue(old: old, snapshot: new, access: element(of: change.access))
    }
    return UIBinding(diffs, element(of: observe().access))
  }
}

/// Leaves a collection as it is that has no such element.
private struct NoElement: Error {}

extension SafeBinding where Value: MutableCollection, Value.Element: Equatable {
  /// A binding to an element that must be there; publishes it where it has changed, as far as that is known.
  ///
  /// CombineExt publishes it at every change of the collection.
  public func unsafe(_ index: Value.Index) -> UIBinding<Value.Element> { element(index, isSame: ==) }

  /// A binding to an element that need not be there; publishes it, or the default, where it has changed, as far as that
  /// is known.
  public func safe(
    _ index: Value.Index, default defaultValue: @autoclosure @escaping () -> Value.Element
  ) -> UIBinding<Value.Element> {
    element(index, default: defaultValue, isSame: ==)
  }

  /// A binding to an element that is there now; publishes it where it has changed, as far as that is known.
  public func safe(_ index: Value.Index) -> UIBinding<Value.Element> {
    let now = current(index)
    return safe(index, default: now)
  }

  /// A binding for each element that the collection has now; each publishes its element where that has changed, as far
  /// as is known.
  public func bindingArray() -> [UIBinding<Value.Element>] {
    let elements = wrappedValue
    return elements.indices.map { safe($0, default: elements[$0]) }
  }
}
