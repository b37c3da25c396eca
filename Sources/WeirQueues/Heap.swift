// Elements of which the least is at hand, whatever is added meanwhile.

/// A binary heap: no element is less than the one above it, at half its place. Not for use from several threads at
/// once.
package struct Heap<Element: Comparable> {
  /// The elements; only the first has its place in their order.
  package private(set) var elements: [Element] = []

  package init() {}

  /// How many elements there are.
  package var count: Int { elements.count }

  /// The least element: of several that are alike, any.
  package var least: Element? { elements.first }

  /// Adds an element.
  ///
  /// - Complexity: O(log n) in the number of elements.
  package mutating func insert(_ element: Element) {
    elements.append(element)
    var place = elements.count - 1
    while place > 0, elements[place] < elements[(place - 1) / 2] {
      elements.swapAt(place, (place - 1) / 2)
      place = (place - 1) / 2
    }
  }

  /// Takes the least element.
  ///
  /// - Complexity: O(log n) in the number of elements.
  @discardableResult
  package mutating func popLeast() -> Element? {
    guard let least = elements.first, let last = elements.popLast() else { return nil }
    guard !elements.isEmpty else { return least }
    elements[0] = last
    var place = 0
    while 2 * place + 1 < elements.count {
      var child = 2 * place + 1
      if child + 1 < elements.count, elements[child + 1] < elements[child] { child += 1 }
      guard elements[child] < elements[place] else { break }
      elements.swapAt(place, child)
      place = child
    }
    return least
  }

  /// Removes all elements but some.
  ///
  /// - Complexity: O(n log n) in the number of elements.
  package mutating func keep(where isKept: (Element) -> Bool) {
    // What is sorted is a heap.
    elements = elements.filter(isKept).sorted()
  }
}
