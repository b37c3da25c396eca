import Testing

@Test func CombineBuilds() {}
