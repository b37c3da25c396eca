// The Mann-Whitney test against SciPy and against all permutations.

import GaugeStatistics
import Testing

@Suite struct MannWhitneyTests {
  @Test func agreesWithSciPy() throws {
    for vector in try vectors("mann-whitney", as: [[String: Vector]].self) {
      let (first, second) = (try #require(vector["first"]?.list), try #require(vector["second"]?.list))
      #expect(MannWhitney(first, second).u == vector["u"]?.number)
      let alternatives: [(String, MannWhitney.Alternative)] = [
        ("different", .different), ("greater", .greater), ("less", .less),
      ]
      for (name, alternative) in alternatives {
        let asymptotic = MannWhitney(first, second, method: .asymptotic).pValue(alternative)
        #expect(agrees(asymptotic, try #require(vector["asymptotic." + name]?.number)), "\(name)")
        if let reference = vector["exact." + name]?.number {
          #expect(agrees(MannWhitney(first, second).pValue(alternative), reference), "\(name)")
        }
      }
    }
  }

  /// A number or a list of numbers.
  enum Vector: Decodable {
    case one(Double)
    case many([Double])

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      self =
        if let number = try? container.decode(Double.self) { .one(number) } else {
          .many(try container.decode([Double].self))
        }
    }

    var number: Double? { if case .one(let number) = self { number } else { nil } }
    var list: [Double]? { if case .many(let list) = self { list } else { nil } }
  }

  @Test func equalValuesSayNothing() {
    for method in [MannWhitney.Method.automatic, .exact, .asymptotic] {
      #expect(MannWhitney([0, 0, 0, 0, 0], [0, 0, 0, 0, 0], method: method).pValue() == 1)
    }
  }

  @Test func exactWithTiesErrsToTheLargeSide() {
    let first = [1.0, 1, 2, 2, 3, 3, 3, 4]
    let second = [2.0, 3, 4, 4, 5, 5, 5, 6]
    let exact = MannWhitney(first, second, method: .exact).pValue()
    // The share of all 12,870 ways to split the pooled values into two eights that are at least as extreme.
    #expect(exact >= permutationPValue(first, second))
    #expect(exact < 0.02)
  }

  private func permutationPValue(_ first: [Double], _ second: [Double]) -> Double {
    let pooled = first + second
    let centre = Double(first.count * second.count) / 2
    let observed = abs(MannWhitney(first, second).u - centre)
    var (all, extreme) = (0, 0)
    for mask in 0..<(1 << pooled.count) where mask.nonzeroBitCount == second.count {
      var (inside, outside) = ([Double](), [Double]())
      for index in pooled.indices {
        if mask >> index & 1 == 1 { inside.append(pooled[index]) } else { outside.append(pooled[index]) }
      }
      all += 1
      if abs(MannWhitney(outside, inside, method: .asymptotic).u - centre) >= observed { extreme += 1 }
    }
    return Double(extreme) / Double(all)
  }
}
