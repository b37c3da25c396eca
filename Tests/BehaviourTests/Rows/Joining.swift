// Behaviours of operators that join several streams: merge, zip and combineLatest.

import Combine

extension Behaviours {
  mutating func addMerging() {
    self("merge: values in the order in which they come") { t in
      let first = PassthroughSubject<Int, Never>()
      let second = PassthroughSubject<Int, Never>()
      first.merge(with: second).watch(t, showsSubscription: true)
      first.send(20)
      second.send(1)
      first.send(40)
      second.send(1)
      first.send(completion: .finished)
      second.send(completion: .finished)
    }
    self("merge: goes on until all have finished") { t in
      let first = PassthroughSubject<Int, Never>()
      let second = PassthroughSubject<Int, Never>()
      first.merge(with: second).watch(t)
      first.send(completion: .finished)
      second.send(2)
      second.send(completion: .finished)
    }
    self("merge: a failure ends it and cancels the others") { t in
      let first = Source(t, "a", of: Int.self, failing: Fault.self)
      let second = Source(t, "b", of: Int.self, failing: Fault.self)
      first.merge(with: second).watch(t)
      first.send(1)
      first.send(completion: .failure(.oops))
      second.send(2)
    }
    self("merge: cancels all") { t in
      let first = Source(t, "a", of: Int.self)
      let second = Source(t, "b", of: Int.self)
      first.merge(with: second).watch(t).cancel()
    }
    self("merge: sequences one behind the other") { t in
      [1, 2].publisher.merge(with: [3, 4].publisher).watch(t)
    }
    self("merge: eight streams") { t in
      let subjects = (0..<8).map { _ in PassthroughSubject<Int, Never>() }
      Publishers.Merge8(
        subjects[0], subjects[1], subjects[2], subjects[3], subjects[4], subjects[5], subjects[6], subjects[7]
      ).watch(t)
      for (value, subject) in subjects.enumerated() { subject.send(value) }
      for subject in subjects { subject.send(completion: .finished) }
    }
    self("merge: of many") { t in
      let subjects = (0..<3).map { _ in PassthroughSubject<Int, Never>() }
      Publishers.MergeMany(subjects).watch(t)
      for (value, subject) in subjects.enumerated() { subject.send(value) }
      for subject in subjects { subject.send(completion: .finished) }
    }
    self("merge: of none ends at once") { t in
      Publishers.MergeMany([PassthroughSubject<Int, Never>]()).watch(t)
    }
    self("merge: as many values as were asked for") { t in
      let subjects = (0..<2).map { _ in PassthroughSubject<Int, Never>() }
      Publishers.MergeMany(subjects).watch(t, asking: .max(2))
      for value in 0..<4 { subjects[0].send(value) }
    }
  }

  mutating func addPairing() {
    self("zip: pairs in order") { t in
      let numbers = PassthroughSubject<Int, Never>()
      let letters = PassthroughSubject<String, Never>()
      numbers.zip(letters).watch(t, showsSubscription: true)
      numbers.send(1)
      letters.send("A")
      numbers.send(2)
      for letter in ["B", "C", "D"] { letters.send(letter) }
      for number in [3, 4, 5] { numbers.send(number) }
    }
    self("zip: three streams") { t in
      let subjects = (0..<3).map { _ in PassthroughSubject<String, Never>() }
      subjects[0].zip(subjects[1], subjects[2]).watch(t)
      for text in ["one", "two", "three"] { subjects[0].send(text) }
      for text in ["1", "2"] { subjects[1].send(text) }
      subjects[2].send("I")
    }
    self("zip: with a closure") { t in [1, 2, 3].publisher.zip([10, 20, 30].publisher, +).watch(t) }
    self("zip: ends when no further pair is possible") { t in
      let first = Source(t, "a", of: Int.self)
      let second = Source(t, "b", of: Int.self)
      first.zip(second).watch(t)
      first.send(1)
      first.send(2)
      first.send(completion: .finished)
      t.note("not yet")
      second.send(1)
      second.send(2)
    }
    self("zip: ends at once if the one that ends has nothing left") { t in
      let first = Source(t, "a", of: Int.self)
      let second = Source(t, "b", of: Int.self)
      first.zip(second).watch(t)
      second.send(1)
      first.send(completion: .finished)
    }
    self("zip: a failure cancels both") { t in
      let first = Source(t, "a", of: Int.self, failing: Fault.self)
      let second = Source(t, "b", of: Int.self, failing: Fault.self)
      first.zip(second).watch(t)
      first.send(completion: .failure(.oops))
    }
    self("zip: demand goes to each") { t in
      let first = Source(t, "a", of: Int.self)
      let second = Source(t, "b", of: Int.self)
      let watcher = first.zip(second).watch(t, asking: .max(1))
      watcher.request(.max(2))
    }
    self("zip: demand in return for a pair goes to both") { t in
      let first = Source(t, "a", of: Int.self)
      let second = Source(t, "b", of: Int.self)
      first.zip(second).watch(t, asking: .max(1), answer: { _ in .max(5) })
      first.send(1)
      second.send(2)
    }
    self("zip: values beyond the demand are passed on") { t in
      let first = Source(t, "a", of: Int.self)
      let second = Source(t, "b", of: Int.self)
      first.zip(second).watch(t, asking: .max(1))
      for value in [1, 2] {
        first.send(value)
        second.send(value)
      }
    }
    self("combineLatest: the newest of each") { t in
      let numbers = PassthroughSubject<Int, Never>()
      let letters = PassthroughSubject<String, Never>()
      numbers.combineLatest(letters).watch(t, showsSubscription: true)
      numbers.send(1)
      letters.send("A")
      numbers.send(2)
      letters.send("B")
      letters.send("C")
      numbers.send(3)
    }
    self("combineLatest: nothing before all have sent") { t in
      let subjects = (0..<3).map { _ in PassthroughSubject<String, Never>() }
      subjects[0].combineLatest(subjects[1], subjects[2]).watch(t)
      for text in ["one", "four"] { subjects[0].send(text) }
      for text in ["1", "3"] { subjects[1].send(text) }
      subjects[2].send("I")
      subjects[2].send("II")
    }
    self("combineLatest: with a closure") { t in
      let first = PassthroughSubject<String, Never>()
      let second = PassthroughSubject<String, Never>()
      first.combineLatest(second, +).watch(t)
      first.send("0")
      first.send("1")
      second.send("a")
      first.send("2")
      second.send("b")
    }
    self("combineLatest: ends when all have ended") { t in
      let first = PassthroughSubject<Int, Never>()
      let second = PassthroughSubject<Int, Never>()
      first.combineLatest(second).watch(t)
      first.send(1)
      first.send(completion: .finished)
      second.send(2)
      second.send(3)
      second.send(completion: .finished)
    }
    self("combineLatest: ends when all have ended though one has never sent") { t in
      let first = PassthroughSubject<Int, Never>()
      let second = PassthroughSubject<Int, Never>()
      first.combineLatest(second).watch(t)
      first.send(completion: .finished)
      second.send(2)
      second.send(completion: .finished)
    }
    self("combineLatest: a failure ends it at once") { t in
      let first = PassthroughSubject<Int, Fault>()
      let second = PassthroughSubject<Int, Fault>()
      first.combineLatest(second, +).watch(t)
      first.send(1)
      second.send(2)
      second.send(completion: .failure(.oops))
      first.send(3)
    }
    self("combineLatest: values and initial values of subjects") { t in
      let first = CurrentValueSubject<Int, Never>(1)
      let second = CurrentValueSubject<Int, Never>(2)
      first.combineLatest(second).watch(t)
      first.send(3)
    }
    self("combineLatest: no demand comes back for a value") { t in
      let first = Source(t, "a", of: Int.self)
      let second = Source(t, "b", of: Int.self)
      first.combineLatest(second).watch(t, asking: .max(1), answer: { _ in .max(1) })
      first.send(1)
      second.send(2)
    }
    self("combineLatest: as many as were asked for") { t in
      let first = PassthroughSubject<Int, Never>()
      let second = PassthroughSubject<Int, Never>()
      let watcher = first.combineLatest(second).watch(t, asking: .max(1))
      first.send(1)
      second.send(2)
      t.note("now")
      watcher.request(.max(1))
      second.send(4)
    }
    self("combineLatest: a sequence is through before the other begins") { t in
      [1, 2, 3].publisher.combineLatest([10, 20].publisher).watch(t)
    }
  }
}
