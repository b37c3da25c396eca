// Waiting for publishers in asynchronous tests, as those of Swift Testing.

public import Weir

/// Waits for the first value of a publisher.
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
  public func awaitPublisher<Source: Publisher>(
    _ publisher: Source, timeout: Duration = .seconds(1), fileID: StaticString = #fileID, line: UInt = #line
  ) async throws -> Source.Output
{
  let recorder = publisher.record(demand: .max(1))
  defer { recorder.cancel() }
  return try await recorder.waitForValues(1, timeout: timeout, fileID: fileID, line: line)[0]
}

/// Collects the values of a publisher until it ends, time is up, or the task is cancelled.
///
/// It waits for a time that really passes: with a ``TestScheduler`` use ``collectValues(from:during:on:)``. Nothing
/// ends it within the subscription, where a sequence without end sends for ever: take a part of that, as `prefix` does.
///
/// - Parameters:
///   - publisher: The publisher.
///   - duration: The longest time to wait.
nonisolated(nonsending)
  public func collectValues<Source: Publisher>(
    from publisher: Source, during duration: Duration = .milliseconds(100)
  ) async -> [Source.Output]
{
  let recorder = publisher.record()
  defer { recorder.cancel() }
  await recorder.waitUntilReady(.max, timeout: duration)
  return recorder.values
}

/// Collects a number of values of a publisher.
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
  public func collectValues<Source: Publisher>(
    from publisher: Source, count: Int, timeout: Duration = .seconds(1), fileID: StaticString = #fileID,
    line: UInt = #line
  ) async throws -> [Source.Output]
{
  let recorder = publisher.record(demand: .max(max(count, 0)))
  defer { recorder.cancel() }
  return try await recorder.waitForValues(count, timeout: timeout, fileID: fileID, line: line)
}

/// Collects the values of a publisher while the clock of a test scheduler is moved.
///
/// - Parameters:
///   - publisher: The publisher.
///   - duration: How far the clock is moved.
///   - scheduler: The scheduler.
public func collectValues<Source: Publisher, Time: Strideable, Options>(
  from publisher: Source, during duration: Time.Stride, on scheduler: TestScheduler<Time, Options>
) -> [Source.Output] where Time.Stride: SchedulerTimeIntervalConvertible {
  let recorder = publisher.record()
  defer { recorder.cancel() }
  scheduler.advance(by: duration)
  return recorder.values
}
