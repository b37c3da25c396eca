// Taking many elements one by one: the loop that all queues share.

/// Takes elements and gives them to a body, until there is none or the body has had as many as it may.
///
/// Each element is out of the queue before the body has it: so the body may use the queue, and what it throws leaves
/// the others where they are.
///
/// - Parameters:
///   - limit: How many elements at most.
///   - next: Takes one.
///   - body: Gets each, in order.
/// - Returns: How many elements the body has had.
@inlinable @inline(__always)
func drained<Element: ~Copyable, Failure: Error>(
  atMost limit: Int, _ next: () -> Element?, _ body: (consuming Element) throws(Failure) -> Void
) throws(Failure) -> Int {
  var count = 0
  while count < limit, let element = next() {
    try body(element)
    count += 1
  }
  return count
}
