// Tests of makeConnectable: nothing happens before it is connected.

import TestKit
import Testing
import Weir

@Suite struct MakeConnectableTests {
  typealias Recorder = RecordingSubscriber<Int, Never>

  private let source = ScriptedPublisher(of: Int.self, failingWith: Never.self)

  @Test func allSubscribersGetWhatComesOnceItIsConnected() {
    let connectable = source.makeConnectable()
    let recorders = [Recorder(.unlimited), Recorder(.max(1))]
    for recorder in recorders { connectable.subscribe(recorder) }
    #expect(source.subscriber == nil)
    let connection = connectable.connect()
    #expect(source.subscription?.history == [.requested(.unlimited)])
    for value in 1...2 { #expect(source.send(value) == .none) }
    source.send(completion: .finished)
    #expect(
      recorders.map(\.history) == [
        [.subscription("Multicast"), .value(1), .value(2), .completion(.finished)],
        [.subscription("Multicast"), .value(1), .completion(.finished)],
      ])
    connection.cancel()
  }

  @Test func copiesAreOnePublisher() {
    let subject = PassthroughSubject<Int, Never>()
    let connectable = subject.makeConnectable()
    let recorder = Recorder(.unlimited)
    connectable.subscribe(recorder)
    let copy = connectable
    let connections = [connectable.connect(), copy.connect()]
    subject.send(42)
    connections[0].cancel()
    subject.send(43)
    connections[1].cancel()
    subject.send(44)
    #expect(recorder.values == [42, 42, 43])
  }

  @Test func ignoresWhatComesBeforeTheConnection() {
    let recorder = Recorder(.unlimited)
    [1, 2].publisher.makeConnectable().subscribe(recorder)
    #expect(recorder.history == [.subscription("Multicast")])
  }

  @Test func autoconnectConnectsIt() {
    let recorder = Recorder(.unlimited)
    [1, 2].publisher.makeConnectable().autoconnect().subscribe(recorder)
    #expect(recorder.history == [.subscription("Multicast"), .value(1), .value(2), .completion(.finished)])
  }

  @Test func freesEverythingWhenDisconnected() {
    let lifetimes = Lifetimes()
    do {
      let tracked = lifetimes.track()
      let subject = PassthroughSubject<Int, Never>()
      let connectable = subject.map { value -> Int in
        tracked.touch()
        return value
      }.makeConnectable()
      let sink = connectable.sink { _ in }
      let connection = connectable.connect()
      subject.send(1)
      connection.cancel()
      sink.cancel()
    }
    #expect(lifetimes.live == 0)
  }
}
