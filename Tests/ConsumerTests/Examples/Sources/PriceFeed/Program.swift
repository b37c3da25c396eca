// Two venues that send from threads of their own, a reader that keeps up, and one that reads three times in all.

import Combine
import Dispatch
import Synchronization

/// Sends made-up quotes from as many threads as there are symbols.
struct Venue: @unchecked Sendable {
  let quotes = PassthroughSubject<Quote, VenueError>()
  let premium: Int

  func send(_ symbols: [String], count: Int) {
    DispatchQueue.concurrentPerform(iterations: symbols.count) { index in
      for sequence in 1...count {
        let price = 1000 * (index + 1) + premium + sequence * 7919 % 100
        quotes.send(Quote(symbol: symbols[index], price: price, sequence: sequence))
        // Venues repeat themselves.
        if sequence % 10 == 0 { quotes.send(Quote(symbol: symbols[index], price: 0, sequence: sequence - 1)) }
      }
    }
  }
}

/// What came of the readers.
struct Seen {
  var boards = 0
  var lowest: [Int] = []
  var ends: [String] = []
}

@main
struct Program {
  static func main() {
    let symbols = ["AAA", "BBB", "CCC"]
    let clock = DispatchQueue(label: "clock")
    let venues = [Venue(premium: 0), Venue(premium: -5)]
    let feeds = venues.map { venue in PriceFeed(clock: clock) { venue.quotes } }
    var subscriptions: Set<AnyCancellable> = []

    // The threads of the venues call these closures, so that they are `@Sendable`: they would belong to the main actor
    // otherwise, as `main` does.
    let seen = Mutex(Seen())
    feeds[0].boards
      .sink(
        receiveCompletion: { @Sendable end in seen.withLock { $0.ends.append("boards: \(end)") } },
        receiveValue: { @Sendable _ in seen.withLock { $0.boards += 1 } }
      )
      .store(in: &subscriptions)
    best(of: "AAA", at: feeds[0], and: feeds[1])
      .sink(
        receiveCompletion: { @Sendable end in seen.withLock { $0.ends.append("best: \(end)") } },
        receiveValue: { @Sendable price in seen.withLock { $0.lowest.append(price) } }
      )
      .store(in: &subscriptions)
    let slow = Reader<Board, VenueError>()
    feeds[0].newest.subscribe(slow)

    func show(_ board: Board?) -> String {
      symbols.map { symbol in "\(symbol) \(board?.quotes[symbol].map { "\($0.price)" } ?? "-")" }.joined(
        separator: ", ")
    }
    venues[0].send(symbols, count: 500)
    slow.next()
    venues[0].send(["AAA"], count: 501)
    venues[1].send(["AAA"], count: 3)
    slow.next()
    slow.next()
    print("the reader that keeps up saw \(seen.withLock(\.boards)) boards")
    print("the slow one saw \(slow.values.count):")
    for board in slow.values { print("  \(show(board))") }

    venues[0].quotes.send(Quote(symbol: "BBB", price: 1, sequence: 502))
    print("and the next one when there was one: \(show(slow.values.last))")
    print("best price of AAA: \(seen.withLock(\.lowest))")

    venues[0].quotes.send(completion: .failure(.refused))
    print(seen.withLock(\.ends).sorted().joined(separator: "; "))
    slow.next()
    print("the slow reader's end: \(slow.completion.map { "\($0)" } ?? "not yet")")
  }
}
