// Behaviours of operators that work with a scheduler, in virtual time.

import Combine
import WeirTesting

extension Behaviours {
  mutating func addDelaying() {
    self("delay: values and end come later") { t in
      let clock = t.clock
      let subject = PassthroughSubject<Int, Never>()
      subject.delay(for: 3, scheduler: clock).watch(t, showsSubscription: true)
      subject.send(1)
      clock.advance(by: 1)
      subject.send(2)
      subject.send(completion: .finished)
      clock.advance(by: 5)
    }
    self("delay: a failure is delayed too") { t in
      let clock = t.clock
      let subject = PassthroughSubject<Int, Fault>()
      subject.delay(for: 2, scheduler: clock).watch(t)
      subject.send(completion: .failure(.oops))
      clock.advance(by: 3)
    }
    self("delay: what was on its way when it was cancelled is lost") { t in
      let clock = t.clock
      let source = Source(t, of: Int.self)
      let watcher = source.delay(for: 2, scheduler: clock).watch(t)
      source.send(1)
      watcher.cancel()
      clock.advance(by: 3)
    }
    self("delay: the end was on its way when it was cancelled") { t in
      let clock = t.clock
      let source = Source(t, of: Int.self)
      let watcher = source.delay(for: 2, scheduler: clock).watch(t)
      source.send(completion: .finished)
      watcher.cancel()
      clock.advance(by: 3)
    }
    self("delay: demand is passed on at once and what is returned is asked for later") { t in
      let clock = t.clock
      let source = Source(t, of: Int.self)
      source.delay(for: 2, scheduler: clock).watch(t, asking: .max(1), answer: { _ in .max(4) })
      source.send(1)
      clock.advance(by: 2)
    }
    self("receive(on:): values and end on the scheduler") { t in
      let clock = t.clock
      [1, 2].publisher.receive(on: clock).watch(t, showsSubscription: true)
      t.note("later")
      clock.advance()
    }
    self("receive(on:): demand") { t in
      let clock = t.clock
      let source = Source(t, of: Int.self)
      source.receive(on: clock).watch(t, asking: .max(1), answer: { _ in .max(2) })
      source.send(1)
      t.note("later")
      clock.advance()
    }
    self("receive(on:): what was on its way when it was cancelled is lost") { t in
      let clock = t.clock
      let source = Source(t, of: Int.self)
      let watcher = source.receive(on: clock).watch(t)
      source.send(1)
      watcher.cancel()
      clock.advance()
    }
    self("receive(on:): each value is a job of its own") { t in
      let clock = t.clock
      let subject = PassthroughSubject<Int, Never>()
      subject.receive(on: clock).watch(t)
      subject.send(1)
      clock.schedule { t.note("between") }
      subject.send(2)
      clock.advance()
    }
    self("receive(on:): the immediate scheduler changes nothing") { t in
      [1, 2].publisher.receive(on: ImmediateScheduler.shared).watch(t)
    }
    self("subscribe(on:): the upstream is subscribed to on the scheduler") { t in
      let clock = t.clock
      let source = Source(t, of: Int.self)
      source.subscribe(on: clock).watch(t, asking: .max(1), showsSubscription: true)
      t.note("later")
      clock.advance()
      source.send(1)
    }
    self("subscribe(on:): requests and cancellations are scheduled") { t in
      let clock = t.clock
      let watcher = Source(t, of: Int.self).subscribe(on: clock).watch(t, asking: nil)
      clock.advance()
      watcher.request(.max(1))
      watcher.cancel()
      t.note("later")
      clock.advance()
    }
    self("subscribe(on:): what is returned for a value is not scheduled") { t in
      let clock = t.clock
      let source = Source(t, of: Int.self)
      source.subscribe(on: clock).watch(t, asking: .max(1), answer: { _ in .max(3) })
      clock.advance()
      source.send(1)
    }
    self("timeout: finishes without values") { t in
      let clock = t.clock
      let source = Source(t, of: Int.self)
      source.timeout(5, scheduler: clock).watch(t, showsSubscription: true)
      clock.advance(by: 6)
    }
    self("timeout: fails with an error of one's own") { t in
      let clock = t.clock
      let source = Source(t, of: Int.self, failing: Fault.self)
      source.timeout(5, scheduler: clock, customError: { .oops }).watch(t)
      clock.advance(by: 4)
      t.note("not yet")
      clock.advance(by: 5)
    }
    self("timeout: begins again with each value") { t in
      let clock = t.clock
      let subject = PassthroughSubject<String, Never>()
      subject.timeout(5, scheduler: clock).watch(t)
      clock.advance(by: 2)
      subject.send("data")
      clock.advance(by: 10)
      subject.send("too late")
    }
    self("timeout: nobody holds the stream") { t in
      let clock = t.clock
      do {
        let subject = PassthroughSubject<Int, Never>()
        subject.timeout(5, scheduler: clock).subscribe(
          Subscribers.Sink {
            t.note($0)
          } receiveValue: { _ in
          })
      }
      clock.advance(by: 6)
    }
    self("timeout: values arrive on the scheduler") { t in
      let clock = t.clock
      let subject = PassthroughSubject<Int, Never>()
      subject.timeout(5, scheduler: clock).watch(t)
      subject.send(1)
      t.note("later")
      clock.advance()
    }
    self("timeout: the end of the stream is on the scheduler") { t in
      let clock = t.clock
      let subject = PassthroughSubject<Int, Fault>()
      subject.timeout(5, scheduler: clock).watch(t)
      subject.send(completion: .failure(.oops))
      t.note("later")
      clock.advance(by: 9)
    }
  }

  mutating func addRateLimits() {
    self("debounce: the documented bounces") { t in
      let clock = t.clock
      let subject = PassthroughSubject<Int, Never>()
      subject.debounce(for: 0.5, scheduler: clock).watch(t)
      var time = 0.0
      for (value, moment) in [(0, 0), (1, 0.25), (2, 1), (3, 1.25), (4, 1.5), (5, 2)] {
        clock.advance(by: moment - time)
        time = moment
        subject.send(value)
      }
      clock.advance(by: 1)
    }
    self("debounce: everything is asked for") { t in
      Source(t, of: Int.self).debounce(for: 1, scheduler: t.clock).watch(t, asking: .max(1), showsSubscription: true)
    }
    self("debounce: what waits is lost when the stream finishes") { t in
      let clock = t.clock
      let source = Source(t, of: Int.self)
      source.debounce(for: 1, scheduler: clock).watch(t)
      source.send(1)
      source.send(completion: .finished)
      clock.advance(by: 2)
    }
    self("debounce: what waits is lost when the stream fails") { t in
      let clock = t.clock
      let source = Source(t, of: Int.self, failing: Fault.self)
      source.debounce(for: 1, scheduler: clock).watch(t)
      source.send(1)
      source.send(completion: .failure(.oops))
      clock.advance(by: 2)
    }
    self("debounce: cancelled before the time is up") { t in
      let clock = t.clock
      let source = Source(t, of: Int.self)
      let watcher = source.debounce(for: 1, scheduler: clock).watch(t)
      source.send(1)
      watcher.cancel()
      clock.advance(by: 2)
    }
    self("debounce: nobody holds the stream while a value waits") { t in
      let clock = t.clock
      do {
        let subject = PassthroughSubject<Int, Never>()
        subject.debounce(for: 1, scheduler: clock).subscribe(
          Subscribers.Sink { _ in
          } receiveValue: {
            t.note($0)
          })
        subject.send(1)
      }
      clock.advance(by: 2)
    }
    self("debounce: no more than was asked for") { t in
      let clock = t.clock
      let subject = PassthroughSubject<Int, Never>()
      subject.debounce(for: 1, scheduler: clock).watch(t, asking: .max(1), answer: { $0 == 0 ? .max(1) : .none })
      for value in 0..<4 {
        subject.send(value)
        clock.advance(by: 1)
      }
    }
    self("throttle: the latest of each interval") { t in throttle(t, latest: true) }
    self("throttle: the first of each interval") { t in throttle(t, latest: false) }
    self("throttle: everything is asked for") { t in
      Source(t, of: Int.self).throttle(for: 1, scheduler: t.clock, latest: true)
        .watch(t, asking: .max(1), showsSubscription: true)
    }
    self("throttle: a timer thinned out") { t in
      let clock = t.clock
      let subject = PassthroughSubject<Int, Never>()
      subject.throttle(for: 10, scheduler: clock, latest: true).watch(t)
      for time in [3, 6, 9, 12, 15] {
        clock.advance(by: 3)
        subject.send(time)
      }
      clock.advance(by: 1)
    }
    self("throttle: a value after a long pause comes at once") { t in
      let clock = t.clock
      let subject = PassthroughSubject<Int, Never>()
      subject.throttle(for: 60, scheduler: clock, latest: false).watch(t)
      subject.send(0)
      clock.advance(by: 45)
      subject.send(1)
      clock.advance(by: 76)
      subject.send(2)
      clock.advance()
    }
    self("throttle: the end waits for a value that waits") { t in
      let clock = t.clock
      let subject = PassthroughSubject<Int, Fault>()
      subject.throttle(for: 10, scheduler: clock, latest: true).watch(t)
      subject.send(3)
      clock.advance()
      subject.send(4)
      subject.send(completion: .failure(.oops))
      clock.advance(by: 20)
    }
    self("throttle: nothing without demand") { t in
      let clock = t.clock
      let subject = PassthroughSubject<Int, Never>()
      let watcher = subject.throttle(for: 10, scheduler: clock, latest: true).watch(t, asking: nil)
      subject.send(1)
      clock.advance(by: 20)
      watcher.request(.max(1))
      clock.advance(by: 20)
    }
  }

  mutating func addTimedCollecting() {
    self("collect by time: what came in each interval") { t in
      let clock = t.clock
      let subject = PassthroughSubject<Int, Never>()
      subject.collect(.byTime(clock, 2)).watch(t)
      subject.send(1)
      subject.send(2)
      clock.advance(by: 2)
      for value in 3...5 { subject.send(value) }
      clock.advance(by: 1)
      subject.send(completion: .finished)
      clock.advance()
    }
    self("collect by time: what is left is lost when the stream fails") { t in
      let clock = t.clock
      let subject = PassthroughSubject<Int, Fault>()
      subject.collect(.byTime(clock, 2)).watch(t)
      subject.send(1)
      clock.advance(by: 2)
      subject.send(3)
      subject.send(completion: .failure(.oops))
      clock.advance()
    }
    self("collect by time: an interval without values gives nothing") { t in
      let clock = t.clock
      let subject = PassthroughSubject<Int, Never>()
      subject.collect(.byTime(clock, 1)).watch(t)
      clock.advance(by: 3)
      subject.send(1)
      clock.advance(by: 1)
    }
    self("collect by time: one more is asked for with each value") { t in
      let source = Source(t, of: Int.self)
      source.collect(.byTime(t.clock, 1)).watch(t, asking: .max(2))
      source.send(1)
    }
    self("collect by time or count: full arrays and what came in each interval") { t in
      let clock = t.clock
      let subject = PassthroughSubject<Int, Never>()
      subject.collect(.byTimeOrCount(clock, 2, 2)).watch(t)
      for value in 1...3 { subject.send(value) }
      clock.advance(by: 2)
      for value in 4...8 { subject.send(value) }
      clock.advance(by: 2)
      subject.send(completion: .finished)
      clock.advance()
    }
    self("collect by time or count: a full array does not begin the interval anew") { t in
      let clock = t.clock
      let subject = PassthroughSubject<Int, Never>()
      subject.collect(.byTimeOrCount(clock, 10, 3)).watch(t)
      for (value, time) in zip(1...7, [1, 2, 3, 4, 5, 13, 14]) {
        clock.advance(to: VirtualTime(nanoseconds: time * 1_000_000_000))
        subject.send(value)
      }
      clock.advance(to: VirtualTime(nanoseconds: 30_000_000_000))
      subject.send(completion: .finished)
      clock.advance()
    }
    self("collect by time or count: demand is multiplied") { t in
      let source = Source(t, of: Int.self)
      let watcher = source.collect(.byTimeOrCount(t.clock, 2, 2)).watch(t, asking: .max(2))
      watcher.request(.max(1))
    }
  }
}

/// Sends two values at the beginning of each second, for three seconds.
private func throttle(_ t: Transcript, latest: Bool) {
  let clock = t.clock
  let subject = PassthroughSubject<Int, Never>()
  subject.throttle(for: 1, scheduler: clock, latest: latest).watch(t)
  for value in [1, 3, 5] {
    subject.send(value)
    subject.send(value + 1)
    clock.advance(by: 1)
  }
}
