// Tests of connectable publishers in general.

import TestKit
import Testing
import Weir

@Suite struct ConnectablePublisherTests {
  @Test func canBeConnectedWithoutKnowingItsType() {
    let subject = PassthroughSubject<Int, Never>()
    let recorder = RecordingSubscriber<Int, Never>(.unlimited)
    let connectable: any ConnectablePublisher<Int, Never> = subject.multicast { PassthroughSubject() }
    connectable.subscribe(recorder)
    subject.send(1)
    let connection = connectable.connect()
    subject.send(2)
    connection.cancel()
    #expect(recorder.values == [2])
  }

  @Test func autoconnectKeepsItsUpstream() {
    let connectable = ScriptedConnectable()
    #expect(connectable.autoconnect().upstream === connectable)
  }
}
