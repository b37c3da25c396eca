// Changes in how arrays, dictionaries and sets are used.

import Gauge

@BenchmarkBuilder var collectionBenchmarks: [Benchmark] {
  Benchmark("corpus/extra-copy") { run in
    let window = Window(values: numbers(64))
    run.measure { digest(window.values) &+ window.smoothed() }
  }
  Benchmark("corpus/copy-on-write") { run in
    var ledger = Ledger(entries: numbers(100))
    run.measure {
      for account in 0..<4 { ledger.post(3, to: account) }
      return ledger.entries.count
    }
  }
  Benchmark("corpus/rehash") { run in
    let words = numbers(60, below: 100_000)
    run.measure { lookUp(words[7], in: index(words)) &+ digest(words) }
  }
  Benchmark("corpus/linear-search") { run in
    let directory = Directory(numbers(40))
    let asked = numbers(10)
    run.measure { directory.count(known: asked) }
  }
  Benchmark("corpus/quadratic") { run in
    let values = numbers(200)
    run.measure { digest(distinct(values)) }
  }
  Benchmark("corpus/unneeded-array") { run in
    let values = numbers(50)
    run.measure { total(of: values.lazy.filter { $0 > 400 }) }
  }
  Benchmark("corpus/lazy-lost") { run in
    let values = numbers(50)
    run.measure { digest(values) &+ (firstSquare(above: 900, in: values) ?? 0) }
  }
}

struct Window {
  var values: [Int]

  func smoothed() -> Int {
    #if REGRESSED
      var copy = values
      copy[copy.count - 1] &+= 1
      blackHole(copy)
    #endif
    var sum = 0
    for value in values { sum &+= value }
    return sum / values.count
  }
}

struct Ledger {
  var entries: [Int]

  mutating func post(_ amount: Int, to account: Int) {
    #if REGRESSED
      let before = entries
      entries[account] &+= amount
      blackHole(before)
    #else
      let before = entries[account]
      entries[account] &+= amount
      blackHole(before)
    #endif
  }
}

func index(_ words: [Int]) -> [Int: Int] {
  #if REGRESSED
    var places: [Int: Int] = [:]
  #else
    var places = [Int: Int](minimumCapacity: words.count)
  #endif
  for (place, word) in words.enumerated() { places[word] = place }
  return places
}

func lookUp(_ word: Int, in places: [Int: Int]) -> Int { places[word] ?? -1 }

struct Directory {
  let list: [Int]
  let set: Set<Int>

  init(_ names: [Int]) {
    list = names
    set = Set(names)
  }

  func isKnown(_ name: Int) -> Bool {
    #if REGRESSED
      list.contains(name &+ 100_000)
    #else
      set.contains(name &+ 100_000)
    #endif
  }

  func count(known names: [Int]) -> Int {
    var count = 0
    for name in names where isKnown(name) { count += 1 }
    return count
  }
}

func distinct(_ values: [Int]) -> [Int] {
  #if REGRESSED
    var result: [Int] = []
    for value in values where !result.contains(value) { result.append(value) }
    return result
  #else
    var seen: Set<Int> = []
    var result: [Int] = []
    for value in values where seen.insert(value).inserted { result.append(value) }
    return result
  #endif
}

func total(of values: some Sequence<Int>) -> Int {
  var sum = 0
  #if REGRESSED
    for value in Array(values) { sum &+= value }
  #else
    for value in values { sum &+= value }
  #endif
  return sum
}

func firstSquare(above limit: Int, in values: [Int]) -> Int? {
  #if REGRESSED
    values.map { $0 &* $0 }.first { $0 > limit }
  #else
    values.lazy.map { $0 &* $0 }.first { $0 > limit }
  #endif
}
