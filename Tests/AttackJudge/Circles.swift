// Which values another thread may deliver because threads waited for each other, as an attack sees it from outside.

/// A value on its way to a node, from a thread that may be inside other nodes' subscribers.
package struct PassedSend: Equatable, Sendable {
  /// The number of the node that it is sent to, from 0.
  package let node: Int
  /// The nodes in whose subscribers its thread is meanwhile: one bit for each.
  package let held: Int
  /// From before the call until after it.
  package var span: Span

  package init(to node: Int, holding held: Int, _ span: Span) { (self.node, self.held, self.span) = (node, held, span) }
}

/// Who sent where from inside of what, at which time.
///
/// A thread waits in a circle if it is inside a node's subscriber and sends to another node, in whose subscriber
/// another thread is that sends on to a third, and so on, until one sends to a node in whose subscriber the first one
/// is; and all of them at one time. This knows nothing of what the engine says about itself.
package struct Circles: Sendable {
  /// What each thread sent, in the order in which it began.
  private let sends: [[PassedSend]]

  package init(_ sends: [[PassedSend]]) { self.sends = sends }

  /// Whether a circle was closed through a `send`.
  package func contain(_ send: PassedSend, of thread: Int) -> Bool {
    send.held != 0 && leads(from: send.node, to: send.held, send.span, past: 1 << thread)
  }

  private func leads(from node: Int, to goal: Int, _ window: Span, past threads: Int) -> Bool {
    for (thread, list) in sends.enumerated() where threads & 1 << thread == 0 {
      var index = count(of: list, startingUntil: window.end) - 1
      // Its outermost sends follow each other; the others are inside those.
      while index >= 0, list[index].held != 0 || list[index].span.end >= window.start {
        let send = list[index]
        index -= 1
        guard send.held & 1 << node != 0, let common = send.span.overlap(window) else { continue }
        if goal & 1 << send.node != 0 { return true }
        if leads(from: send.node, to: goal, common, past: threads | 1 << thread) { return true }
      }
    }
    return false
  }

  private func count(of list: [PassedSend], startingUntil time: Int) -> Int {
    var (low, high) = (0, list.count)
    while low < high {
      let middle = (low + high) / 2
      if list[middle].span.start > time { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
