// Behaviours of subjects.

import Combine
import Dispatch
import Foundation

extension Behaviours {
  mutating func addSubjects() {
    self("PassthroughSubject: values to who is there") { t in
      let subject = PassthroughSubject<String, Never>()
      subject.send("lost")
      subject.watch(t, showsSubscription: true)
      subject.send("one")
      subject.send("two")
      subject.send(completion: .finished)
      subject.send("late")
    }
    self("PassthroughSubject: a failure is the end") { t in
      let subject = PassthroughSubject<String, Fault>()
      subject.watch(t)
      subject.send("one")
      subject.send(completion: .failure(.oops))
      subject.send(completion: .finished)
    }
    self("PassthroughSubject: what nobody asked for is dropped") { t in
      let subject = PassthroughSubject<Int, Never>()
      let watcher = subject.watch(t, asking: .max(2))
      for value in 1...3 { subject.send(value) }
      watcher.request(.max(2))
      for value in 6...8 { subject.send(value) }
    }
    self("PassthroughSubject: demand in return for a value") { t in
      let subject = PassthroughSubject<Int, Never>()
      subject.watch(t, asking: .max(2), answer: { $0 == 1 ? .max(1) : .none })
      for value in 1...5 { subject.send(value) }
    }
    self("PassthroughSubject: the end comes without demand") { t in
      let subject = PassthroughSubject<Int, Never>()
      subject.watch(t, asking: nil)
      subject.send(1)
      subject.send(completion: .finished)
    }
    self("PassthroughSubject: who comes after the end gets the end") { t in
      let subject = PassthroughSubject<Int, Fault>()
      subject.send(completion: .failure(.oops))
      subject.watch(t, asking: nil, showsSubscription: true)
    }
    self("PassthroughSubject: a cancelled subscriber gets nothing more") { t in
      let subject = PassthroughSubject<Int, Never>()
      let watcher = subject.watch(t)
      subject.send(1)
      watcher.cancel()
      subject.send(2)
      subject.send(completion: .finished)
    }
    self("PassthroughSubject: each subscriber has its own demand") { t in
      let subject = PassthroughSubject<Int, Never>()
      subject.watch(t, "a", asking: .max(1))
      subject.watch(t, "b", asking: .max(2))
      for value in 1...3 { subject.send(value) }
    }
    self("PassthroughSubject: an upstream is asked for everything as soon as somebody asks") { t in
      let subject = PassthroughSubject<Int, Never>()
      let source = Source(t, of: Int.self)
      source.subscribe(subject).store(in: &t.cancellables)
      t.note("nobody")
      let watcher = subject.watch(t, asking: nil)
      watcher.request(.max(1))
      source.send(5)
    }
    self("PassthroughSubject: subscribed to a publisher it passes values on until that is cancelled") { t in
      let subject = PassthroughSubject<Int, Never>()
      let source = PassthroughSubject<Int, Never>()
      subject.watch(t)
      let connection = source.subscribe(subject)
      source.send(1)
      connection.cancel()
      source.send(2)
    }
    self("PassthroughSubject: the end of an upstream is its end") { t in
      let subject = PassthroughSubject<Int, Never>()
      subject.watch(t)
      Just(1).subscribe(subject).store(in: &t.cancellables)
      subject.send(2)
    }
    self("PassthroughSubject: cancels its upstreams when it goes") { t in
      let source = Source(t, of: Int.self)
      var subject: PassthroughSubject<Int, Never>? = PassthroughSubject()
      let subscription = Catcher()
      source.receive(subscriber: subscription)
      subject?.send(subscription: subscription.caught!)
      subject = nil
    }
    self("PassthroughSubject: sent from within a value") { t in
      let subject = PassthroughSubject<Int, Never>()
      let watcher = subject.watch(t)
      watcher.onValue = { value in
        if value < 3 { subject.send(value + 1) }
        t.note("after \(value)")
      }
      subject.send(1)
    }
    self("PassthroughSubject: sent from within the last value asked for") { t in
      let subject = PassthroughSubject<Int, Never>()
      let watcher = subject.watch(t, asking: .max(1), answer: { _ in .max(1) })
      watcher.onValue = { if $0 == 1 { subject.send(2) } }
      subject.send(1)
      subject.send(3)
    }
    self("PassthroughSubject: sent by another thread during the last value asked for") { t in
      let subject = PassthroughSubject<Int, Never>()
      let watcher = subject.watch(t, asking: .max(1), answer: { _ in .max(1) })
      watcher.onValue = { if $0 == 1 { onAnotherThread { subject.send(2) } } }
      subject.send(1)
      subject.send(3)
    }
    self("PassthroughSubject: Void needs no value") { t in
      let subject = PassthroughSubject<Void, Never>()
      subject.map { "tap" }.watch(t)
      subject.send()
    }
  }

  mutating func addCurrentValues() {
    self("CurrentValueSubject: the value and then the newer ones") { t in
      let subject = CurrentValueSubject<Int, Never>(0)
      subject.watch(t, showsSubscription: true)
      subject.send(1)
      subject.value = 2
      t.note("value \(subject.value)")
    }
    self("CurrentValueSubject: who comes later gets the newest") { t in
      let subject = CurrentValueSubject<Int, Never>(0)
      subject.send(1)
      subject.send(2)
      subject.watch(t)
    }
    self("CurrentValueSubject: the value waits for demand") { t in
      let subject = CurrentValueSubject<Int, Never>(0)
      let watcher = subject.watch(t, asking: nil)
      t.note("now")
      watcher.request(.max(1))
    }
    self("CurrentValueSubject: without demand only the newest is kept") { t in
      let subject = CurrentValueSubject<Int, Never>(0)
      let watcher = subject.watch(t, asking: .max(1))
      subject.send(1)
      subject.send(2)
      t.note("now")
      watcher.request(.max(2))
      subject.send(3)
      subject.send(4)
    }
    self("CurrentValueSubject: nothing more after the end") { t in
      let subject = CurrentValueSubject<Int, Never>(0)
      subject.watch(t)
      subject.send(completion: .finished)
      subject.send(1)
      t.note("value \(subject.value)")
    }
    self("CurrentValueSubject: the value may be set after the end") { t in
      let subject = CurrentValueSubject<Int, Never>(0)
      subject.watch(t)
      subject.send(completion: .finished)
      subject.value = 1
      t.note("value \(subject.value)")
    }
    self("CurrentValueSubject: who comes after the end gets only the end") { t in
      let subject = CurrentValueSubject<Int, Fault>(0)
      subject.send(completion: .failure(.oops))
      subject.watch(t, showsSubscription: true)
    }
    self("CurrentValueSubject: the value is new when the subscribers get it") { t in
      let subject = CurrentValueSubject<Int, Never>(0)
      let watcher = subject.watch(t)
      watcher.onValue = { _ in t.note("value \(subject.value)") }
      subject.send(1)
    }
    self("CurrentValueSubject: an upstream is asked for everything at once") { t in
      let subject = t.keep(CurrentValueSubject<Int, Never>(0))
      let source = Source(t, of: Int.self)
      source.subscribe(subject).store(in: &t.cancellables)
      source.send(1)
      t.note("value \(subject.value)")
    }
    self("CurrentValueSubject: sent from within the last value asked for") { t in
      let subject = CurrentValueSubject<Int, Never>(0)
      let watcher = subject.watch(t, asking: .max(1), answer: { $0 == 0 ? .none : .max(1) })
      watcher.onValue = { if $0 == 1 { subject.send(2) } }
      t.note("now")
      watcher.request(.max(1))
      subject.send(1)
      subject.send(3)
    }
    self("CurrentValueSubject: sent by another thread during the last value asked for") { t in
      let subject = CurrentValueSubject<Int, Never>(0)
      let watcher = subject.watch(t, asking: .max(2), answer: { $0 == 0 ? .none : .max(1) })
      watcher.onValue = { if $0 == 1 { onAnotherThread { subject.send(2) } } }
      subject.send(1)
      subject.send(3)
    }
    self("CurrentValueSubject: equal values are sent all the same") { t in
      let subject = CurrentValueSubject<Int, Never>(1)
      subject.watch(t)
      subject.value = 1
    }
    self("CurrentValueSubject: a cancelled subscriber gets nothing more") { t in
      let subject = CurrentValueSubject<Int, Never>(0)
      let watcher = subject.watch(t)
      watcher.cancel()
      subject.send(1)
    }
  }
}

/// Runs a closure to its end on another thread.
private func onAnotherThread(_ run: @escaping () -> Void) {
  nonisolated(unsafe) let run = run
  let done = DispatchSemaphore(value: 0)
  Thread.detachNewThread {
    run()
    done.signal()
  }
  done.wait()
}

/// Takes a subscription from a publisher and does nothing with it.
private final class Catcher: Subscriber {
  private(set) var caught: (any Subscription)?
  func receive(subscription: any Subscription) { caught = subscription }
  func receive(_ input: Int) -> Subscribers.Demand { .none }
  func receive(completion: Subscribers.Completion<Never>) {}
}
