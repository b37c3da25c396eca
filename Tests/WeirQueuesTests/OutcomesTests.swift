// Tests of the answers of queues: what is taken, and what comes back.

import Testing
import WeirQueues

@Suite struct OutcomesTests {
  @Test func anOfferIsTakenOrComesBack() {
    #expect(Offer<Int>.taken.isTaken)
    #expect(!Offer.full(1).isTaken)
    #expect(!Offer.closed(1).isTaken)
    let offers: [Offer<Int>] = [.taken, .full(1), .closed(2)]
    #expect(offers.map { $0.returned() } == [nil, 1, 2])
    #expect(Offer.full(1) != .closed(1))
  }

  @Test func whatCanNotBeCopiedComesBack() {
    let numbers = [
      number(of: Offer.full(Single(7)).returned()), number(of: Received.element(Single(8)).taken()),
      number(of: Received<Single>.closed.taken()),
    ]
    #expect(numbers == [7, 8, nil])
  }

  @Test func elementsComeOutOfWhatIsReceived() {
    let answers: [Received<Int>] = [.element(1), .empty, .closed]
    #expect(answers.map { $0.taken() } == [1, nil, nil])
    #expect(answers[1] != answers[2])
    #expect(Overwrite.replaced(1) != .closed(1))
  }
}

/// The number of an element that ends here.
func number(of element: consuming Single?) -> Int? {
  switch consume element {
  case .some(let element): return element.number
  case .none: return nil
  }
}

/// An element that can't be copied.
struct Single: ~Copyable, Sendable {
  let number: Int
  private let onEnd: (@Sendable () -> Void)?

  init(_ number: Int, onEnd: (@Sendable () -> Void)? = nil) {
    self.number = number
    self.onEnd = onEnd
  }

  deinit { onEnd?() }
}
