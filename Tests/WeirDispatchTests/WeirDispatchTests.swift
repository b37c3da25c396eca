import Testing

@Test func WeirDispatchBuilds() {}
