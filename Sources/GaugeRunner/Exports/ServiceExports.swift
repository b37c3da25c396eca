// A run in the formats of services that keep and chart results: Bencher, github-action-benchmark, Otava.

import Gauge

extension RunSummary {
  /// Bencher Metric Format: nanoseconds as `latency`, elements per second as `throughput`,
  /// other metrics by their names.
  var bencher: String {
    JSONText.object(
      points.map { point in
        let measures = point.rows.filter { $0.metric.polarity != .neither }.map { row in
          let slug =
            row.metric.name == Metric.time.name
            ? "latency" : row.metric.name.split(separator: "_", omittingEmptySubsequences: false).joined(separator: "-")
          return (
            name: slug,
            value: JSONText.object([
              ("value", .number(row.estimate.value)), ("lower_value", .number(row.estimate.interval.lower)),
              ("upper_value", .number(row.estimate.interval.upper)),
            ])
          )
        }
        return (String(point.title.prefix(1024)), .object(measures))
      }
    ).text() + "\n"
  }

  /// github-action-benchmark's `customSmallerIsBetter` or `customBiggerIsBetter`: one file each.
  func gitHubAction(_ polarity: Metric.Polarity) -> String {
    let entries = points.flatMap { point in
      point.rows.filter { $0.metric.polarity == polarity }.map { row -> JSONText in
        let interval = row.estimate.interval
        let range =
          interval.upper > interval.lower ? [("range", "± \(digits((interval.upper - interval.lower) / 2))")] : []
        return .object(
          [
            ("name", .string("\(point.title) \(row.metric.name)")), ("unit", .string(row.metric.unit)),
            ("value", .number(row.estimate.value)),
          ] + range.map { (name: $0.0, value: JSONText.string($0.1)) } + [
            ("extra", .string("\(row.values.count) launches"))
          ])
      }
    }
    return JSONText.array(entries).text() + "\n"
  }

  /// Otava's CSV: a line per run, a column per benchmark and metric.
  static func otava(_ runs: [RunSummary]) -> String {
    var columns: [String] = []
    var known: Set<String> = []
    let values = runs.map { run in
      var values: [String: Double] = [:]
      for point in run.points {
        for row in point.rows where row.metric.polarity != .neither {
          let column = "\(point.title) \(row.metric.name)"
          values[column] = row.estimate.value
          if known.insert(column).inserted { columns.append(column) }
        }
      }
      return values
    }
    return CSV.record(["time", "commit"] + columns)
      + zip(runs, values).map { run, values in
        CSV.record([run.field("date"), run.field("commit")] + columns.map { values[$0].map { "\($0)" } ?? "" })
      }.joined()
  }
}
