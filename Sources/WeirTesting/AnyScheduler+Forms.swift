// The schedulers that a program and its tests put in place of each other.

public import Dispatch
import Weir
public import WeirDispatch

extension AnyScheduler {
  /// A scheduler that runs each action at once, on the caller's thread, whatever its date; of a repeated one that is
  /// the first and only run. `timeout`, which needs time to pass, traps on it, as on `ImmediateScheduler`.
  ///
  /// - Parameter now: What it returns for the present, always.
  public static func immediate(now: SchedulerTimeType) -> AnyScheduler {
    AnyScheduler(RashScheduler<SchedulerTimeType, SchedulerOptions>(now: now))
  }

  /// A scheduler that the test does not expect to be used: an ``UnimplementedScheduler``.
  ///
  /// - Parameters:
  ///   - name: Names it in failures.
  ///   - now: What it returns for the present, besides failing.
  ///   - fileID: The place where failures are reported.
  ///   - filePath: The place where failures are reported.
  ///   - line: The place where failures are reported.
  ///   - column: The place where failures are reported.
  public static func unimplemented(
    _ name: String = "", now: SchedulerTimeType, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column
  ) -> AnyScheduler {
    AnyScheduler(
      UnimplementedScheduler<SchedulerTimeType, SchedulerOptions>(
        name, now: now, fileID: fileID, filePath: filePath, line: line, column: column))
  }
}

extension AnyScheduler
where
  SchedulerTimeType == DispatchQueue.SchedulerTimeType, SchedulerOptions == DispatchQueue.SchedulerOptions
{
  /// The main queue.
  public static var main: AnyScheduler { AnyScheduler(DispatchQueue.main) }

  /// A scheduler with the time of queues that runs each action at once, as `immediate(now:)` does; its present is a
  /// nanosecond after the machine's start.
  public static var immediate: AnyScheduler { immediate(now: DispatchQueue.test.now) }

  /// A scheduler with the time of queues that the test does not expect to be used.
  ///
  /// - Parameters:
  ///   - name: Names it in failures.
  ///   - fileID: The place where failures are reported.
  ///   - filePath: The place where failures are reported.
  ///   - line: The place where failures are reported.
  ///   - column: The place where failures are reported.
  public static func unimplemented(
    _ name: String = "", fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) -> AnyScheduler {
    unimplemented(
      name, now: DispatchQueue.test.now, fileID: fileID, filePath: filePath, line: line, column: column)
  }
}

extension DispatchQueue {
  /// A new test scheduler with the time of queues, whose clock stands a nanosecond after the machine's start.
  ///
  ///     let queue = DispatchQueue.test
  ///     let model = Search(scheduler: queue.eraseToAnyScheduler())
  ///     queue.advance(by: .milliseconds(300))
  public static var test: TestSchedulerOf<DispatchQueue> {
    TestScheduler(now: SchedulerTimeType(DispatchTime(uptimeNanoseconds: 1)))
  }
}

/// Waits for nothing.
private struct RashScheduler<SchedulerTimeType: Strideable, SchedulerOptions>: Scheduler
where SchedulerTimeType.Stride: SchedulerTimeIntervalConvertible {
  let now: SchedulerTimeType
  var minimumTolerance: SchedulerTimeType.Stride { .zero }

  func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) { action() }

  func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
    _ action: @escaping () -> Void
  ) {
    action()
  }

  func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride,
    options: SchedulerOptions?, _ action: @escaping () -> Void
  ) -> any Cancellable {
    action()
    return AnyCancellable {}
  }
}
