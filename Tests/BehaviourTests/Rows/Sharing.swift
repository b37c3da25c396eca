// Behaviours of operators that share one subscription among several subscribers, and of those that connect by hand.

import Combine

extension Behaviours {
  mutating func addSharing() {
    self("share: one subscription for all") { t in
      let source = Source(t, of: Int.self)
      let shared = source.share()
      shared.watch(t, "a")
      shared.watch(t, "b")
      source.send(1)
      source.send(completion: .finished)
    }
    self("share: everything is asked for whatever the subscriber asks") { t in
      let source = Source(t, of: Int.self, failing: Fault.self)
      source.share().watch(t, asking: .max(42), showsSubscription: true, answer: { .max($0) })
      source.send(1)
      source.send(completion: .failure(.oops))
    }
    self("share: who comes late gets only what comes later") { t in
      let source = Source(t, of: Int.self)
      let shared = source.share()
      shared.watch(t, "a")
      source.send(1)
      shared.watch(t, "b")
      source.send(2)
    }
    self("share: who comes after the end gets the end") { t in
      let shared = [1, 2].publisher.share()
      shared.watch(t, "a", showsSubscription: true)
      shared.watch(t, "b", showsSubscription: true)
    }
    self("share: the last one who leaves cancels and the next one begins anew") { t in
      let source = Source(t, of: Int.self)
      let shared = source.share()
      let first = shared.watch(t, "a")
      let second = shared.watch(t, "b")
      first.cancel()
      second.cancel()
      shared.watch(t, "c")
      source.send(1)
    }
    self("share: a delayed sequence reaches both") { t in
      let clock = t.clock
      let shared = [1, 2].publisher.delay(for: 1, scheduler: clock).share()
      shared.watch(t, "a")
      shared.watch(t, "b")
      clock.advance(by: 2)
    }
    self("share: is equal to itself only") { t in
      let first = Just(1).share()
      t.note(first == first)
      t.note(first == Just(1).share())
    }
    self("share: of a deferred future runs it once") { t in
      let shared = Deferred {
        Future<Int, Never> { promise in
          t.note("running")
          promise(.success(1))
        }
      }.share()
      shared.watch(t, "1", showsSubscription: true)
      shared.watch(t, "2")
    }
    self("multicast: nothing before it is connected") { t in
      let source = Source(t, of: Int.self)
      let subject = t.keep(PassthroughSubject<Int, Never>())
      let multicast = source.multicast(subject: subject)
      multicast.watch(t, "a", showsSubscription: true)
      multicast.watch(t, "b")
      t.note("connecting")
      multicast.connect().store(in: &t.cancellables)
      source.send(1)
    }
    self("multicast: disconnecting cancels and connecting again subscribes again") { t in
      let source = Source(t, of: Int.self)
      let multicast = source.multicast { PassthroughSubject<Int, Never>() }
      multicast.watch(t)
      let connection = multicast.connect()
      source.send(42)
      connection.cancel()
      multicast.connect().store(in: &t.cancellables)
      source.send(2)
    }
    self("multicast: connected twice delivers twice") { t in
      let subject = PassthroughSubject<Int, Never>()
      let multicast = subject.multicast { PassthroughSubject<Int, Never>() }
      multicast.watch(t)
      multicast.connect().store(in: &t.cancellables)
      multicast.connect().store(in: &t.cancellables)
      subject.send(42)
      subject.send(completion: .finished)
    }
    self("multicast: the subject is made once and late") { t in
      let multicast = Just(1).multicast { () -> PassthroughSubject<Int, Never> in
        t.note("made")
        return PassthroughSubject()
      }
      t.note("subscribing")
      multicast.watch(t)
      multicast.watch(t)
    }
    self("multicast: a current value subject gives late ones the newest value") { t in
      let source = Source(t, of: Int.self)
      let multicast = source.multicast(subject: CurrentValueSubject<Int, Never>(0))
      multicast.watch(t, "a")
      multicast.connect().store(in: &t.cancellables)
      source.send(1)
      multicast.watch(t, "b")
    }
    self("multicast: each subscriber gets as much as it asks for") { t in
      let source = Source(t, of: Int.self)
      let multicast = source.multicast(subject: t.keep(PassthroughSubject<Int, Never>()))
      multicast.watch(t, "a", asking: .max(3))
      multicast.connect().store(in: &t.cancellables)
      multicast.watch(t, "b", asking: .max(2))
      for value in 1...4 { source.send(value) }
    }
    self("multicast: demand in return for a value is a request to the subject") { t in
      let subject = NotingSubject(t)
      let multicast = PassthroughSubject<Int, Never>().multicast(subject: subject)
      multicast.connect().store(in: &t.cancellables)
      multicast.watch(t, asking: .max(42), answer: { .max($0) })
      subject.source.send(0)
      subject.source.send(3)
    }
  }

  mutating func addConnecting() {
    self("autoconnect: connects for the first and disconnects after the last") { t in
      let source = Source(t, of: Int.self)
      let auto = source.makeConnectable().autoconnect()
      t.note("subscribing")
      let first = auto.watch(t, "a")
      let second = auto.watch(t, "b")
      source.send(1)
      first.cancel()
      t.note("one left")
      second.cancel()
    }
    self("autoconnect: connects again") { t in
      let source = Source(t, of: Int.self)
      let auto = source.makeConnectable().autoconnect()
      auto.watch(t).cancel()
      auto.watch(t)
    }
    self("autoconnect: cancelled twice") { t in
      let source = Source(t, of: Int.self)
      let watcher = Connectable(source, t).autoconnect().watch(t)
      watcher.cancel()
      watcher.cancel()
    }
    self("makeConnectable: holds back until it is connected") { t in
      let connectable = [1, 2].publisher.makeConnectable()
      connectable.watch(t, "a")
      connectable.watch(t, "b")
      t.note("connecting")
      connectable.connect().store(in: &t.cancellables)
    }
    self("makeConnectable: a shared value reaches two streams") { t in
      let connectable = Just("Sent").share().makeConnectable()
      connectable.watch(t, "1")
      connectable.watch(t, "2")
      t.note("connecting")
      connectable.connect().store(in: &t.cancellables)
    }
    self("makeConnectable: its subscription is that of multicast") { t in
      Just(1).makeConnectable().watch(t, showsSubscription: true)
    }
    self("autoconnect: passes the subscription of what it connects on") { t in
      Just(1).makeConnectable().autoconnect().watch(t, showsSubscription: true)
    }
  }
}

/// A source that notes when it is connected and disconnected.
private struct Connectable: ConnectablePublisher {
  typealias Output = Int
  typealias Failure = Never

  let source: Source<Int, Never>
  let transcript: Transcript

  init(_ source: Source<Int, Never>, _ transcript: Transcript) {
    self.source = source
    self.transcript = transcript
  }

  func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never {
    source.receive(subscriber: subscriber)
  }

  func connect() -> any Cancellable {
    transcript.note("connected")
    return AnyCancellable { [transcript] in transcript.note("disconnected") }
  }
}

/// A subject that does nothing but note what is asked of the subscription it gives.
private final class NotingSubject: Subject {
  typealias Output = Int
  typealias Failure = Never

  let source: Source<Int, Never>

  init(_ transcript: Transcript) { source = Source(transcript, "subject", of: Int.self) }

  func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never {
    source.receive(subscriber: subscriber)
  }
  func send(_ value: Int) {}
  func send(completion: Subscribers.Completion<Never>) {}
  func send(subscription: any Subscription) {}
}
