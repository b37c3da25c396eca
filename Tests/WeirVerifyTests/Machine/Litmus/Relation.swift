// Relations among up to 64 events, as rows of bits.

struct Relation {
  private(set) var rows: [UInt64]

  /// No pairs among that many events.
  init(_ count: Int) { rows = [UInt64](repeating: 0, count: count) }

  /// The pairs of which something is true.
  init(_ count: Int, where isIn: (Int, Int) -> Bool) {
    self.init(count)
    for one in 0..<count {
      for other in 0..<count where isIn(one, other) { insert(one, other) }
    }
  }

  /// The identity on the events of which something is true: `[A]`.
  static func identity(_ count: Int, where isIn: (Int) -> Bool) -> Relation {
    Relation(count) { $0 == $1 && isIn($0) }
  }

  mutating func insert(_ one: Int, _ other: Int) { rows[one] |= 1 << UInt64(other) }

  func contains(_ one: Int, _ other: Int) -> Bool { rows[one] >> UInt64(other) & 1 == 1 }

  static func | (one: Relation, other: Relation) -> Relation { one.combined(other) { $0 | $1 } }
  static func & (one: Relation, other: Relation) -> Relation { one.combined(other) { $0 & $1 } }
  static func - (one: Relation, other: Relation) -> Relation { one.combined(other) { $0 & ~$1 } }

  private func combined(_ other: Relation, _ combine: (UInt64, UInt64) -> UInt64) -> Relation {
    var result = self
    for index in rows.indices { result.rows[index] = combine(rows[index], other.rows[index]) }
    return result
  }

  /// One after the other: `one; other`.
  static func * (one: Relation, other: Relation) -> Relation {
    var result = Relation(one.rows.count)
    for index in one.rows.indices {
      var rest = one.rows[index]
      while rest != 0 {
        result.rows[index] |= other.rows[rest.trailingZeroBitCount]
        rest &= rest - 1
      }
    }
    return result
  }

  var inverse: Relation { Relation(rows.count) { contains($1, $0) } }

  /// Or nothing: `r?`.
  var optional: Relation { self | .identity(rows.count) { _ in true } }

  /// Once or more often: `r+`.
  var closure: Relation {
    var result = self
    for middle in rows.indices {
      for index in rows.indices where result.contains(index, middle) { result.rows[index] |= result.rows[middle] }
    }
    return result
  }

  var isIrreflexive: Bool { !rows.indices.contains { contains($0, $0) } }
  var isAcyclic: Bool { closure.isIrreflexive }
}
