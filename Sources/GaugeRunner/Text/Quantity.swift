// Numbers as people read them: three digits, a scaled unit, changes in per cent.

import Foundation
import Gauge

/// A value in the unit of its metric, scaled: `12.3 ns`, `1.20 µs`, `45.6 M/s`, `1.50 GB/s`, `48 B`, `2`.
///
/// Exact metrics are never rounded to three digits: one allocation in a million operations reads 1.000001. What is less
/// than any count or any clock can tell is what is left of a subtraction, and reads 0.
func quantity(_ value: Double, of metric: Metric) -> String {
  let value = withoutRest(value, of: metric)
  let units = units(of: metric)
  guard units.count == 1 else { return scaled(value, units) }
  let number = metric.kind == .exact ? allDigits(value) : digits(value)
  return units[0].name.isEmpty ? number : "\(number) \(units[0].name)"
}

/// A unit that values are written in: its name, and how much of the metric's own unit it is.
typealias ScaledUnit = (name: String, size: Double)

/// The units that a metric's values are written in, the smallest first;
/// a single one without a name where values are bare numbers.
func units(of metric: Metric) -> [ScaledUnit] {
  let noun = noun(of: metric)
  if noun == "ns" { return [("ns", 1), ("µs", 1e3), ("ms", 1e6), ("s", 1e9)] }
  // `45.6 M/s` of elements says enough; bytes are named, as everybody names them.
  let rates = [Metric.throughput.unit: "", Metric.openLoopRate.unit: "", Metric.bandwidth.unit: "B"]
  if let named = rates[metric.unit] {
    return [("", 1), ("k", 1e3), ("M", 1e6), ("G", 1e9)].map { ("\($0)\(named)/s", $1) }
  }
  // A rate in a unit of an author's own keeps it: it may be scaled already, as MB/s is.
  if metric.unit.hasSuffix("/s") { return [(legible(metric.unit), 1)] }
  if metric.unit == "B", metric.kind == .sampled { return [("B", 1), ("kB", 1e3), ("MB", 1e6), ("GB", 1e9)] }
  return [(noun == "1" ? "" : legible(noun), 1)]
}

/// What a unit counts, without what it is by: `B` of `B/op`.
func noun(of metric: Metric) -> String {
  metric.unit.split(separator: "/", maxSplits: 1).first.map(String.init) ?? ""
}

/// One unit for all values of a column, in which each has at least two digits and none more than five before the point.
///
/// - Returns: `nil` where the values are too far apart for that.
func commonUnit(for values: [Double], of metric: Metric) -> ScaledUnit? {
  let units = units(of: metric)
  let sizes = values.map(abs).filter { $0 > 0 }
  guard units.count > 1, let low = sizes.min(), let high = sizes.max() else { return units[0] }
  guard high / low <= 10_000 else { return nil }
  return units.last { (low * high).squareRoot() >= $0.size } ?? units[0]
}

/// A value, or 0 for what a subtraction has left of equal ones: less than a billionth of a nanosecond, or of a count,
/// which is of a million operations at most.
func withoutRest(_ value: Double, of metric: Metric) -> Double {
  let isCountOrTime = ["ns", "B"].contains(noun(of: metric)) || metric.unit == "1/op"
  return isCountOrTime && abs(value) < 1e-9 ? 0 : value
}

/// A ratio as a change in per cent: 1.123 is `+12.3 %`. A change that would round to 0 keeps its first digit.
func percentChange(_ ratio: Double) -> String {
  let percent = (ratio - 1) * 100
  guard abs(percent) >= 1e-8 else { return "0 %" }
  let text = abs(percent) < 0.05 ? String(format: "%.1g", percent) : String(format: "%.1f", percent)
  return withSign(text, percent) + " %"
}

/// A count as short as can be without reading as a whole number where it is none: 3, 0.333, 1235, 1.000001.
func shortCount(_ value: Double) -> String {
  if value == value.rounded() { return allDigits(value) }
  if abs(value) >= 100 { return String(format: "%.0f", value) }
  let text = String(format: "%.3g", value)
  return Double(text) == value.rounded() ? allDigits(value) : text
}

/// A number with all its digits up to ten, without trailing zeros.
func allDigits(_ value: Double) -> String { String(format: "%.10g", value) }

/// A number with three significant digits and no exponent in the usual range: 1234, 123, 12.3, 1.23, 0.0123.
func digits(_ value: Double) -> String {
  let magnitude = abs(value)
  if magnitude == 0 { return "0" }
  if magnitude < 1e-4 || magnitude >= 1e9 { return String(format: "%.3g", value) }
  let decimals = magnitude >= 99.95 ? 0 : magnitude >= 9.995 ? 1 : magnitude >= 0.9995 ? 2 : 3
  return String(format: "%.\(decimals)f", value)
}

/// A number's text with its sign in front.
func withSign(_ text: String, _ value: Double) -> String { value > 0 ? "+" + text : text }

/// The value in the largest unit of which it has at least one.
private func scaled(_ value: Double, _ units: [ScaledUnit]) -> String {
  let unit = units.last { abs(value) >= $0.size * 0.9995 } ?? units[0]
  if value != 0 && abs(value) < 0.0005 { return "0.000 \(unit.name)" }
  return "\(digits(value / unit.size)) \(unit.name)"
}
