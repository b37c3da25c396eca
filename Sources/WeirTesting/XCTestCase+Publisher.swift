// Waiting for publishers in tests of XCTest.

#if canImport(XCTest)
  public import Weir
  public import XCTest
  import WeirQueues

  // Within a test case, its members hide the functions of this name of the module.
  extension XCTestCase {
    /// Waits for the first value of a publisher, while the run loop goes on.
    ///
    /// It asks for one value, and cancels when it returns. It is for tests that are not asynchronous: these wait by the
    /// form that takes a `Duration`, as this one keeps the main actor and the main queue from going on there.
    ///
    /// - Parameters:
    ///   - publisher: The publisher.
    ///   - timeout: How many seconds to wait at most; none if that is below zero or not a number.
    ///   - file: Names the place in errors.
    ///   - line: Names the place in errors.
    /// - Returns: The first value.
    /// - Throws: What the publisher fails with, if it fails before its first value; a ``PublisherTestError`` if it
    ///   finishes or time is up before.
    public func awaitPublisher<T: Publisher>(
      _ publisher: T, timeout: Double = 1.0, file: StaticString = #filePath, line: UInt = #line
    ) throws -> T.Output {
      try collectValues(from: publisher, count: 1, timeout: timeout, file: file, line: line)[0]
    }

    /// Collects the values of a publisher until it ends, or time is up, while the run loop goes on.
    ///
    /// Nothing ends it within the subscription, where a sequence without end sends for ever: take a part of that, as
    /// `prefix` does.
    ///
    /// It is for tests that are not asynchronous, as ``XCTest/XCTestCase/awaitPublisher(_:timeout:file:line:)``.
    ///
    /// The commonly copied version ends the time on the main queue, which must run for that, and collects into a
    /// variable that other threads write.
    ///
    /// - Parameters:
    ///   - publisher: The publisher.
    ///   - duration: How many seconds to wait at most; none if that is below zero or not a number.
    ///   - file: Taken as with the other functions, so that a helper can pass it on; there is no error to name the
    ///     place in.
    ///   - line: As `file`.
    public func collectValues<T: Publisher>(
      from publisher: T, during duration: Double = 0.1, file: StaticString = #filePath, line: UInt = #line
    ) -> [T.Output] {
      let recorder = publisher.record()
      defer { recorder.cancel() }
      wait(for: recorder, count: .max, timeout: duration)
      return recorder.values
    }

    /// Collects a number of values of a publisher, while the run loop goes on.
    ///
    /// It is for tests that are not asynchronous, as ``XCTest/XCTestCase/awaitPublisher(_:timeout:file:line:)``.
    ///
    /// - Parameters:
    ///   - publisher: The publisher, which is asked for so many.
    ///   - count: How many; less than one is none.
    ///   - timeout: How many seconds to wait at most; none if that is below zero or not a number.
    ///   - file: Names the place in errors.
    ///   - line: Names the place in errors.
    /// - Throws: What the publisher fails with, if it fails before there are so many; a ``PublisherTestError`` if it
    ///   finishes or time is up before.
    public func collectValues<T: Publisher>(
      from publisher: T, count: Int, timeout: Double = 1.0, file: StaticString = #filePath, line: UInt = #line
    ) throws -> [T.Output] {
      let recorder = publisher.record(demand: .max(max(count, 0)))
      defer { recorder.cancel() }
      wait(for: recorder, count: count, timeout: timeout)
      return try recorder.firstValues(count, .init("\(file)", line, .seconds(Self.bounded(timeout))))
    }

    /// Waits for the first value of a publisher in an asynchronous test, without holding up its thread or actor.
    ///
    /// It asks for one value, and cancels when it returns.
    ///
    /// - Parameters:
    ///   - publisher: The publisher.
    ///   - timeout: The longest time to wait; one below zero is over at once.
    ///   - fileID: Names the place in errors.
    ///   - line: Names the place in errors.
    /// - Returns: The first value.
    /// - Throws: What the publisher fails with, if it fails before its first value; a ``PublisherTestError`` if it
    ///   finishes, time is up or the task is cancelled before.
    nonisolated(nonsending)
      public func awaitPublisher<T: Publisher>(
        _ publisher: T, timeout: Duration = .seconds(1), fileID: StaticString = #fileID, line: UInt = #line
      ) async throws -> T.Output
    {
      try await WeirTesting.awaitPublisher(publisher, timeout: timeout, fileID: fileID, line: line)
    }

    /// Collects the values of a publisher in an asynchronous test until it ends, time is up, or the task is cancelled,
    /// without holding up the test's thread or actor.
    ///
    /// Nothing ends it within the subscription, where a sequence without end sends for ever: take a part of that, as
    /// `prefix` does.
    ///
    /// - Parameters:
    ///   - publisher: The publisher.
    ///   - duration: The longest time to wait.
    nonisolated(nonsending)
      public func collectValues<T: Publisher>(
        from publisher: T, during duration: Duration = .milliseconds(100)
      ) async -> [T.Output]
    {
      await WeirTesting.collectValues(from: publisher, during: duration)
    }

    /// Collects a number of values of a publisher in an asynchronous test, without holding up its thread or actor.
    ///
    /// - Parameters:
    ///   - publisher: The publisher, which is asked for so many.
    ///   - count: How many; less than one is none.
    ///   - timeout: The longest time to wait; one below zero is over at once.
    ///   - fileID: Names the place in errors.
    ///   - line: Names the place in errors.
    /// - Throws: What the publisher fails with, if it fails before there are so many; a ``PublisherTestError`` if it
    ///   finishes, time is up or the task is cancelled before.
    nonisolated(nonsending)
      public func collectValues<T: Publisher>(
        from publisher: T, count: Int, timeout: Duration = .seconds(1), fileID: StaticString = #fileID,
        line: UInt = #line
      ) async throws -> [T.Output]
    {
      try await WeirTesting.collectValues(from: publisher, count: count, timeout: timeout, fileID: fileID, line: line)
    }

    /// Collects the values of a publisher while the clock of a test scheduler is moved.
    ///
    /// - Parameters:
    ///   - publisher: The publisher.
    ///   - duration: How far the clock is moved.
    ///   - scheduler: The scheduler.
    public func collectValues<T: Publisher, Time: Strideable, Options>(
      from publisher: T, during duration: Time.Stride, on scheduler: TestScheduler<Time, Options>
    ) -> [T.Output] where Time.Stride: SchedulerTimeIntervalConvertible {
      WeirTesting.collectValues(from: publisher, during: duration, on: scheduler)
    }

    private func wait<Output, Failure: Error>(
      for recorder: PublisherRecorder<Output, Failure>, count: Int, timeout: Double
    ) {
      let end = Date(timeIntervalSinceNow: Self.bounded(timeout))
      // Not by XCTest's own waiter: it ends those within another one that ends, and traps where one of them has ended.
      while !recorder.tape.isReady(count), Date() < end {
        let slice = min(end, Date(timeIntervalSinceNow: 0.001))
        if !RunLoop.current.run(mode: .default, before: slice) { Thread.sleep(until: slice) }
      }
    }

    /// A time that clocks can reckon with: 136 years at most, and none for what is not a number.
    private static func bounded(_ timeout: Double) -> Double { max(0, min(timeout, Double(UInt32.max))) }
  }
#endif
