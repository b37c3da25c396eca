// Behaviours of operators whose values are publishers, and of streams one behind the other.

import Combine

extension Behaviours {
  mutating func addFlatMapping() {
    self("flatMap: the values of all inner streams") { t in
      [[1, 2], [3]].publisher.flatMap { $0.publisher }.watch(t, showsSubscription: true)
    }
    self("flatMap: inner subjects side by side") { t in
      let outer = PassthroughSubject<PassthroughSubject<String, Never>, Never>()
      let first = PassthroughSubject<String, Never>()
      let second = PassthroughSubject<String, Never>()
      outer.flatMap { $0 }.watch(t)
      outer.send(first)
      outer.send(second)
      first.send("a")
      second.send("b")
      first.send("c")
    }
    self("flatMap: no more than so many inner streams") { t in
      let chats = [1, 2, 3].map { CurrentValueSubject<String, Never>("\($0) joins") }
      let outer = CurrentValueSubject<Int, Never>(0)
      outer.flatMap(maxPublishers: .max(2)) { chats[$0] }.watch(t)
      chats[0].value = "1 talks"
      outer.value = 1
      outer.value = 2
      chats[2].value = "3 talks"
      chats[1].value = "2 talks"
    }
    self("flatMap: one more is asked for when an inner stream finishes") { t in
      let outer = Source(t, of: Int.self)
      outer.flatMap(maxPublishers: .max(1)) { Just($0) }.watch(t)
      outer.send(1)
      outer.send(2)
    }
    self("flatMap: everything is asked of the outer stream before there is demand") { t in
      let outer = Source(t, of: Int.self)
      outer.flatMap { Just($0) }.watch(t, asking: nil, showsSubscription: true)
    }
    self("flatMap: everything is asked of inner streams if demand is unlimited") { t in
      let outer = PassthroughSubject<Void, Never>()
      let inner = Source(t, of: Int.self)
      outer.flatMap { inner }.watch(t)
      outer.send()
      inner.send(666)
    }
    self("flatMap: one at a time is asked of inner streams if demand is limited") { t in
      let outer = PassthroughSubject<Void, Never>()
      let inner = Source(t, of: Int.self)
      let watcher = outer.flatMap { inner }.watch(t, asking: .max(2))
      outer.send()
      for value in [1, 2, 3] { inner.send(value) }
      t.note("now")
      watcher.request(.max(1))
    }
    self("flatMap: limited demand becomes unlimited") { t in
      let outer = PassthroughSubject<Void, Never>()
      let inner = Source(t, of: Int.self)
      let watcher = outer.flatMap { inner }.watch(t, asking: .max(3))
      outer.send()
      watcher.request(.unlimited)
    }
    self("flatMap: unlimited demand in return for a value") { t in
      let outer = PassthroughSubject<Void, Never>()
      let inner = Source(t, of: Int.self)
      outer.flatMap { inner }.watch(t, asking: .max(1), answer: { _ in .unlimited })
      outer.send()
      inner.send(1)
    }
    self("flatMap: a value that waits holds the end back") { t in
      let outer = PassthroughSubject<Void, Never>()
      let inner = Source(t, of: Int.self)
      let watcher = outer.flatMap { inner }.watch(t, asking: .max(1))
      outer.send()
      inner.send(1)
      inner.send(2)
      outer.send(completion: .finished)
      inner.send(completion: .finished)
      t.note("now")
      watcher.request(.unlimited)
    }
    self("flatMap: ends when the outer and all inner streams have ended") { t in
      let outer = PassthroughSubject<Void, Never>()
      let inner = PassthroughSubject<Int, Never>()
      outer.flatMap { inner }.watch(t)
      outer.send()
      outer.send(completion: .finished)
      inner.send(1)
      inner.send(completion: .finished)
    }
    self("flatMap: an inner failure cancels the other inner streams and not the outer one") { t in
      let outer = Source(t, "outer", of: Int.self, failing: Fault.self)
      let inner = [0, 1, 2].map { Source(t, "\($0)", of: Int.self, failing: Fault.self) }
      outer.flatMap { inner[$0] }.watch(t)
      outer.send(0)
      outer.send(1)
      inner[0].send(completion: .failure(.oops))
      outer.send(2)
    }
    self("flatMap: an inner stream goes on after its end") { t in
      let outer = PassthroughSubject<Void, Never>()
      let inner = Source(t, of: Int.self)
      outer.flatMap { inner }.watch(t)
      outer.send()
      inner.send(666)
      inner.send(completion: .finished)
      inner.send(777)
    }
    self("flatMap: an outer failure cancels the inner streams first") { t in
      let outer = Source(t, "outer", of: Int.self, failing: Fault.self)
      let inner = Source(t, "inner", of: Int.self, failing: Fault.self)
      outer.flatMap { _ in inner }.watch(t)
      outer.send(0)
      outer.send(completion: .failure(.oops))
    }
    self("flatMap: a failure drops what waits") { t in
      let outer = PassthroughSubject<Void, Fault>()
      let inner = Source(t, of: Int.self, failing: Fault.self)
      let watcher = outer.flatMap { inner }.watch(t, asking: .max(1))
      outer.send()
      inner.send(1)
      inner.send(2)
      outer.send(completion: .failure(.oops))
      watcher.request(.max(5))
    }
    self("flatMap: cancels all") { t in
      let outer = Source(t, "outer", of: Int.self)
      let inner = Source(t, "inner", of: Int.self)
      let watcher = outer.flatMap { _ in inner }.watch(t)
      outer.send(0)
      watcher.cancel()
    }
    self("flatMap: an inner value from within a value") { t in
      let outer = Source(t, "outer", of: Int.self)
      let inner = [0, 1].map { Source(t, "\($0)", of: Int.self) }
      let watcher = outer.flatMap { inner[$0] }.watch(t, asking: .max(2))
      watcher.onValue = { if $0 == 666 { inner[1].send(777) } }
      outer.send(0)
      outer.send(1)
      inner[0].send(666)
    }
    self("flatMap: a stream that never fails takes inner ones that may") { t in
      [1, 2].publisher.flatMap { value in
        value == 1 ? Result<Int, Fault>.success(1).publisher : Result<Int, Fault>.failure(.oops).publisher
      }.watch(t)
    }
  }

  mutating func addSwitching() {
    self("switchToLatest: only the newest inner stream") { t in
      let outer = PassthroughSubject<PassthroughSubject<String, Never>, Never>()
      let first = PassthroughSubject<String, Never>()
      let second = PassthroughSubject<String, Never>()
      outer.switchToLatest().watch(t, showsSubscription: true)
      outer.send(first)
      first.send("A")
      outer.send(second)
      first.send("B")
      second.send("D")
      second.send(completion: .finished)
      outer.send(completion: .finished)
    }
    self("switchToLatest: inner streams that end at once") { t in
      let outer = PassthroughSubject<Int, Never>()
      outer.map { Just($0) }.switchToLatest().watch(t)
      for value in 1...3 { outer.send(value) }
    }
    self("switchToLatest: the former inner stream is cancelled first") { t in
      let outer = PassthroughSubject<Source<Int, Never>, Never>()
      outer.switchToLatest().watch(t)
      outer.send(Source(t, "a", of: Int.self))
      outer.send(Source(t, "b", of: Int.self))
    }
    self("switchToLatest: everything is asked of the outer stream") { t in
      Source(t, of: Just<Int>.self).switchToLatest().watch(t, asking: nil)
    }
    self("switchToLatest: demand that is left goes to the next one") { t in
      let outer = PassthroughSubject<Source<Int, Never>, Never>()
      let first = Source(t, "a", of: Int.self)
      let second = Source(t, "b", of: Int.self)
      outer.switchToLatest().watch(t, asking: .max(43), answer: { _ in .max(5) })
      outer.send(first)
      first.send(1)
      first.send(2)
      outer.send(second)
    }
    self("switchToLatest: an inner failure cancels the outer stream") { t in
      let outer = Source(t, "outer", of: Source<Int, Fault>.self, failing: Fault.self)
      let inner = Source(t, "inner", of: Int.self, failing: Fault.self)
      outer.switchToLatest().watch(t)
      outer.send(inner)
      inner.send(completion: .failure(.oops))
    }
    self("switchToLatest: an outer failure cancels the inner stream") { t in
      let outer = Source(t, "outer", of: Source<Int, Fault>.self, failing: Fault.self)
      outer.switchToLatest().watch(t)
      outer.send(Source(t, "inner", of: Int.self, failing: Fault.self))
      outer.send(completion: .failure(.oops))
    }
    self("switchToLatest: the inner stream goes on after the outer one has failed") { t in
      let outer = PassthroughSubject<Source<Int, Fault>, Fault>()
      let inner = Source(t, of: Int.self, failing: Fault.self)
      outer.switchToLatest().watch(t)
      outer.send(inner)
      outer.send(completion: .failure(.oops))
      inner.send(1)
    }
    self("switchToLatest: the outer stream ends first") { t in
      let outer = PassthroughSubject<PassthroughSubject<Int, Never>, Never>()
      let inner = PassthroughSubject<Int, Never>()
      outer.switchToLatest().watch(t)
      outer.send(inner)
      outer.send(completion: .finished)
      inner.send(1)
      inner.send(completion: .finished)
    }
    self("switchToLatest: the inner stream ends first") { t in
      let outer = PassthroughSubject<PassthroughSubject<Int, Never>, Never>()
      let inner = PassthroughSubject<Int, Never>()
      outer.switchToLatest().watch(t)
      outer.send(inner)
      inner.send(completion: .finished)
      t.note("not yet")
      outer.send(completion: .finished)
    }
    self("switchToLatest: a search while the former answer is on its way") { t in
      let clock = t.clock
      let searches = PassthroughSubject<String, Never>()
      searches.map { Just("answer to \($0)").delay(for: 2, scheduler: clock) }.switchToLatest().watch(t)
      searches.send("a")
      clock.advance(by: 1)
      searches.send("ab")
      clock.advance(by: 5)
    }
  }

  mutating func addConcatenating() {
    self("append: values behind the end") { t in
      (0...3).publisher.eraseToAnyPublisher().append(0, 1, 255).watch(t, showsSubscription: true)
    }
    self("append: a sequence") { t in
      ["car", "bus"].publisher.eraseToAnyPublisher().append(["jet", "rocket"]).watch(t)
    }
    self("append: a stream is subscribed to at the end of the first") { t in
      let first = Source(t, "first", of: Int.self)
      let second = Source(t, "second", of: Int.self)
      first.append(second).watch(t)
      first.send(1)
      t.note("end")
      first.send(completion: .finished)
      second.send(2)
      second.send(completion: .finished)
    }
    self("append: demand that is left goes to the second") { t in
      let first = Source(t, "first", of: Int.self)
      let second = Source(t, "second", of: Int.self)
      first.append(second).watch(t, asking: .max(10), answer: { .max($0) })
      first.send(3)
      first.send(completion: .finished)
    }
    self("append: a failure of the first is the end") { t in
      let first = Source(t, "first", of: Int.self, failing: Fault.self)
      let second = Source(t, "second", of: Int.self, failing: Fault.self)
      first.append(second).watch(t)
      first.send(completion: .failure(.oops))
      t.note(second.subscriptions)
    }
    self("append: a second that does not end") { t in
      let second = PassthroughSubject<Int, Never>()
      [3, 4].publisher.append(second).watch(t)
      second.send(1)
    }
    self("append: what is sent before the first has ended is lost") { t in
      let first = PassthroughSubject<Int, Never>()
      let second = PassthroughSubject<Int, Never>()
      first.append(second).watch(t)
      second.send(100)
      first.send(1)
      first.send(completion: .finished)
      second.send(200)
    }
    self("prepend: values before the first") { t in
      (0...3).publisher.eraseToAnyPublisher().prepend(0, 1, 255).watch(t)
    }
    self("prepend: the last one comes first") { t in
      [5].publisher.eraseToAnyPublisher().prepend(3, 4).prepend(1, 2).watch(t)
    }
    self("prepend: a stream holds back until it ends") { t in
      let first = PassthroughSubject<Int, Never>()
      [3, 4].publisher.prepend(first).watch(t)
      first.send(1)
      first.send(2)
      t.note("end")
      first.send(completion: .finished)
    }
    self("prepend: demand is counted through") { t in
      let watcher = [3, 4].publisher.eraseToAnyPublisher().prepend(1, 2).watch(t, asking: .max(3))
      t.note("now")
      watcher.request(.max(1))
    }
  }
}
