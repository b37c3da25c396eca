// Changes as people read them: in per cent, as a factor, or in the metric's unit, with the ends of their interval.

import Gauge
import GaugeStatistics

/// A change as people read it: `+12.3 % [+10.1, +14.6]`, `×25.0`, `+1 B`.
func changeText(_ change: Change, of metric: Metric) -> String {
  let interval = change.estimate.interval
  let value = change.scale == .difference ? withoutRest(change.estimate.value, of: metric) : change.estimate.value
  let isPoint = interval.lower == interval.upper || !interval.lower.isFinite || !interval.upper.isFinite
  switch change.scale {
  case .difference:
    let text = withSign(quantity(value, of: metric), value)
    guard !isPoint else { return text }
    let ends = [interval.lower, interval.upper].map { withoutRest($0, of: metric) }.map { withSign(digits($0), $0) }
    return "\(text) [\(ends[0]), \(ends[1])]"
  case .ratio where value >= 10 || interval.upper >= 10 && !isPoint:
    return "×" + digits(value) + (isPoint ? "" : " [×\(digits(interval.lower)), ×\(digits(interval.upper))]")
  case .ratio:
    guard !isPoint else { return percentChange(value) }
    let ends = [interval.lower, interval.upper].map { percentChange($0).replacing(" %", with: "") }
    return "\(percentChange(value)) [\(ends[0]), \(ends[1])]"
  }
}
