import Testing

@Test func GaugeRunnerBuilds() {}
