// A few streams to be cancelled, as a value that allocates nothing for the usual two.

/// The streams that an operator has upstream, in the order in which they are cancelled.
@usableFromInline
package struct LinkList {
  private var first: Link?
  private var second: Link?
  private var others: [Link]?

  @usableFromInline
  package init() {}

  @usableFromInline
  package init(_ first: Link?, _ second: Link?) {
    (self.first, self.second) = first == nil ? (second, nil) : (first, second)
  }

  @usableFromInline
  package mutating func append(_ link: Link) {
    if first == nil {
      first = link
    } else if second == nil {
      second = link
    } else {
      others = others ?? []
      others?.append(link)
    }
  }

  /// Cancels them all. User code runs.
  @usableFromInline
  package func cancel() {
    first?.cancel()
    second?.cancel()
    guard let others else { return }
    for link in others { link.cancel() }
  }
}
