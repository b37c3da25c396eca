import Testing

@Test func WeirQueuesBuilds() {}
