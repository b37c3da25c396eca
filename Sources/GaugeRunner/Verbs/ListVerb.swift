// `gauge list`: what there is to measure.

extension Program {
  /// Runs `gauge list`.
  func list(_ arguments: Arguments) throws(CommandFailure) -> Int32 {
    let points = try choose(arguments).points
    let width = points.map(\.title.count).max() ?? 0
    for point in points {
      let passes = point.passes.map(\.rawValue).joined(separator: ",")
      let tags = point.tags.isEmpty ? "" : "  #" + point.tags.joined(separator: " #")
      console.output.line("\(padded(point.title, to: width))  \(passes)\(tags)")
    }
    return ExitCode.same.rawValue
  }
}
