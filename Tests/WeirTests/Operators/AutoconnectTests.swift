// Tests of autoconnect: one connection while there are subscribers.

import TestKit
import Testing
import Weir

/// A connectable publisher that counts its connections and does what the test says.
final class ScriptedConnectable: ConnectablePublisher {
  typealias Output = Int
  typealias Failure = TestFailure

  let publisher: ScriptedPublisher<Int, TestFailure>
  private(set) var history: [String] = []
  var onConnect: (() -> Void)?
  var onDisconnect: (() -> Void)?

  init(_ subscription: RecordingSubscription? = RecordingSubscription()) { publisher = ScriptedPublisher(subscription) }

  func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == TestFailure {
    publisher.receive(subscriber: subscriber)
  }

  func connect() -> any Cancellable {
    history.append("connected")
    onConnect?()
    return AnyCancellable {
      self.history.append("disconnected")
      self.onDisconnect?()
    }
  }
}

/// Sends 1 when it is connected, and lets a test hold back who attaches.
private final class LateConnectable: ConnectablePublisher, @unchecked Sendable {
  typealias Output = Int
  typealias Failure = Never

  private let subject = PassthroughSubject<Int, Never>()
  let hasCome = Counter(), mayAttach = Counter()
  private(set) var connections = 0
  var waitsToAttach = false
  var onDisconnect: (() -> Void)?

  func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never {
    if waitsToAttach {
      hasCome.add()
      mayAttach.wait(for: 1)
    }
    subject.receive(subscriber: subscriber)
  }

  func connect() -> any Cancellable {
    connections += 1
    subject.send(1)
    return AnyCancellable {
      self.connections -= 1
      self.onDisconnect?()
    }
  }
}

@Suite struct AutoconnectTests {
  typealias Recorder = RecordingSubscriber<Int, TestFailure>

  private let connectable = ScriptedConnectable()
  private let recorders = (1...3).map { Recorder(.max($0)) }
  private var connections: Int { connectable.history.reduce(0) { $0 + ($1 == "connected" ? 1 : -1) } }

  @Test func connectsWithTheFirstSubscriberAndDisconnectsWithTheLast() {
    let connected = connectable.autoconnect()
    #expect(connectable.history == [])
    for recorder in recorders {
      connected.subscribe(recorder)
      #expect(connectable.history == ["connected"])
    }
    recorders[1].cancel()
    recorders[1].cancel()
    recorders[2].cancel()
    #expect(connectable.history == ["connected"])
    recorders[0].cancel()
    #expect(connectable.history == ["connected", "disconnected"])
    recorders[0].cancel()
    #expect(connectable.history == ["connected", "disconnected"])
    #expect(
      connectable.publisher.subscription?.history == [
        .requested(.max(1)), .requested(.max(2)), .requested(.max(3)), .cancelled, .cancelled, .cancelled,
      ])
  }

  @Test func connectsAfterTheSubscriberHasItsSubscription() {
    connectable.onConnect = { [recorders] in
      #expect(recorders[0].history == [.subscription("RecordingSubscription")])
    }
    connectable.autoconnect().subscribe(recorders[0])
    #expect(connectable.history == ["connected"])
  }

  @Test func connectsAgain() {
    let connected = connectable.autoconnect()
    for recorder in recorders {
      connected.subscribe(recorder)
      recorder.cancel()
    }
    #expect(connectable.history == Array(repeating: ["connected", "disconnected"], count: 3).flatMap { $0 })
  }

  @Test func passesEverythingOn() {
    let recorder = Recorder(nil, perValue: .max(203))
    connectable.autoconnect().subscribe(recorder)
    let publisher = connectable.publisher
    #expect(publisher.send(1) == .max(203))
    publisher.send(completion: .finished)
    #expect(publisher.send(2) == .max(203))
    publisher.send(completion: .failure(.first))
    #expect(
      recorder.history == [
        .subscription("RecordingSubscription"), .value(1), .completion(.finished), .value(2),
        .completion(.failure(.first)),
      ])
    #expect(publisher.subscriber?.description == "Autoconnect")
    #expect(recorder.subscriptions[0].combineIdentifier == publisher.subscription?.combineIdentifier)
    recorder.request(.none)
    #expect(publisher.subscription?.history == [.requested(.none)])
  }

  @Test func aCompletionDoesNotDisconnect() {
    connectable.autoconnect().subscribe(recorders[0])
    connectable.publisher.send(completion: .finished)
    #expect(connectable.history == ["connected"])
    recorders[0].cancel()
    #expect(connectable.history == ["connected", "disconnected"])
  }

  // MARK: Re-entrance

  /// Both subscribers find no connection; the second connection replaces the first, and counts one subscriber.
  @Test func whoSubscribesWithinTheFirstSubscriptionConnectsAsWell() {
    let connected = connectable.autoconnect()
    recorders[0].onSubscription = { [recorders] _ in connected.subscribe(recorders[1]) }
    connected.subscribe(recorders[0])
    // The connection that was replaced is freed, and an `AnyCancellable` cancels when it is.
    #expect(connectable.history == ["connected", "connected", "disconnected"])
    recorders[0].cancel()
    #expect(connectable.history == ["connected", "connected", "disconnected", "disconnected"])
    recorders[1].cancel()
    #expect(connectable.history == ["connected", "connected", "disconnected", "disconnected"])
  }

  @Test func aNestedSubscriberThatCancelsAtOnceLeavesTheFirstConnected() {
    let connected = connectable.autoconnect()
    recorders[0].onSubscription = { [recorders] _ in
      connected.subscribe(recorders[1])
      recorders[1].cancel()
    }
    connected.subscribe(recorders[0])
    #expect(connectable.history == ["connected", "connected", "disconnected"])
    recorders[0].cancel()
    #expect(connectable.history == ["connected", "connected", "disconnected", "disconnected"])
  }

  @Test func whoCancelsWithItsSubscriptionDoesNotConnect() {
    recorders[0].onSubscription = { $0.cancel() }
    connectable.autoconnect().subscribe(recorders[0])
    #expect(connectable.history == [])
  }

  @Test func whoCancelsWhileItIsConnectedDisconnects() {
    connectable.onConnect = { [recorders] in recorders[0].cancel() }
    connectable.autoconnect().subscribe(recorders[0])
    #expect(connectable.history == ["connected", "disconnected"])
  }

  @Test func whoSubscribesWhileItIsDisconnectedConnectsAgain() {
    let connected = connectable.autoconnect()
    connectable.onDisconnect = { [connectable, recorders] in
      connectable.onDisconnect = nil
      connected.subscribe(recorders[1])
      #expect(connectable.history == ["connected", "disconnected"])
    }
    connected.subscribe(recorders[0])
    recorders[0].cancel()
    #expect(connectable.history == ["connected", "disconnected", "connected"])
  }

  /// Two come while the last one goes; the second, if that is within the next connection, connects itself. Later, two
  /// others share a connection, which has nothing to do with those.
  @Test(arguments: [false, true])
  func whoConnectsWhileTheLastGoesTakesNobodyElsesPlace(withinTheNextConnection isLater: Bool) {
    let connected = connectable.autoconnect()
    let (first, second) = (Recorder(.max(1)), Recorder(.max(1)))
    connectable.onDisconnect = { [connectable, recorders] in
      connectable.onDisconnect = nil
      connected.subscribe(recorders[1])
      guard isLater else { return connected.subscribe(recorders[2]) }
      connectable.onConnect = {
        connectable.onConnect = nil
        connected.subscribe(recorders[2])
      }
    }
    connected.subscribe(recorders[0])
    for recorder in recorders { recorder.cancel() }
    let replaced = isLater ? ["connected", "disconnected"] : []
    #expect(connectable.history == ["connected", "disconnected", "connected"] + replaced + ["disconnected"])
    connectable.onConnect = { [connectable] in
      connectable.onConnect = nil
      onThreads(1) { _ in connected.subscribe(second) }
    }
    connected.subscribe(first)
    first.cancel()
    #expect(connectable.history.last == "connected")
    second.cancel()
    #expect(connectable.history.last == "disconnected")
  }

  /// It heard of the values of the connection that was made within its cancellation.
  @Test func whoLeavesHearsNothingOfTheNextConnection() {
    let connected = connectable.autoconnect()
    connected.subscribe(recorders[0])
    connectable.onDisconnect = { [recorders] in connected.subscribe(recorders[1]) }
    connectable.onConnect = { [connectable] in connectable.publisher.send(1) }
    recorders[0].cancel()
    #expect(connectable.history == ["connected", "disconnected", "connected"])
    #expect(recorders[0].values == [])
    #expect(connectable.publisher.subscription?.history.contains(.cancelled) == true)
    connectable.onDisconnect = nil
    recorders[1].cancel()
  }

  /// The thread that had disconnected connected for a subscriber that was not attached, which missed what came at once.
  @Test func whoComesWhileTheLastOneLeavesMissesNothing() {
    let late = LateConnectable()
    let connected = late.autoconnect()
    let first = RecordingSubscriber<Int, Never>(.unlimited), second = RecordingSubscriber<Int, Never>(.unlimited)
    connected.subscribe(first)
    let thread = Shared<OtherThread?>(nil)
    late.onDisconnect = {
      late.waitsToAttach = true
      thread.value = OtherThread { connected.subscribe(second) }
      late.hasCome.wait(for: 1)
    }
    first.cancel()
    late.mayAttach.add()
    #expect(thread.value?.comesBack() == true)
    #expect(second.values == [1])
    late.onDisconnect = nil
    second.cancel()
    #expect(late.connections == 0)
  }

  /// The defect: the second one counted as one within the first one's subscription, and connected itself, before the
  /// one that left had left.
  @Test(arguments: 1...3) func howeverManyComeWhileTheLastOneLeavesAllHearTheNextConnection(count: Int) {
    let late = LateConnectable()
    let connected = late.autoconnect()
    let leaver = RecordingSubscriber<Int, Never>(.unlimited)
    let newcomers = (0..<count).map { _ in RecordingSubscriber<Int, Never>(.unlimited) }
    connected.subscribe(leaver)
    late.onDisconnect = {
      late.onDisconnect = nil
      for newcomer in newcomers { connected.subscribe(newcomer) }
    }
    leaver.cancel()
    #expect(leaver.values == [1])
    for newcomer in newcomers { #expect(newcomer.values == [1]) }
    #expect(late.connections == 1)
    for newcomer in newcomers { newcomer.cancel() }
    #expect(late.connections == 0)
  }

  @Test func aNestedSubscriberThatHasGoneIsForgottenOnce() {
    let connected = connectable.autoconnect()
    let nested = recorders[1], other = recorders[2]
    recorders[0].onSubscription = { _ in
      connected.subscribe(nested)
      onThreads(1) { _ in connected.subscribe(other) }
      nested.cancel()
    }
    connected.subscribe(recorders[0])
    recorders[0].onSubscription = nil
    recorders[0].cancel()
    #expect(connections == 1, "one subscriber is left")
    other.cancel()
    #expect(connections == 0)
  }
}
