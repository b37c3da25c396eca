// A run in the formats of time-series stores: InfluxDB's line protocol and OpenMetrics.

import Foundation
import Gauge

extension RunSummary {
  /// InfluxDB's line protocol: a point per benchmark and metric, parameters and build as tags, at the time of the run.
  var influx: String {
    // The store's time ends in 2262.
    let stamp = seconds.map { abs($0) < 9e9 ? " \(Int64($0) * 1_000_000_000)" : "" } ?? ""
    let build = [("machine", field("machine_id")), ("commit", field("commit"))]
    return points.flatMap { point in
      point.rows.map { row in
        var tags = [("benchmark", point.benchmark), ("metric", row.metric.name), ("unit", row.metric.unit)]
        tags += build
        // Of parameters of one name the first counts: a point has each tag once.
        var known: Set<String> = []
        tags += point.parameters.filter { known.insert($0.name).inserted }.map { ("param_" + $0.name, $0.value) }
        // Sorted by key, as the store would have to otherwise; it has no tags of empty values.
        let text = tags.filter { !$0.1.isEmpty }.sorted { $0.0 < $1.0 }
          .map { ",\(Self.influxTag($0.0))=\(Self.influxTag($0.1))" }.joined()
        let interval = row.estimate.interval
        return "gauge\(text) median=\(row.estimate.value),low=\(interval.lower),high=\(interval.upper),"
          + "launches=\(row.values.count)i\(stamp)\n"
      }
    }.joined()
  }

  /// A tag's key or value: commas, spaces and `=` are escaped, line breaks are not allowed.
  private static func influxTag(_ text: String) -> String {
    var escaped = ""
    var last: Unicode.Scalar?
    for scalar in text.unicodeScalars {
      defer { last = scalar }
      switch scalar {
      case ",", "=", " ":
        // A backslash in front would escape the one that escapes.
        escaped += last == "\\" ? "_\\" : "\\"
        escaped.unicodeScalars.append(scalar)
      case "\n" where last == "\r": continue
      case _ where scalar.isControl: escaped += "_"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    // A backslash at the end would escape what stands behind it.
    return escaped.unicodeScalars.last == "\\" ? escaped + "_" : escaped
  }

  /// OpenMetrics text 1.0: a family per metric, in seconds and bytes; `stat` tells the median from its interval's ends.
  var openMetrics: String {
    var families: [String: (metric: Metric, lines: [String])] = [:]
    // Of metrics whose names differ in what the format has no letters for, each has a family of its own.
    var names = UnlikeNames()
    var familyNames: [String: String] = [:]
    for point in points {
      var labels = [("benchmark", point.benchmark)]
      var labelNames = UnlikeNames()
      for parameter in point.parameters {
        labels.append(("param_" + labelNames.give(Self.labelName(parameter.name)), parameter.value))
      }
      labels = labels.filter { !$0.1.isEmpty }
      for row in point.rows {
        var family = Self.family(row.metric)
        if familyNames[row.metric.name] == nil { familyNames[row.metric.name] = names.give(family.name) }
        family.name = familyNames[row.metric.name] ?? family.name
        let interval = row.estimate.interval
        for (stat, value) in [("median", row.estimate.value), ("low", interval.lower), ("high", interval.upper)] {
          let text = (labels + [("stat", stat)]).map { "\($0.0)=\"\(Self.labelValue($0.1))\"" }.joined(separator: ",")
          families[family.name, default: (row.metric, [])].lines.append(
            "\(family.name){\(text)} \(value / family.scale)")
        }
      }
    }
    return families.sorted { $0.key < $1.key }.map { name, content in
      // A family that had to take another name doesn't end with its unit.
      let unit = Self.family(content.metric).unit.flatMap { name.hasSuffix("_\($0)") ? "# UNIT \(name) \($0)\n" : nil }
      let help = "\(content.metric.name) in \(content.metric.unit) by gauge."
      return "# TYPE \(name) gauge\n\(unit ?? "")# HELP \(name) \(Self.labelValue(help))\n"
        + content.lines.map { $0 + "\n" }.joined()
    }.joined() + "# EOF\n"
  }

  /// The family of a metric: its name, its unit where OpenMetrics has a base unit for it, and how many of the metric's
  /// are one of it.
  private static func family(_ metric: Metric) -> (name: String, unit: String?, scale: Double) {
    let name = "gauge_" + labelName(metric.name)
    func family(of unit: String, _ scale: Double) -> (name: String, unit: String?, scale: Double) {
      // A name ends with its unit, and has it once.
      (name.hasSuffix("_" + unit) ? name : name + "_" + unit, unit, scale)
    }
    if metric.unit == Metric.bandwidth.unit { return family(of: "bytes_per_second", 1) }
    return switch noun(of: metric) {
    case "ns": family(of: "seconds", 1e9)
    case "B": family(of: "bytes", 1)
    default: (name, nil, 1)
    }
  }

  private static func labelName(_ text: String) -> String {
    String(
      text.unicodeScalars.map {
        $0.isASCII && ($0.properties.isAlphabetic || ("0"..."9").contains($0)) ? Character($0) : "_"
      })
  }

  /// The text of a label or of a help line, on one line.
  private static func labelValue(_ text: String) -> String {
    var escaped = ""
    var last: Unicode.Scalar?
    for scalar in text.unicodeScalars {
      defer { last = scalar }
      switch scalar {
      case "\\": escaped += "\\\\"
      case "\"": escaped += "\\\""
      case "\n" where last == "\r": continue
      case _ where scalar.endsLine: escaped += "\\n"
      case _ where scalar.isControl: escaped += "\u{fffd}"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}
