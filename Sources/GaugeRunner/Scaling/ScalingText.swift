// The scaling of a run as text: for each series its medians, and the law that they bear out.

import Foundation
import Gauge

/// The text of `gauge scaling`, a paragraph per series.
func scalingText(_ series: [ScalingSeries]) -> String {
  series.map { series in
    let rows = series.medians.map { point in
      "  \(series.axis)=\(allDigits(point.size))  \(quantity(point.value, of: series.metric))"
    }
    let law = ScalingLaw(series).map { [$0.summary] + $0.details } ?? [ScalingLaw.need(of: series)]
    return (["\(series.title): \(series.metric.name) over \(series.axis)"] + rows + law.map { "  \($0)" })
      .map(legible).joined(separator: "\n") + "\n"
  }.joined(separator: "\n")
}
