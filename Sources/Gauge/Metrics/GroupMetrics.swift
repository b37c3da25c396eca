// The scores of single groups in a measurement of several threads.

extension Metric {
  /// Wall-clock time of one operation of a thread of a group, while all groups work.
  public static func time(ofGroup name: String) -> Metric { Metric("time_" + name, unit: "ns/op") }
  /// The same as the mean over all operations of a launch.
  public static func meanTime(ofGroup name: String) -> Metric { Metric("mean_time_" + name, unit: "ns/op") }
  /// Elements per second that the threads of a group handle together, while all groups work.
  public static func throughput(ofGroup name: String) -> Metric {
    Metric("throughput_" + name, unit: "elements/s", polarity: .higher)
  }

  /// The same metric of a single group.
  func of(group name: String) -> Metric {
    var metric = self
    metric.name += "_" + name
    return metric
  }
}
