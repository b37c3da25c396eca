// Prices of several venues, conflated: whoever can't keep up gets the newest prices, and no queue grows.

import Combine
import WeirExtras

/// A price at a venue.
struct Quote: Equatable, Sendable {
  var symbol: String
  /// In cents.
  var price: Int
  /// Counts the quotes of a symbol at its venue, which may send one again or late.
  var sequence: Int
}

/// Why a venue sends no quotes.
enum VenueError: Error, Equatable {
  /// The connection was lost; another one may be made.
  case disconnected
  /// The venue doesn't let us in.
  case refused
}

/// The newest quote of each symbol.
struct Board: Equatable, Sendable {
  private(set) var quotes: [String: Quote] = [:]

  /// The board with a quote more, or the same one if it has a newer quote of that symbol already.
  func adding(_ quote: Quote) -> Board {
    if let known = quotes[quote.symbol], known.sequence >= quote.sequence { return self }
    var board = self
    board.quotes[quote.symbol] = quote
    return board
  }

  /// What changed since another board, by symbol.
  func changes(since other: Board) -> [Quote] {
    quotes.values.filter { other.quotes[$0.symbol] != $0 }.sorted { $0.symbol < $1.symbol }
  }
}

/// What may happen to a symbol.
enum Alert: Equatable, Sendable {
  /// There was no new quote for too long.
  case stale(String)
  /// There is one again.
  case live(String)
}

/// The quotes of one venue, for any number of readers of any pace.
///
/// Any thread may subscribe to what it publishes; the quotes come on the thread that the venue sends on.
final class PriceFeed<Clock: Scheduler> {
  typealias Interval = Clock.SchedulerTimeType.Stride

  /// The board at each change; it fails when the venue is gone for good.
  let boards: AnyPublisher<Board, VenueError>
  private let clock: Clock

  /// Prepares a feed, which connects with the first reader and disconnects with the last.
  ///
  /// - Parameters:
  ///   - clock: Where time is taken.
  ///   - connect: Connects to the venue; called again, after pauses, when the connection is lost.
  init(clock: Clock, connect: @escaping () -> some Publisher<Quote, VenueError>) {
    self.clock = clock
    boards = Deferred { connect() }
      .retryWithBackoff(
        maxRetries: 5, initialDelay: 0.5, maxDelay: 4, resetsAfterValue: true, scheduler: clock,
        shouldRetry: { $0 == .disconnected }
      )
      .scan(Board()) { $0.adding($1) }
      .removeDuplicates()
      .shareReplay(bufferSize: 1)
      .eraseToAnyPublisher()
  }

  /// The boards for a reader that asks for one when it is ready for it: always the newest, none twice.
  var newest: some Publisher<Board, VenueError> { boards.buffer(size: 1, prefetch: .byRequest, whenFull: .dropOldest) }

  /// What has changed, at most once in an interval: what a screen needs.
  func changes(every interval: Interval) -> some Publisher<[Quote], VenueError> {
    boards
      .throttle(for: interval, scheduler: clock, latest: true)
      .prepend(Board())
      .pairwise()
      .map { $1.changes(since: $0) }
      .filter { !$0.isEmpty }
  }

  /// The quotes of one symbol.
  func quotes(of symbol: String) -> some Publisher<Quote, VenueError> {
    boards.compactMap { $0.quotes[symbol] }.removeDuplicates()
  }

  /// Tells which symbols fall silent, and which come back.
  func alerts(for symbols: [String], silence: Interval) -> some Publisher<Alert, VenueError> {
    Publishers.MergeMany(
      symbols.map { symbol in
        let quotes = quotes(of: symbol)
        let silences = quotes.debounce(for: silence, scheduler: clock).map { _ in Alert.stale(symbol) }
        return quotes.map { _ in .live(symbol) }.merge(with: silences).removeDuplicates().dropFirst()
      })
  }
}

/// The best price of a symbol over two venues, while both are there.
func best(
  of symbol: String, at first: PriceFeed<some Scheduler>, and second: PriceFeed<some Scheduler>
) -> some Publisher<Int, VenueError> {
  first.quotes(of: symbol).combineLatest(second.quotes(of: symbol)) { min($0.price, $1.price) }.removeDuplicates()
}
