import Testing

@Test func WeirBuilds() {}
