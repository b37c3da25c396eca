// Parameters of a benchmark: the axes an author declares, and the points of the grid they span.

/// One parameter of a benchmark and the values it takes.
public struct BenchmarkAxis: Hashable, Sendable {
  /// Name of the parameter: ASCII letters, digits and `. _ -`.
  public let name: String
  /// The values as text, in the order they were declared.
  let values: [String]

  /// A parameter of whole numbers, read with `run["name"]`.
  ///
  /// - Parameters:
  ///   - name: ASCII letters, digits and `. _ -`.
  ///   - values: At least one; none twice.
  public static func values(_ name: String, _ values: [Int]) -> BenchmarkAxis {
    BenchmarkAxis(name: name, values: values.map { "\($0)" })
  }

  /// The number of threads of `BenchmarkRun.measure(threads:operation:)`, read with `run["threads"]`: `gauge scaling`
  /// fits the universal scalability law over this axis.
  ///
  /// - Parameter counts: At least one; none twice.
  public static func threads(_ counts: [Int]) -> BenchmarkAxis { .values("threads", counts) }

  /// A parameter of words, read with `run[text: "name"]`.
  ///
  /// - Parameters:
  ///   - name: ASCII letters, digits and `. _ -`.
  ///   - values: At least one; none twice; ASCII letters, digits and `/ . _ - +`.
  public static func values(_ name: String, _ values: [String]) -> BenchmarkAxis {
    BenchmarkAxis(name: name, values: values)
  }
}

/// One value for each axis of a benchmark, in the order of the axes.
struct GridPoint: Hashable, Sendable {
  /// Name and value of each parameter.
  struct Parameter: Hashable, Sendable {
    var name: String
    var value: String
  }

  var parameters: [Parameter] = []

  /// The point as it stands in launch requests and result files: `name=value` joined by `;`.
  var text: String {
    parameters.map { $0.name + "=" + $0.value }.joined(separator: ";")
  }

  subscript(name: String) -> String? {
    parameters.first { $0.name == name }?.value
  }

  /// All points of a grid; the last axis runs fastest.
  static func grid(_ axes: [BenchmarkAxis]) -> [GridPoint] {
    axes.reduce([GridPoint()]) { points, axis in
      points.flatMap { point in
        axis.values.map { GridPoint(parameters: point.parameters + [Parameter(name: axis.name, value: $0)]) }
      }
    }
  }
}
