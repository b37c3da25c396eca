// Linear least squares with a few columns, by modified Gram-Schmidt with a second pass: the columns of a growth law
// differ by many powers of ten, too many for normal equations.

/// A linear fit of rows to values.
struct LeastSquares {
  /// The coefficients, one a column.
  let coefficients: [Double]
  /// The inverse of the columns' products: times the variance of the residuals it is that of the coefficients.
  let inverse: [[Double]]
  /// Sum of the squared residuals.
  let residual: Double

  /// Fits.
  ///
  /// - Parameters:
  ///   - columns: The columns, as long as the values; none is a combination of others.
  ///   - values: What to fit.
  /// - Returns: `nil` where there are fewer values than columns, or the columns depend on each other.
  /// - Complexity: Linear in the values, quadratic in the columns.
  init?(_ columns: [[Double]], _ values: [Double]) {
    guard columns.count <= values.count, !columns.isEmpty else { return nil }
    var basis: [[Double]] = []
    var triangle = [[Double]](repeating: [Double](repeating: 0, count: columns.count), count: columns.count)
    for (index, column) in columns.enumerated() {
      var rest = column
      let length = Self.product(column, column).squareRoot()
      for _ in 0..<2 {
        for (other, direction) in basis.enumerated() {
          let part = Self.product(direction, rest)
          triangle[other][index] += part
          for row in rest.indices { rest[row] -= part * direction[row] }
        }
      }
      let height = Self.product(rest, rest).squareRoot()
      guard height > 1e-12 * length else { return nil }
      triangle[index][index] = height
      basis.append(rest.map { $0 / height })
    }
    var rest = values
    let parts = basis.map { direction in
      let part = Self.product(direction, rest)
      for row in rest.indices { rest[row] -= part * direction[row] }
      return part
    }
    coefficients = Self.solve(triangle, parts)
    residual = Self.product(rest, rest)
    let units = columns.indices.map { unit in
      Self.solve(triangle, columns.indices.map { $0 == unit ? 1 : 0 })
    }
    inverse = columns.indices.map { row in
      columns.indices.map { column in units.reduce(0) { $0 + $1[row] * $1[column] } }
    }
  }

  private static func product(_ first: [Double], _ second: [Double]) -> Double {
    zip(first, second).reduce(0) { $0 + $1.0 * $1.1 }
  }

  /// Solves an upper triangle.
  private static func solve(_ triangle: [[Double]], _ right: [Double]) -> [Double] {
    var solution = right
    for row in right.indices.reversed() {
      for column in (row + 1)..<max(row + 1, right.count) { solution[row] -= triangle[row][column] * solution[column] }
      solution[row] /= triangle[row][row]
    }
    return solution
  }
}
