// The figures of measured streams as text for a monitoring system.

extension StreamMetrics {
  /// What a server says of ``openMetrics()`` in the header `Content-Type`.
  public static let openMetricsContentType = "application/openmetrics-text; version=1.0.0; charset=utf-8"

  /// All figures in the text format of OpenMetrics 1.0, which Prometheus and others read.
  ///
  /// Each stream has the label `stream`, which is its name, and its own labels. There are the counters
  /// `weir_stream_subscriptions`, `weir_stream_values`, `weir_stream_drops`, `weir_stream_completions`,
  /// `weir_stream_failures` and `weir_stream_cancellations`, the gauge `weir_stream_active_subscriptions`, and the
  /// histogram `weir_stream_handling_seconds` of the values that were measured, with a bucket for each doubling from
  /// 128 nanoseconds to 17 seconds; ``StreamReading`` says what each counts.
  ///
  /// - Complexity: O(*n* log *n*) in the number of names, and O(*n*) in that of the subscriptions that somebody holds.
  public func openMetrics() -> String {
    let streams = readings.map { (labels: labels(of: $0), reading: $0) }
    var text = ""
    guard !streams.isEmpty else { return "# EOF\n" }
    for (name, help, value) in counters {
      text += head(name, "counter", help)
      for stream in streams { text += "\(name)_total{\(stream.labels)} \(value(stream.reading))\n" }
    }
    let gauge = "weir_stream_active_subscriptions"
    text += head(gauge, "gauge", "Subscriptions that have not ended.")
    for stream in streams { text += "\(gauge){\(stream.labels)} \(stream.reading.active)\n" }
    let histogram = "weir_stream_handling_seconds"
    text += head(histogram, "histogram", "How long values took downstream, of one in 64.", unit: "seconds")
    for stream in streams { text += samples(histogram, stream.labels, stream.reading.handling) }
    return text + "# EOF\n"
  }
}

private let counters: [(name: String, help: String, value: @Sendable (StreamReading) -> Int)] = [
  ("weir_stream_subscriptions", "Subscribers that were attached.", { $0.subscriptions }),
  ("weir_stream_values", "Values that were passed on.", { $0.values }),
  ("weir_stream_drops", "Values that came when their subscription had ended.", { $0.drops }),
  ("weir_stream_completions", "Subscriptions that finished.", { $0.completions }),
  ("weir_stream_failures", "Subscriptions that failed.", { $0.failures }),
  ("weir_stream_cancellations", "Subscriptions that were cancelled or let go of.", { $0.cancellations }),
]

/// What stands above the samples of a family.
private func head(_ name: String, _ type: String, _ help: String, unit: String? = nil) -> String {
  "# TYPE \(name) \(type)\n" + (unit.map { "# UNIT \(name) \($0)\n" } ?? "") + "# HELP \(name) \(help)\n"
}

/// The labels of a stream, its name first and the others in order, as they stand between braces.
private func labels(of reading: StreamReading) -> String {
  ([("stream", reading.name)] + reading.labels.sorted { $0.key < $1.key })
    .map { "\($0)=\"\(escaped($1))\"" }.joined(separator: ",")
}

private func escaped(_ text: String) -> String {
  var escaped = ""
  for character in text.unicodeScalars {
    switch character {
    case "\\": escaped += "\\\\"
    case "\"": escaped += "\\\""
    case "\n": escaped += "\\n"
    default: escaped.unicodeScalars.append(character)
    }
  }
  return escaped
}

private func samples(_ name: String, _ labels: String, _ times: LatencyHistogram) -> String {
  var text = ""
  for exponent in 7...34 {
    let bound = "\(Double(1 << exponent) / 1_000_000_000)"
    text += "\(name)_bucket{\(labels),le=\"\(bound)\"} \(times.count(atMostTwoToThe: exponent))\n"
  }
  text += "\(name)_bucket{\(labels),le=\"+Inf\"} \(times.count)\n"
  text += "\(name)_count{\(labels)} \(times.count)\n"
  return text + "\(name)_sum{\(labels)} \(Double(times.nanoseconds) / 1_000_000_000)\n"
}
