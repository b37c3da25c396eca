// Elements of collections by indices that may be out of range.

extension Collection {
  /// The element at an index; `nil` if that is out of range. The index must be one that can be compared with those that
  /// the collection has now, as a number can; one of a dictionary that has changed since can't.
  @_disfavoredOverload
  public subscript(safe index: Index) -> Element? { contains(index: index) ? self[index] : nil }

  func contains(index: Index) -> Bool { index >= startIndex && index < endIndex }
}

extension MutableCollection {
  /// The element at an index; `nil` if that is out of range. Setting `nil`, or out of range, does nothing.
  @_disfavoredOverload
  public subscript(safe index: Index) -> Element? {
    get { contains(index: index) ? self[index] : nil }
    set { if let newValue, contains(index: index) { self[index] = newValue } }
  }
}
