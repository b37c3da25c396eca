// What `print` writes, as published programs show it.

import Combine
import Foundation

extension Behaviours {
  mutating func addPrinting() {
    self("print: a range") { t in (1...2).publisher.print("log", to: t).ignore(t) }
    self("print: an array without a prefix") { t in [1, 2].publisher.print(to: t).shown(t) }
    self("print: optional values") { t in
      ["A", nil].publisher.print("replaceNil", to: t).ignore(t)
    }
    self("print: a subject that fails") { t in
      let subject = PassthroughSubject<String, Fault>()
      subject.print(to: t).sink {
        t.note("sink \($0)")
      } receiveValue: {
        t.note("sink \($0)")
      }
      .store(in: &t.cancellables)
      subject.send("first")
      subject.send(completion: .failure(.oops))
      subject.send(completion: .finished)
    }
    self("print: a subject that is cancelled") { t in
      let subject = PassthroughSubject<String, Never>()
      let subscription = subject.print("Print example", to: t).sink { _ in }
      subject.send("Hello!")
      subscription.cancel()
    }
    self("print: a subject that finishes before it is cancelled") { t in
      let subject = PassthroughSubject<String, Never>()
      let subscription = subject.print("[Debug]", to: t).sink { _ in }
      subject.send("Hello")
      subject.send(completion: .finished)
      subscription.cancel()
      subject.send("Hello?")
    }
    self("print: two subscribers of a subject") { t in
      let subject = PassthroughSubject<String, Never>()
      subject.print("sb1", to: t).shown(t)
      subject.send("three")
      subject.print("sb2", to: t).shown(t)
      subject.send("four")
      subject.send(completion: .finished)
    }
    self("print: a current value subject") { t in
      let subject = CurrentValueSubject<Int, Never>(2)
      let subscription = subject.print("log", to: t).sink { t.note("second: \($0)") }
      subject.value = 3
      subscription.cancel()
    }
    self("print: an empty stream") { t in Empty<Int, Never>().print("empty", to: t).ignore(t) }
    self("print: one value") { t in Just(8).print(to: t).ignore(t) }
    self("print: a future that fails") { t in
      t.keep(Future<Int, Fault> { $0(.failure(.oops)) }).print("future", to: t).replaceError(with: 0).ignore(t)
    }
    self("print: one value behind a throwing map") { t in
      Just("1").tryMap { text in
        guard let number = Int(text) else { throw Fault.oops }
        return number
      }.print("[tryMap]", to: t).replaceError(with: 0).ignore(t)
    }
    self("print: a throwing map that throws") { t in
      Just("S").tryMap { text in
        guard let number = Int(text) else { throw Fault.oops }
        return number
      }.print("[tryMap]", to: t).replaceError(with: 0).ignore(t)
    }
    self("print: flatMap with catch inside") { t in
      ["1", "S"].publisher.print("Original", to: t).flatMap { text in
        Just(text).tryMap { text in
          guard let number = Int(text) else { throw Fault.oops }
          return number
        }.print("[tryMap]", to: t).catch { _ in Just(-1).print("[Just]", to: t).print("[Catch]", to: t) }
      }.print(to: t).ignore(t)
    }
    self("print: what replaces an error") { t in
      ["1", "x"].publisher.tryMap { text in
        guard let number = Int(text) else { throw Fault.oops }
        return number
      }.replaceError(with: -1).print(to: t).ignore(t)
    }
    self("print: what replaces an empty stream") { t in
      Empty<Int, Never>().replaceEmpty(with: 1).print("replaceEmpty", to: t).ignore(t)
    }
    self("print: merge") { t in
      let first = PassthroughSubject<Int, Never>()
      let second = PassthroughSubject<Int, Never>()
      first.merge(with: second).print(to: t).ignore(t)
      first.send(20)
      second.send(1)
      first.send(completion: .finished)
      second.send(completion: .finished)
    }
    self("print: zip of three") { t in
      let subjects = (0..<3).map { _ in PassthroughSubject<String, Never>() }
      subjects[0].zip(subjects[1], subjects[2]).print("sb1", to: t).ignore(t)
      for (subject, text) in zip(subjects, ["one", "1", "I"]) { subject.send(text) }
    }
    self("print: combineLatest of two") { t in
      let numbers = PassthroughSubject<Int, Never>()
      let letters = PassthroughSubject<String, Never>()
      let subscription = numbers.combineLatest(letters).print(to: t).sink { _ in }
      numbers.send(1)
      letters.send("A")
      numbers.send(2)
      subscription.cancel()
    }
    self("print: flatMap") { t in [[1, 2], [3]].publisher.flatMap { $0.publisher }.print(to: t).ignore(t) }
    self("print: append of a subject") { t in
      let second = PassthroughSubject<Int, Never>()
      [3, 4].publisher.append(second).print("append", to: t).ignore(t)
      second.send(1)
      second.send(completion: .finished)
    }
    self("print: behind share, two subscribers of an array") { t in
      let shared = [1, 2].publisher.share().print(to: t)
      shared.ignore(t)
      shared.ignore(t)
    }
    self("print: before and behind share of a deferred future") { t in
      let shared = Deferred { Future<Int, Never> { $0(.success(1)) } }.print("0", to: t).share()
      shared.print("1", to: t).ignore(t)
      shared.print("2", to: t).ignore(t)
    }
    self("print: a switch while the former stream is on its way") { t in
      let clock = t.clock
      let taps = PassthroughSubject<Void, Never>()
      taps.print("tap", to: t).map {
        Just(76).delay(for: 1, scheduler: clock).print("number", to: t)
      }.switchToLatest().ignore(t)
      taps.send()
      taps.send()
      clock.advance(by: 1)
    }
    self("print: collect by count") { t in
      ["a", "b", "c"].publisher.collect(2).print("collect", to: t).ignore(t)
    }
    self("print: drop until another stream sends") { t in
      let ready = PassthroughSubject<Void, Never>()
      let taps = PassthroughSubject<Int, Never>()
      taps.drop(untilOutputFrom: ready).print("drop", to: t).ignore(t)
      taps.send(1)
      ready.send()
      taps.send(2)
    }
    self("print: prefix until another stream sends") { t in
      let ready = PassthroughSubject<Void, Never>()
      let taps = PassthroughSubject<Int, Never>()
      taps.prefix(untilOutputFrom: ready).print("prefix", to: t).ignore(t)
      taps.send(1)
      ready.send()
    }
    self("print: the smallest of a subject") { t in
      let subject = PassthroughSubject<Int, Never>()
      subject.min().print("min", to: t).ignore(t)
      for value in [4, 1, 3] { subject.send(value) }
      subject.send(completion: .finished)
    }
    self("print: operators on a sequence") { t in
      [1, 2].publisher.reduce(0, +).print("reduce", to: t).ignore(t)
      (1...3).publisher.count().print("count", to: t).ignore(t)
      [4, 5].publisher.max().print("max", to: t).ignore(t)
      (1...3).publisher.ignoreOutput().print("ignoreOutput", to: t).sink { _ in
      } receiveValue: { _ in
      }
      .store(in: &t.cancellables)
    }
    self("print: a throttled search") { t in
      let clock = t.clock
      let searches = PassthroughSubject<String, Never>()
      searches.throttle(for: 1, scheduler: clock, latest: true).print(to: t).ignore(t)
      searches.send("S")
      clock.advance(by: 0.1)
      searches.send("Sw")
      clock.advance(by: 1)
    }
    self("print: a debounced search") { t in
      let clock = t.clock
      let searches = PassthroughSubject<String, Never>()
      searches.debounce(for: 1, scheduler: clock).print(to: t).ignore(t)
      searches.send("S")
      searches.send("Swi")
      clock.advance(by: 1)
    }
    self("print: a timeout") { t in
      let clock = t.clock
      Just("Test").delay(for: 5, scheduler: clock).timeout(3, scheduler: clock).print("timeout", to: t).ignore(t)
      clock.advance(by: 6)
    }
    self("print: another scheduler") { t in
      let clock = t.clock
      Just(1).receive(on: clock).print(to: t).ignore(t)
      clock.advance()
    }
    self("print: a published property") { t in
      final class Model: ObservableObject { @Published var name = "" }
      let model = t.keep(Model())
      model.$name.print("username", to: t).ignore(t)
      model.name = "h"
    }
    self("print: a timer") { t in
      Timer.publish(every: 100, on: .main, in: .common).autoconnect().print("timer", to: t).sink { _ in }.cancel()
    }
    self("print: retry before and behind") { t in
      let subject = CurrentValueSubject<String, Fault>("initial value")
      subject.print("(1)>", to: t).retry(3).print("(2)>", to: t).replaceError(with: "").ignore(t)
      subject.send("onefish")
      subject.send(completion: .finished)
    }
    self("print: retry of what fails at once") { t in
      Fail<String, Fault>(error: .oops).print("(1)>", to: t).retry(1).print("(2)>", to: t)
        .replaceError(with: "").ignore(t)
    }
  }

  mutating func addPrintedDemand() {
    self("print: limited demand that is added to once") { t in
      let subject = PassthroughSubject<Int, Never>()
      subject.print(to: t).watch(t, asking: .max(2), answer: { $0 == 1 ? .max(1) : .none })
      for value in 1...4 { subject.send(value) }
    }
    self("print: one more for each value") { t in
      [1, 2, 3].publisher.print(to: t).watch(t, asking: .max(1), answer: { _ in .max(1) })
    }
    self("print: two more for each value") { t in
      ["a", "b"].publisher.print(to: t).watch(t, asking: .max(1), answer: { _ in .max(2) })
    }
    self("print: demand that ends") { t in
      [2, 333, 4, 5].publisher.print(to: t).watch(t, asking: .max(1), answer: { $0 == 2 ? .max(1) : .none })
    }
    self("print: unlimited demand for each value") { t in
      let subject = PassthroughSubject<String, Never>()
      subject.print("Combine Test", to: t).watch(t, answer: { _ in .unlimited })
      subject.send("hi")
    }
    self("print: before removeDuplicates") { t in
      ["three", "three", "four"].publisher.print("sb", to: t).removeDuplicates().shown(t)
    }
    self("print: before output(at:)") { t in
      ["A", "B", "C"].publisher.print("publisher", to: t).output(at: 1).shown(t)
    }
    self("print: before output(in:)") { t in
      ["A", "B", "C", "D", "E"].publisher.print("output", to: t).output(in: 1...3)
        .sink {
          t.note("sink \($0)")
        } receiveValue: {
          t.note("sink \($0)")
        }.store(in: &t.cancellables)
    }
    self("print: before first(where:)") { t in
      [1, 7, 2].publisher.print("first", to: t).first { $0 > 5 }
        .sink {
          t.note("sink \($0)")
        } receiveValue: {
          t.note("sink \($0)")
        }.store(in: &t.cancellables)
    }
    self("print: before last") { t in ["A", "B"].publisher.print("publisher", to: t).last().shown(t) }
    self("print: before count") { t in ["A", "B"].publisher.print("publisher", to: t).count().shown(t) }
    self("print: before contains") { t in
      ["A", "B", "C"].publisher.print("publisher", to: t).contains("B").shown(t)
    }
    self("print: before scan") { t in [3, 1].publisher.print("scan", to: t).scan(0, +).shown(t) }
    self("print: before flatMap without limit") { t in
      [1, 2].publisher.print(to: t).flatMap { Array(repeating: $0, count: 2).publisher }.shown(t)
    }
    self("print: before flatMap of one at a time") { t in
      [1, 2].publisher.print(to: t).flatMap(maxPublishers: .max(1)) { Array(repeating: $0, count: 2).publisher }
        .shown(t)
    }
    self("print: before multicast") { t in
      let multicast = ["First", "Second"].publisher.print("Random", to: t).multicast { PassthroughSubject() }
      multicast.shown(t)
      multicast.connect().store(in: &t.cancellables)
    }
    self("print: goes on after the end") { t in
      let subject = PassthroughSubject<Int, Fault>()
      let watcher = subject.print("[Q]", to: t).watch(t, answer: { _ in .max(1) })
      subject.send(0)
      subject.send(completion: .finished)
      watcher.cancel()
    }
    self("print: requests and cancellations after the end") { t in
      let subject = PassthroughSubject<Int, Fault>()
      let watcher = subject.print("[Q]", to: t).watch(t, asking: .max(1))
      subject.send(completion: .finished)
      watcher.request(.max(1))
      watcher.cancel()
    }
    self("print: twice") { t in Just(1).print("a", to: t).print("b", to: t).ignore(t) }
  }
}

extension Publisher where Failure == Never {
  /// Attaches a sink that does nothing.
  fileprivate func ignore(_ transcript: Transcript) { sink { _ in }.store(in: &transcript.cancellables) }

  /// Attaches a sink that notes values.
  fileprivate func shown(_ transcript: Transcript) {
    sink { transcript.note("sink \($0)") }.store(in: &transcript.cancellables)
  }
}
