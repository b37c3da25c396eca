import Testing

@Test func GaugeStatisticsBuilds() {}
