// Changes that cost the machine time without one instruction more: layout, order, and what of it a core can foresee.

import Gauge

/// What differs between both builds.
#if REGRESSED
  let isRegressed = true
#else
  let isRegressed = false
#endif

@BenchmarkBuilder var machineBenchmarks: [Benchmark] {
  Benchmark("sampled/row-order") { run in
    let matrix = Matrix()
    let values = numbers(2000)
    run.measure { digest(values) &+ matrix.sum() }
  }
  Benchmark("sampled/list-order") { run in
    let list = List()
    let values = numbers(2000)
    run.measure { digest(values) &+ list.walk() }
  }
  Benchmark("sampled/sparse-records") { run in
    let records = Records()
    let values = numbers(2000)
    run.measure { digest(values) &+ records.scan() }
  }
  Benchmark("sampled/gather") { run in
    let lookup = Lookup()
    let values = numbers(2000)
    run.measure { digest(values) &+ lookup.gather() }
  }
  Benchmark("sampled/branches") { run in
    let sorter = Sorter()
    let values = numbers(2000)
    run.measure { digest(values) &+ sorter.classify() }
  }
  Benchmark("sampled/store-forwarding") { run in
    let frame = Frame()
    let values = numbers(2000)
    run.measure { digest(values) &+ frame.relay() }
  }
  Benchmark("sampled/set-conflict") { run in
    let tiles = Tiles()
    let values = numbers(2000)
    run.measure { digest(values) &+ tiles.touch() }
  }
  Benchmark("sampled/split-loads") { run in
    let packed = Packed()
    let values = numbers(2000)
    run.measure { digest(values) &+ packed.load() }
  }
  Benchmark("sampled/pages") { run in
    let pages = Pages()
    let values = numbers(2000)
    run.measure { digest(values) &+ pages.visit() }
  }
  Benchmark("sampled/cold-buffers") { run in
    let buffers = Buffers()
    let values = numbers(2000)
    run.measure { digest(values) &+ buffers.fill() }
  }
  Benchmark("sampled/wide-division") { run in
    let divisions = Divisions()
    let values = numbers(2000)
    run.measure { digest(values) &+ divisions.divide() }
  }
}

/// A number that the optimiser doesn't know: one in the one build, and another one in the other.
func choice<Value>(_ usual: Value, regressed: Value) -> Value { opaque(isRegressed) ? regressed : usual }

/// As many numbers in an order without a pattern.
func shuffled(_ count: Int) -> [Int] {
  var order = Array(0..<count)
  var state: UInt64 = 88_172_645_463_325_252
  for place in stride(from: count - 1, to: 0, by: -1) {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    order.swapAt(place, Int(state % UInt64(place + 1)))
  }
  return order
}

/// By columns instead of by rows.
final class Matrix {
  private let values = UnsafeMutablePointer<Int>.allocate(capacity: 1024 * 1024)
  private let outer = choice(1024, regressed: 1)
  private let inner = choice(1, regressed: 1024)

  init() { values.initialize(repeating: 1, count: 1024 * 1024) }
  deinit { values.deallocate() }

  @inline(never) func sum() -> Int {
    var sum = 0
    for row in 0..<64 {
      var place = row * outer
      for _ in 0..<1024 {
        sum &+= values[place]
        place &+= inner
      }
    }
    return sum
  }
}

/// Nodes that lie one behind the other, or anywhere.
final class List {
  private let next = UnsafeMutablePointer<Int>.allocate(capacity: 1 << 19)

  init() {
    let count = 1 << 19
    let order = choice(Array(0..<count), regressed: shuffled(count))
    for place in 0..<count { next[order[place]] = order[(place + 1) % count] }
  }
  deinit { next.deallocate() }

  private var place = 0

  @inline(never) func walk() -> Int {
    var node = place
    for _ in 0..<2000 { node = next[node] }
    place = node
    return node
  }
}

/// One field of records that have grown.
final class Records {
  private let fields = UnsafeMutablePointer<Int>.allocate(capacity: 4096 * 64)
  private let size = choice(1, regressed: 64)

  init() { fields.initialize(repeating: 1, count: 4096 * 64) }
  deinit { fields.deallocate() }

  @inline(never) func scan() -> Int {
    var (sum, place) = (0, 0)
    for _ in 0..<4096 {
      sum &+= fields[place]
      place &+= size
    }
    return sum
  }
}

/// Looks up what lies together, or apart.
final class Lookup {
  private let table = UnsafeMutablePointer<Int>.allocate(capacity: 1 << 20)
  private let places = UnsafeMutablePointer<Int>.allocate(capacity: 4096)

  init() {
    table.initialize(repeating: 1, count: 1 << 20)
    let order = choice(Array(0..<4096), regressed: Array(shuffled(1 << 20).prefix(4096)))
    for place in 0..<4096 { places[place] = order[place] }
  }
  deinit {
    table.deallocate()
    places.deallocate()
  }

  @inline(never) func gather() -> Int {
    var sum = 0
    for place in 0..<4096 { sum &+= table[places[place]] }
    return sum
  }
}

/// A branch that goes the same way for long, or that nobody can foresee.
final class Sorter {
  private let values = UnsafeMutablePointer<Int>.allocate(capacity: 8192)
  private let low = UnsafeMutablePointer<Int>.allocate(capacity: 1)
  private let high = UnsafeMutablePointer<Int>.allocate(capacity: 1)

  init() {
    let order = choice(Array(0..<8192), regressed: shuffled(8192))
    for place in 0..<8192 { values[place] = order[place] }
    low.initialize(to: 0)
    high.initialize(to: 0)
  }
  deinit {
    values.deallocate()
    low.deallocate()
    high.deallocate()
  }

  @inline(never) func classify() -> Int {
    for place in 0..<8192 {
      if values[place] < 4096 { low.pointee &+= values[place] } else { high.pointee ^= values[place] }
    }
    return low.pointee &+ high.pointee
  }
}

/// Reads what was just written, at the same place or across two writes.
final class Frame {
  private let bytes = UnsafeMutableRawPointer.allocate(byteCount: 64, alignment: 64)
  private let offset = choice(0, regressed: 4)

  init() { bytes.initializeMemory(as: UInt8.self, repeating: 0, count: 64) }
  deinit { bytes.deallocate() }

  @inline(never) func relay() -> Int {
    var state = 1
    for _ in 0..<1000 {
      bytes.storeBytes(of: state, toByteOffset: 0, as: Int.self)
      bytes.storeBytes(of: state, toByteOffset: 8, as: Int.self)
      state = bytes.loadUnaligned(fromByteOffset: offset, as: Int.self) &+ 1
    }
    return state
  }
}

/// Lines that share a set of the cache, or don't.
final class Tiles {
  private let bytes = UnsafeMutablePointer<Int>.allocate(capacity: 64 * 1024)
  private let stride = choice(520, regressed: 512)

  init() { bytes.initialize(repeating: 1, count: 64 * 1024) }
  deinit { bytes.deallocate() }

  @inline(never) func touch() -> Int {
    var sum = 0
    for _ in 0..<40 {
      var place = 0
      for _ in 0..<120 {
        bytes[place] &+= sum
        sum &+= bytes[place]
        place &+= stride
      }
    }
    return sum
  }
}

/// Words that lie within a line, or across two.
final class Packed {
  private let bytes = UnsafeMutableRawPointer.allocate(byteCount: 64 * 256 + 64, alignment: 64)
  private let offset = choice(0, regressed: 60)

  init() { bytes.initializeMemory(as: UInt8.self, repeating: 1, count: 64 * 256 + 64) }
  deinit { bytes.deallocate() }

  @inline(never) func load() -> Int {
    var sum = 0
    for _ in 0..<20 {
      var place = offset
      for _ in 0..<256 {
        bytes.storeBytes(of: sum, toByteOffset: place, as: Int.self)
        sum &+= place
        place &+= 64
      }
    }
    return sum
  }
}

/// As many lines of few pages, or of many.
final class Pages {
  private let words = UnsafeMutablePointer<Int>.allocate(capacity: 4096 * 520)
  private let stride = choice(8, regressed: 520)

  init() { words.initialize(repeating: 1, count: 4096 * 520) }
  deinit { words.deallocate() }

  @inline(never) func visit() -> Int {
    var (sum, place) = (0, 0)
    for _ in 0..<4096 {
      sum &+= words[place]
      place &+= stride
    }
    return sum
  }
}

/// The same buffer again and again, or another one each time.
final class Buffers {
  private let words = UnsafeMutablePointer<Int>.allocate(capacity: 1 << 21)
  private let step = choice(0, regressed: 4096)
  private var place = 0

  init() { words.initialize(repeating: 1, count: 1 << 21) }
  deinit { words.deallocate() }

  @inline(never) func fill() -> Int {
    let start = place
    for offset in 0..<4096 { words[start + offset] &+= 1 }
    place = (start + step) & (1 << 21 - 1)
    return words[start]
  }
}

/// Divides small numbers, or large ones.
final class Divisions {
  private let values = UnsafeMutablePointer<Int>.allocate(capacity: 1024)
  private let divisor = opaque(7)

  init() {
    for place in 0..<1024 { values[place] = choice(place + 7, regressed: Int.max - place) }
  }
  deinit { values.deallocate() }

  @inline(never) func divide() -> Int {
    var sum = 0
    for place in 0..<1024 { sum &+= (values[place] &- sum & 1) / divisor }
    return sum
  }
}
