// A server that tells prices to its clients, one of which stops asking: what `gauge top` is shown on.

import Dispatch
import Weir
import WeirDispatch
import WeirExtras

/// One client, which asks for a price once it has taken the one before.
final class Client: Subscriber, CustomStringConvertible {
  typealias Input = Int
  typealias Failure = Never

  let description: String
  /// How many prices it takes before it forgets to ask.
  private let most: Int
  private var taken = 0
  private var subscription: (any Subscription)?

  init(_ name: String, taking most: Int = .max) {
    description = name
    self.most = most
  }

  func receive(subscription: any Subscription) {
    self.subscription = subscription
    subscription.request(.max(1))
  }

  func receive(_ price: Int) -> Subscribers.Demand {
    taken += 1
    return taken < most ? .max(1) : .none
  }

  func receive(completion: Subscribers.Completion<Never>) {}
}

/// Opens the exchange. Its closures are called on queues, and so belong to no actor: those of `main` would be the main
/// actor's.
func open() -> [Any] {
  let prices = PassthroughSubject<Int, Never>()
  let clients = [Client("ada"), Client("bob"), Client("eve", taking: 200), Client("zoe")]
  for client in clients {
    prices
      .filter { $0 > 0 }
      .buffer(size: 500, prefetch: .byRequest, whenFull: .dropNewest)
      .subscribe(client)
  }
  let audit = prices.receive(on: DispatchQueue(label: "audit")).scan(0, +).sink { _ in }
  let exchange = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "exchange"))
  exchange.schedule(deadline: .now(), repeating: .milliseconds(4))
  exchange.setEventHandler { prices.send(Int.random(in: 1...999)) }
  exchange.resume()
  return [clients, audit, exchange]
}

@main
struct Program {
  static func main() {
    let exchange = open()
    print("The prices are open.")
    withExtendedLifetime(exchange) { dispatchMain() }
  }
}
