// Changes in how functions are called and what of them the compiler sees.

import Gauge

@BenchmarkBuilder var callBenchmarks: [Benchmark] {
  Benchmark("corpus/lost-inlining") { run in
    let values = numbers(50)
    run.measure { weigh(values) }
  }
  Benchmark("corpus/unspecialised") { run in
    let values = numbers(20)
    run.measure { digest(values) &+ sum(values) }
  }
  Benchmark("corpus/metadata") { run in
    let registry = Registry()
    run.measure { registry.register(opaque(7)) }
  }
  Benchmark("corpus/exceptions") { run in
    let bytes = numbers(40, below: 64).map { UInt8($0 + 32) }
    run.measure { countDigits(bytes) }
  }
}

#if REGRESSED
  @inline(never)
#endif
func weight(_ value: Int) -> Int { value > 500 ? value &* 2 : value &+ 7 }

func weigh(_ values: [Int]) -> Int {
  var sum = 0
  for value in values { sum &+= weight(value) }
  return sum
}

#if REGRESSED
  @_semantics("optimize.sil.specialize.generic.never")
#endif
@inline(never) func sum<Number: AdditiveArithmetic>(_ values: [Number]) -> Number {
  var sum = Number.zero
  for value in values { sum += value }
  return sum
}

final class Registry {
  var names: [String: Int] = [:]
  var slots: [ObjectIdentifier: Int] = [:]

  func key<Value>(_ value: Value) -> Int {
    #if REGRESSED
      let name = String(describing: type(of: opaque(value) as Any))
      names[name] = 1
      return names.count
    #else
      slots[ObjectIdentifier(Value.self)] = 1
      return slots.count
    #endif
  }

  func register(_ value: Int) -> Int { key(value) &+ value }
}

struct NotADigit: Error {
  var byte: UInt8
}

#if REGRESSED
  @inline(never) func digit(_ byte: UInt8) throws -> Int {
    guard byte >= 48, byte < 58 else { throw NotADigit(byte: byte) }
    return Int(byte) - 48
  }

  func countDigits(_ bytes: [UInt8]) -> Int {
    var count = 0
    for byte in bytes { if (try? digit(byte)) != nil { count += 1 } }
    return count
  }
#else
  @inline(never) func digit(_ byte: UInt8) -> Int? {
    guard byte >= 48, byte < 58 else { return nil }
    return Int(byte) - 48
  }

  func countDigits(_ bytes: [UInt8]) -> Int {
    var count = 0
    for byte in bytes { if digit(byte) != nil { count += 1 } }
    return count
  }
#endif
