// Programs that only compute, the same in both builds: where their time goes is where their instructions go.

import Gauge

@BenchmarkBuilder var shareBenchmarks: [Benchmark] {
  Benchmark("shares/mixing") { run in
    run.countedOperations = 20
    let seed = opaque(7 as UInt)
    run.measure {
      mixedOnce(seed, 100) ^ mixedTwice(seed, 100) ^ mixedThrice(seed, 120) ^ mixedLong(seed, 150)
        ^ mixedLonger(seed, 250) ^ mixedLongest(seed, 500)
    }
  }
  Benchmark("shares/sieving") { run in
    run.countedOperations = 20
    var sieve = [UInt8](repeating: 1, count: opaque(3000))
    run.measure {
      clear(&sieve)
      strike(&sieve)
      return count(sieve) &+ weighted(sieve) &+ twins(sieve)
    }
  }
  Benchmark("shares/parsing") { run in
    run.countedOperations = 20
    let text = Array(repeating: Array("12,345;-6789 0x1f,7;".utf8), count: opaque(40)).flatMap { $0 }
    run.measure { separators(text) &+ digits(text) &+ numbers(in: text) &+ checksum(text) &+ words(text) }
  }
}

@inline(__always) func round(_ state: UInt) -> UInt {
  (state ^ (state &>> 29)) &* 0x9E37_79B9_7F4A_7C15 &+ 1
}

@inline(__always) func rounds(_ seed: UInt, _ count: Int) -> UInt {
  var state = seed
  for _ in 0..<opaque(count) { state = round(state) }
  return state
}

@inline(never) func mixedOnce(_ seed: UInt, _ count: Int) -> UInt { rounds(seed, count / 2) }
@inline(never) func mixedTwice(_ seed: UInt, _ count: Int) -> UInt { rounds(seed, count) ^ 2 }
@inline(never) func mixedThrice(_ seed: UInt, _ count: Int) -> UInt { rounds(seed, count * 2) ^ 3 }
@inline(never) func mixedLong(_ seed: UInt, _ count: Int) -> UInt { rounds(seed, count * 3) ^ 4 }
@inline(never) func mixedLonger(_ seed: UInt, _ count: Int) -> UInt { rounds(seed, count * 4) ^ 5 }
@inline(never) func mixedLongest(_ seed: UInt, _ count: Int) -> UInt { rounds(seed, count * 5) ^ 6 }

@inline(never) func clear(_ sieve: inout [UInt8]) {
  for place in sieve.indices { sieve[place] = opaque(1) }
}

@inline(never) func strike(_ sieve: inout [UInt8]) {
  var prime = 2
  while prime * prime < sieve.count {
    if sieve[prime] == 1 {
      var multiple = prime * prime
      while multiple < sieve.count {
        sieve[multiple] = 0
        multiple += opaque(prime)
      }
    }
    prime += 1
  }
}

@inline(never) func count(_ sieve: [UInt8]) -> Int {
  var count = 0
  for place in stride(from: 0, to: sieve.count, by: 4) { count = opaque(count) &+ Int(sieve[place]) }
  return count
}

@inline(never) func weighted(_ sieve: [UInt8]) -> Int {
  var sum = 0
  for turn in 0..<5 {
    for place in sieve.indices { sum = opaque(sum) &+ Int(sieve[place]) &* (place ^ turn) }
  }
  return sum
}

@inline(never) func twins(_ sieve: [UInt8]) -> Int {
  var count = 0
  for place in stride(from: 2, to: sieve.count - 2, by: 2) {
    count = opaque(count) &+ Int(sieve[place] & sieve[place + 2]) &+ (place & 1)
  }
  return count
}

@inline(never) func separators(_ text: [UInt8]) -> Int {
  var count = 0
  for place in stride(from: 0, to: text.count, by: 5) where opaque(text[place]) == 44 { count += 1 }
  return count
}

@inline(never) func digits(_ text: [UInt8]) -> Int {
  var count = 0
  for byte in text where (48..<58).contains(opaque(byte)) { count += 1 }
  return count
}

@inline(never) func numbers(in text: [UInt8]) -> Int {
  var (number, sum) = (0, 0)
  for turn in 0..<3 {
    for byte in text {
      if (48..<58).contains(opaque(byte)) {
        number = number &* 10 &+ Int(byte) &- 48
      } else {
        sum ^= number &+ turn
        number = 0
      }
    }
  }
  return sum
}

@inline(never) func checksum(_ text: [UInt8]) -> Int {
  var sum = 1
  for turn in 0..<8 {
    for byte in text { sum = (sum &* 31 &+ Int(byte)) ^ turn }
  }
  return sum
}

@inline(never) func words(_ text: [UInt8]) -> Int {
  var (inside, count) = (false, 0)
  for place in stride(from: 0, to: text.count, by: 2) {
    let isWord = opaque(text[place]) > 47
    if isWord, !inside { count += 1 }
    inside = isWord
  }
  return count
}
