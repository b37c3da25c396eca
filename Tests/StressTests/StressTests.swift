import Testing

@Test func stressBuilds() {}
