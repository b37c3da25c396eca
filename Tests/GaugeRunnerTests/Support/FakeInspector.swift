// A program that serves its live streams, of whose answers a test decides.

import Foundation
import TestKit

@testable import GaugeRunner

/// Answers one connection after the other at a socket, each request with the next of its answers; a request that has
/// none left ends the connection.
final class FakeInspector {
  let path: String
  private let listener: Int32

  /// - Parameters:
  ///   - path: The socket.
  ///   - greeting: The answer to `version`.
  ///   - snapshots: The answers to `snapshot`.
  ///   - backlog: How many more than one may wait.
  init(
    at path: String, greeting: String = #"{"version":1,"process":7,"program":"Shop"}"#, _ snapshots: [String],
    backlog: Int32 = 4
  ) {
    self.path = path
    Files.remove(path)
    guard let listener = LineClient.listener(at: path, backlog: backlog) else {
      preconditionFailure("\(path): \(SystemError.words(for: errno))")
    }
    self.listener = listener
    Thread.detachNewThread {
      while true {
        let connection = accept(listener, nil, nil)
        guard connection >= 0 else { return }
        Self.answer(connection, greeting, snapshots)
        close(connection)
      }
    }
  }

  deinit { shutdown(listener, Int32(SHUT_RDWR)) }

  private static func answer(_ connection: Int32, _ greeting: String, _ snapshots: [String]) {
    var (rest, line) = (snapshots[...], [UInt8]())
    var byte: UInt8 = 0
    while read(connection, &byte, 1) == 1 {
      guard byte == UInt8(ascii: "\n") else {
        line.append(byte)
        continue
      }
      let answer = line.elementsEqual("version".utf8) ? greeting : rest.popFirst()
      line = []
      guard let answer else { return }
      let bytes = Array((answer + "\n").utf8)
      guard send(connection, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else { return }
    }
  }
}

extension LiveGraph {
  /// A look, a number of seconds after another one.
  static func at(_ seconds: Int, _ subscriptions: Subscription...) -> LiveGraph {
    LiveGraph(time: seconds * 1_000_000_000, subscriptions: subscriptions)
  }
}

extension LiveGraph.Subscription {
  init(
    _ id: Int, _ publisher: String, to downstream: Int? = nil, _ subscriber: String = "Sink", feeding feeds: [Int] = [],
    state: String = "active", requested: Int? = nil, delivered: Int = 0, waiting: Int? = nil, dropped: Int? = nil,
    untaken: Int? = nil, age: Int = 90, isSubscriberHeld: Bool = true, isSubscriptionHeld: Bool = true,
    latency: Latency? = nil
  ) {
    self.init(
      id: id, publisher: publisher, subscriber: subscriber, downstream: downstream, feeds: feeds, state: state,
      requested: requested, delivered: delivered, waiting: waiting, dropped: dropped, untaken: untaken,
      age: age * 1_000_000_000, isSubscriberHeld: isSubscriberHeld, isSubscriptionHeld: isSubscriptionHeld,
      latency: latency)
  }
}

/// Two looks at a shop whose client eve has stopped asking.
enum ShopLooks {
  static let first = LiveGraph.at(
    100, .init(1, "Buffer", "eve", requested: 20, delivered: 20, waiting: 500, dropped: 0, age: 60),
    .init(2, "PassthroughSubject", to: 1, "Buffer", delivered: 520, age: 60),
    .init(3, "Map", "Sink", delivered: 1000, age: 30, latency: .init(samples: 10, total: 10_000)),
    .init(4, "Just", to: 3, "Map", delivered: 10, age: 30),
    .init(5, "PassthroughSubject", to: 3, "Map", delivered: 990, age: 30))
  static let second = LiveGraph.at(
    104, .init(1, "Buffer", "eve", requested: 20, delivered: 20, waiting: 500, dropped: 880, age: 64),
    .init(2, "PassthroughSubject", to: 1, "Buffer", delivered: 1400, age: 64),
    .init(3, "Map", "Sink", delivered: 1880, age: 34, latency: .init(samples: 14, total: 18_000)),
    .init(4, "Just", to: 3, "Map", delivered: 10, age: 34),
    .init(5, "PassthroughSubject", to: 3, "Map", delivered: 1870, age: 34),
    .init(9, "CurrentValueSubject", "Sink", delivered: 3, age: 2))

  /// What has been seen by them.
  static var streams: LiveStreams {
    var streams = LiveStreams()
    streams.take(first)
    streams.take(second)
    return streams
  }

  /// The looks as a program tells them.
  static let texts = [text(first), text(second)]

  static func text(_ graph: LiveGraph) -> String {
    let subscriptions = graph.subscriptions.map { subscription in
      var members = [
        "\"id\":\(subscription.id)", "\"publisher\":\"\(subscription.publisher)\"",
        "\"subscriber\":\"\(subscription.subscriber)\"", "\"feeds\":\(subscription.feeds)",
        "\"state\":\"\(subscription.state)\"", "\"delivered\":\(subscription.delivered)", "\"age\":\(subscription.age)",
        "\"isSubscriberHeld\":\(subscription.isSubscriberHeld)",
        "\"isSubscriptionHeld\":\(subscription.isSubscriptionHeld)",
      ]
      for (name, value) in [
        ("downstream", subscription.downstream), ("requested", subscription.requested),
        ("waiting", subscription.waiting), ("dropped", subscription.dropped), ("untaken", subscription.untaken),
      ] {
        if let value { members.append("\"\(name)\":\(value)") }
      }
      if let latency = subscription.latency {
        members.append("\"latency\":{\"samples\":\(latency.samples),\"total\":\(latency.total)}")
      }
      return "{" + members.joined(separator: ",") + "}"
    }
    return "{\"time\":\(graph.time),\"subscriptions\":[" + subscriptions.joined(separator: ",") + "]}"
  }
}
