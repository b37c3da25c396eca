import Testing

@Test func GaugeBuilds() {}
