// A server to record: a pool of threads, each of which answers the requests of a connection; and who sends these.

import Dispatch
import Foundation
import Synchronization

/// Items that requests ask for.
struct Catalogue: Sendable {
  private let prices: [Int: Int]

  init() { prices = Dictionary(uniqueKeysWithValues: (0..<1000).map { ($0, $0 * 37 % 991) }) }

  @inline(never)
  func price(of item: Int) -> Int { prices[item % 1000] ?? 0 }
}

/// Permits to use something of which there are few.
final class PermitPool: Sendable {
  private let permits: DispatchSemaphore

  init(_ count: Int) { permits = DispatchSemaphore(value: count) }

  @inline(never)
  func take() { permits.wait() }

  @inline(never)
  func giveBack() { permits.signal() }
}

/// Answers requests of 64 bytes with answers of 256 bytes.
final class Server: Sendable {
  static let requestSize = 64
  static let answerSize = 256

  private let catalogue = Catalogue()
  private let database = PermitPool(4)
  /// Once set, requests for the item 13 keep the permit: the bug.
  let isBroken = Atomic<Bool>(false)

  /// Answers the requests of a connection until it is closed.
  func serve(_ connection: Int32) {
    var request = [UInt8](repeating: 0, count: Self.requestSize)
    while readAll(connection, &request) {
      var answer = handle(request)
      guard writeAll(connection, &answer) else { return }
    }
  }

  @inline(never)
  func handle(_ request: [UInt8]) -> [UInt8] {
    let item = parse(request)
    let price = lookUp(item)
    return render(item, price)
  }

  @inline(never)
  private func parse(_ request: [UInt8]) -> Int {
    let text = String(decoding: request.prefix { $0 != 0 }, as: UTF8.self)
    return text.split(separator: "/").last.flatMap { Int($0) } ?? 0
  }

  @inline(never)
  private func lookUp(_ item: Int) -> Int {
    database.take()
    let price = catalogue.price(of: item)
    if item == 13, isBroken.load(ordering: .relaxed) { return price }
    database.giveBack()
    return price
  }

  @inline(never)
  private func render(_ item: Int, _ price: Int) -> [UInt8] {
    var text = "{\"item\":\(item),\"price\":\(price),\"history\":["
    for day in 0..<20 { text += "\(day == 0 ? "" : ",")\((price + day * 7) % 997)" }
    text += "]}"
    var bytes = Array(text.utf8.prefix(Self.answerSize))
    bytes += [UInt8](repeating: 32, count: Self.answerSize - bytes.count)
    return bytes
  }
}

/// Reads until a buffer is full. Returns whether it is.
func readAll(_ file: Int32, _ buffer: inout [UInt8]) -> Bool {
  var count = 0
  while count < buffer.count {
    let size = buffer.count
    let more = buffer.withUnsafeMutableBytes { read(file, $0.baseAddress! + count, size - count) }
    if more < 0, errno == EINTR { continue }
    guard more > 0 else { return false }
    count += more
  }
  return true
}

/// Writes a whole buffer. Returns whether that succeeded.
func writeAll(_ file: Int32, _ buffer: inout [UInt8]) -> Bool {
  var count = 0
  while count < buffer.count {
    let size = buffer.count
    let more = buffer.withUnsafeBytes { write(file, $0.baseAddress! + count, size - count) }
    if more < 0, errno == EINTR { continue }
    guard more > 0 else { return false }
    count += more
  }
  return true
}

/// Sends requests at a rate, over all connections in turn, and takes the answers.
final class LoadGenerator: Sendable {
  let answered = Atomic<Int>(0)
  /// Nanoseconds from each request to its answer, of those since the last `reset`.
  private let latencies = Mutex<[Int]>([])
  private let isStopped = Atomic<Bool>(false)
  private let connections: [Int32]
  private let perSecond: Int

  init(_ connections: [Int32], perSecond: Int) {
    self.connections = connections
    self.perSecond = perSecond
  }

  func stop() { _ = isStopped.exchange(true, ordering: .relaxed) }

  func reset() { latencies.withLock { $0.removeAll(keepingCapacity: true) } }

  /// A part of the latencies in nanoseconds, from the shortest on.
  func latency(_ part: Double) -> Int {
    let sorted = latencies.withLock { $0 }.sorted()
    return sorted.isEmpty ? 0 : sorted[min(sorted.count - 1, Int(Double(sorted.count) * part))]
  }

  /// Sends until it is stopped.
  func run() {
    var sent = connections.map { _ in [UInt64]() }
    var taken = connections.map { _ in 0 }
    var polls = connections.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    let start = DispatchTime.now().uptimeNanoseconds
    var (number, waiting) = (0, 0)
    var answer = [UInt8](repeating: 0, count: Server.answerSize)
    while !isStopped.load(ordering: .relaxed) {
      let now = DispatchTime.now().uptimeNanoseconds
      // A server that hangs gets no more than fits its connections.
      while waiting < 512, number < Int(Double(now - start) * Double(perSecond) / 1e9) {
        let place = number % connections.count
        var request = Array("GET /items/\(number % 997)".utf8)
        request += [UInt8](repeating: 0, count: Server.requestSize - request.count)
        guard writeAll(connections[place], &request) else { return }
        sent[place].append(now)
        number += 1
        waiting += 1
      }
      guard poll(&polls, nfds_t(polls.count), 1) > 0 else { continue }
      let end = DispatchTime.now().uptimeNanoseconds
      for place in polls.indices where polls[place].revents & Int16(POLLIN) != 0 {
        guard readAll(connections[place], &answer) else { return }
        let latency = Int(end - sent[place][taken[place]])
        taken[place] += 1
        if taken[place] == 4096 {
          sent[place].removeFirst(4096)
          taken[place] = 0
        }
        waiting -= 1
        latencies.withLock { $0.append(latency) }
        answered.add(1, ordering: .relaxed)
      }
    }
  }
}
