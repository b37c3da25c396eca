// Small plots as SVG: two axes with round ticks, and marks in the coordinates of the data. No script, no outside font.

import Foundation

/// A plot under construction.
struct Plot {
  /// An axis: the values at its ends, and where those are in the picture.
  struct Axis {
    /// What is shown, as the smallest and the largest value.
    private(set) var low: Double
    private(set) var high: Double
    /// Whether distances are ratios.
    let isLogarithmic: Bool
    /// How a tick is labelled.
    let label: (Double) -> String
    fileprivate let pixels: (start: Double, end: Double)

    fileprivate init(
      _ values: [Double], isLogarithmic: Bool, isPadded: Bool, pixels: (Double, Double),
      label: @escaping (Double) -> String
    ) {
      let finite = values.filter { $0.isFinite && (!isLogarithmic || $0 > 0) }
      // What is smaller or larger has no ticks that a number can tell apart.
      let range = (isLogarithmic ? 1e-290 : -1e290)...1e290
      func limited(_ value: Double?) -> Double { min(max(value ?? 1, range.lowerBound), range.upperBound) }
      var (low, high) = (limited(finite.min()), limited(finite.max()))
      if low == high {
        (low, high) =
          isLogarithmic ? (low / 2, high * 2) : (low - max(abs(low) * 0.05, 0.5), high + max(abs(high) * 0.05, 0.5))
      }
      if isPadded {
        let room = isLogarithmic ? pow(10, 0.05 * (log10(high) - log10(low))) : (high - low) * 0.06
        // Where nothing is below 0 there is nothing to show there.
        let floor = low >= 0 ? 0 : -Double.infinity
        (low, high) = isLogarithmic ? (low / room, high * room) : (max(floor, low - room), high + room)
      }
      self.low = low
      self.high = high
      self.isLogarithmic = isLogarithmic
      self.pixels = pixels
      self.label = label
    }

    /// Where a value is in the picture.
    func place(_ value: Double) -> Double {
      let share =
        isLogarithmic
        ? (log10(max(value, low / 10)) - log10(low)) / (log10(high) - log10(low)) : (value - low) / (high - low)
      return pixels.start + share * (pixels.end - pixels.start)
    }

    /// Round values along the axis: powers of ten, or steps of 1, 2 or 5.
    var ticks: [Double] {
      if isLogarithmic, high / low >= 10 {
        let powers = (first: Int(log10(low).rounded(.up)), last: Int(log10(high).rounded(.down)))
        let step = 1 + (powers.last - powers.first) / 8
        return stride(from: powers.first, through: powers.last, by: step).map { pow(10, Double($0)) }
      }
      let raw = (high - low) / 4
      guard raw >= 1e-300, raw.isFinite else { return [low] }
      let power = pow(10, log10(raw).rounded(.down))
      let step = [1, 2, 5, 10].map { $0 * power }.first { $0 >= raw } ?? raw
      let first = (low / step).rounded(.up)
      return (0..<8).map { (first + Double($0)) * step }.filter { $0 <= high }
    }
  }

  /// Size in pixels.
  static let size = (width: 360.0, height: 170.0)
  private static let margin = (left: 58.0, right: 10.0, top: 8.0, bottom: 30.0)

  /// The horizontal axis.
  let x: Axis
  /// The vertical axis.
  let y: Axis
  private let title: String
  private var marks: [Markup] = []

  /// A plot without marks.
  ///
  /// - Parameters:
  ///   - title: What it shows, for those who can't see it and for the caption of the horizontal axis.
  ///   - x: Values that the horizontal axis must hold.
  ///   - y: The same of the vertical one.
  ///   - isLogarithmic: Whether both axes are logarithmic.
  ///   - labelX: How a horizontal tick is labelled.
  ///   - labelY: How a vertical tick is labelled.
  init(
    _ title: String, x: [Double], y: [Double], isLogarithmic: Bool = false, labelX: @escaping (Double) -> String,
    labelY: @escaping (Double) -> String
  ) {
    self.title = title
    let (size, margin) = (Self.size, Self.margin)
    self.x = Axis(
      x, isLogarithmic: isLogarithmic, isPadded: true, pixels: (margin.left, size.width - margin.right), label: labelX)
    self.y = Axis(
      y, isLogarithmic: isLogarithmic, isPadded: true, pixels: (size.height - margin.bottom, margin.top), label: labelY)
  }

  /// Adds dots.
  mutating func dots(_ points: [(x: Double, y: Double)], style: String) {
    marks += points.map {
      "<circle class=\"\(style)\" cx=\"\(number(x.place($0.x)))\" cy=\"\(number(y.place($0.y)))\" r=\"2.5\"/>"
    }
  }

  /// Adds a line through points, or the area below it down to the axis.
  mutating func line(_ points: [(x: Double, y: Double)], style: String, filled: Bool = false) {
    guard let first = points.first, let last = points.last else { return }
    let path = points.map { "\(number(x.place($0.x))),\(number(y.place($0.y)))" }.joined(separator: " ")
    if filled {
      let floor = number(Self.size.height - Self.margin.bottom)
      let (start, end) = (number(x.place(first.x)), number(x.place(last.x)))
      marks.append("<polygon class=\"\(style)\" points=\"\(start),\(floor) \(path) \(end),\(floor)\"/>")
    } else {
      marks.append("<polyline class=\"\(style)\" points=\"\(path)\"/>")
    }
  }

  /// Adds a vertical line through the whole plot.
  mutating func rule(x value: Double, style: String, title: String = "") {
    let place = number(x.place(value))
    marks.append(
      """
      <line class="\(style)" x1="\(place)" x2="\(place)" y1="\(number(Self.margin.top))" \
      y2="\(number(Self.size.height - Self.margin.bottom))"><title>\(title)</title></line>
      """)
  }

  /// Adds vertical bars from low to high.
  mutating func bars(_ bars: [(x: Double, low: Double, high: Double)], style: String) {
    marks += bars.map {
      let place = number(x.place($0.x))
      return """
        <line class="\(style)" x1="\(place)" x2="\(place)" y1="\(number(y.place($0.low)))" \
        y2="\(number(y.place($0.high)))"/>
        """
    }
  }

  /// The picture.
  func svg() -> Markup {
    let (size, margin) = (Self.size, Self.margin)
    let floor = size.height - margin.bottom
    var parts: [Markup] = [
      #"<svg role="img" viewBox="0 0 \#(number(size.width)) \#(number(size.height))" aria-label="\#(title)">"#
    ]
    let (left, right) = (number(margin.left), number(size.width - margin.right))
    for tick in y.ticks {
      let place = number(y.place(tick))
      let label = y.label(tick)
      guard !label.isEmpty else { continue }
      parts.append(#"<line class="grid" x1="\#(left)" x2="\#(right)" y1="\#(place)" y2="\#(place)"/>"#)
      parts.append(#"<text class="tick end" x="\#(number(margin.left - 4))" y="\#(place)" dy="3">\#(label)</text>"#)
    }
    for tick in x.ticks {
      let place = number(x.place(tick))
      let ends = (number(floor), number(floor + 3))
      parts.append(#"<line class="grid" x1="\#(place)" x2="\#(place)" y1="\#(ends.0)" y2="\#(ends.1)"/>"#)
      let label = x.label(tick)
      if !label.isEmpty {
        parts.append(#"<text class="tick middle" x="\#(place)" y="\#(number(floor + 13))">\#(label)</text>"#)
      }
    }
    let middle = number((margin.left + size.width - margin.right) / 2)
    parts.append(#"<text class="tick middle" x="\#(middle)" y="\#(number(size.height - 3))">\#(title)</text>"#)
    return Markup(parts + marks + ["</svg>"])
  }

  private func number(_ value: Double) -> String { String(format: "%.1f", value.isFinite ? value : 0) }
}
