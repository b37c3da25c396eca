// Changes in how text is made and read.

import Gauge

@BenchmarkBuilder var textBenchmarks: [Benchmark] {
  Benchmark("corpus/string-key") { run in
    var cache = Cache()
    run.measure { cache.place(row: opaque(12), column: opaque(700)) }
  }
  Benchmark("corpus/formatting") { run in
    let values = numbers(8, below: 256)
    run.measure { digest(values) &+ dump(values).count }
  }
  Benchmark("corpus/characters") { run in
    let line = String(repeating: "12,345,", count: opaque(8))
    run.measure { fields(in: line) }
  }
}

struct Cache {
  var byText: [String: Int] = [:]
  var byNumber: [Int: Int] = [:]

  mutating func place(row: Int, column: Int) -> Int {
    #if REGRESSED
      byText["row \(row), column \(column)", default: 0] &+= 1
      return byText.count
    #else
      byNumber[row &* 100_000 &+ column, default: 0] &+= 1
      return byNumber.count
    #endif
  }
}

func hexadecimal(_ byte: UInt8, into text: inout [UInt8]) {
  #if REGRESSED
    let digits = String(byte, radix: 16)
    text += Array((digits.count < 2 ? "0" + digits : digits).utf8)
  #else
    func digit(_ value: UInt8) -> UInt8 { value < 10 ? 48 + value : 87 + value }
    text.append(digit(byte >> 4))
    text.append(digit(byte & 15))
  #endif
}

func dump(_ values: [Int]) -> [UInt8] {
  var text: [UInt8] = []
  for value in values { hexadecimal(UInt8(truncatingIfNeeded: value), into: &text) }
  return text
}

func fields(in line: String) -> Int {
  #if REGRESSED
    line.filter { $0 == "," }.count + 1
  #else
    line.utf8.count { $0 == 44 } + 1
  #endif
}
