// A series as a word of blocks, for a line of a terminal.

/// A series as blocks from the lowest to the highest value; a flat one is a low line.
///
/// - Parameters:
///   - values: The series; its last values are shown where it is longer than the width.
///   - width: Most characters.
///   - range: What the lowest and the highest block stand for; the ends of the series where there is none.
func sparkline(_ values: [Double], width: Int = 20, range: ClosedRange<Double>? = nil) -> String {
  let shown = values.suffix(width)
  guard let low = range?.lowerBound ?? shown.min(), let high = range?.upperBound ?? shown.max() else { return "" }
  let blocks = Array("▁▂▃▄▅▆▇█")
  return String(
    shown.map { value in
      guard high > low else { return blocks[0] }
      return blocks[min(blocks.count - 1, Int((value - low) / (high - low) * Double(blocks.count)))]
    })
}
