// View models that add up what two publishers send on threads of their own: one that is right, and one that isn't.

import Weir
import WeirQueues

/// What a view shows of a cart.
package protocol Cart: AnyObject {
  /// Subscribes to both.
  init(prices: some Publisher<Int, Never>, discounts: some Publisher<Int, Never>)
  var total: Int { get }
}

/// Has two subscriptions, whose closures two threads may call at once.
package final class BrokenCart: Cart {
  @NonAtomic package private(set) var total = 0
  private var subscriptions: Set<AnyCancellable> = []

  package init(prices: some Publisher<Int, Never>, discounts: some Publisher<Int, Never>) {
    prices.sink { [unowned self] in total += $0 }.store(in: &subscriptions)
    discounts.sink { [unowned self] in total -= $0 }.store(in: &subscriptions)
  }
}

/// Has one subscription to both: of one stream, closures are never called by two threads at once.
package final class RightCart: Cart {
  @NonAtomic package private(set) var total = 0
  private var subscription: AnyCancellable?

  package init(prices: some Publisher<Int, Never>, discounts: some Publisher<Int, Never>) {
    subscription = prices.merge(with: discounts.map { -$0 }).sink { [unowned self] in total += $0 }
  }
}
