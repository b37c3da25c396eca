// Changes in the layout and the size of values.

import Gauge

@BenchmarkBuilder var valueBenchmarks: [Benchmark] {
  Benchmark("corpus/existential") { run in
    let squares = numbers(20).map { Square(side: $0) }
    let shapes: [Figure] = squares
    run.measure { totalArea(shapes) }
  }
  Benchmark("corpus/indirect-enum") { run in
    let values = numbers(10)
    run.measure { digest(values) &+ chain(values) }
  }
  Benchmark("corpus/large-copy") { run in
    var field = Field()
    run.measure {
      for row in 0..<4 { advance(&field, row) }
      return field.sum
    }
  }
}

protocol Shape {
  var area: Int { get }
}

struct Square: Shape {
  var side: Int
  var area: Int { side &* side }
}

#if REGRESSED
  typealias Figure = any Shape
#else
  typealias Figure = Square
#endif

func totalArea(_ shapes: [Figure]) -> Int {
  var sum = 0
  for shape in shapes { sum &+= shape.area }
  return sum
}

#if REGRESSED
  enum Step {
    case stay
    indirect case move(Int, Int)
  }
#else
  enum Step {
    case stay
    case move(Int, Int)
  }
#endif

func chain(_ values: [Int]) -> Int {
  var place = 0
  for value in values {
    let step = opaque(value > 2 ? Step.move(value, 1) : .stay)
    switch step {
    case .stay: break
    case .move(let by, let times): place &+= by &* times
    }
  }
  return place
}

struct Row {
  var a = 1, b = 2, c = 3, d = 4, e = 5, f = 6, g = 7, h = 8
}

struct Field {
  var rows = (Row(), Row(), Row(), Row(), Row(), Row())
  var sum: Int { rows.0.a &+ rows.5.h }
}

@inline(never) func shifted(_ field: Field, by amount: Int) -> Field {
  var copy = field
  copy.rows.0.a &+= amount
  return copy
}

@inline(never) func shift(_ field: inout Field, by amount: Int) { field.rows.0.a &+= amount }

func advance(_ field: inout Field, _ row: Int) {
  #if REGRESSED
    field = shifted(field, by: row)
  #else
    shift(&field, by: row)
  #endif
}
