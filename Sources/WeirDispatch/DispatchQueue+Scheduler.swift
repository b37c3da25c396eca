// Dispatch queues as schedulers.

public import Dispatch
public import Weir
import WeirQueues

extension DispatchQueue: Scheduler {
  /// A moment in the time of dispatch queues.
  public struct SchedulerTimeType: Strideable, Codable, Hashable, Sendable {
    /// The moment as Dispatch knows it.
    public var dispatchTime: DispatchTime

    /// Wraps a moment.
    ///
    /// - Parameter time: The moment as Dispatch knows it.
    public init(_ time: DispatchTime) { dispatchTime = time }

    /// The time from this moment to another, negative if that is earlier; saturates.
    ///
    /// - Parameter other: The other moment.
    public func distance(to other: SchedulerTimeType) -> Stride {
      let (from, to) = (dispatchTime.uptimeNanoseconds, other.dispatchTime.uptimeNanoseconds)
      return Stride(magnitude: to >= from ? Int(clamping: to - from) : -Int(clamping: from - to))
    }

    /// The moment that is a length of time after this one; a length without end, or one that leads beyond some 146
    /// years of uptime, leads to the distant future, from which none leads back, and one that leads to before the start
    /// of the machine, to its first nanosecond. The moment 0 stands for now, as for Dispatch.
    ///
    /// - Parameter stride: The length of time; negative for an earlier moment.
    public func advanced(by stride: Stride) -> SchedulerTimeType {
      SchedulerTimeType(stride.magnitude == .max ? .distantFuture : dispatchTime + stride.timeInterval)
    }

    /// Hashes the moment.
    public func hash(into hasher: inout Hasher) { hasher.combine(dispatchTime.rawValue) }

    /// Writes the moment as nanoseconds of uptime.
    public func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(dispatchTime.uptimeNanoseconds)
    }

    /// Reads a moment that `encode(to:)` has written.
    public init(from decoder: any Decoder) throws {
      dispatchTime = try DispatchTime(uptimeNanoseconds: decoder.singleValueContainer().decode(UInt64.self))
    }

    /// A length of time in nanoseconds; arithmetic saturates.
    public struct Stride: SchedulerTimeIntervalConvertible, Comparable, SignedNumeric, ExpressibleByFloatLiteral,
      Hashable, Codable, Sendable
    {
      /// Combine's name, which is what a length prints as.
      private var _nanoseconds: Int

      /// The length in nanoseconds; `Int.max` stands for a time without end.
      public var magnitude: Int {
        get { _nanoseconds }
        set { _nanoseconds = newValue }
      }

      init(magnitude: Int) { _nanoseconds = magnitude }

      /// The length as Dispatch knows it.
      public var timeInterval: DispatchTimeInterval { .nanoseconds(magnitude) }

      /// Converts a length of time; `never` becomes a time without end.
      ///
      /// - Parameter timeInterval: The length as Dispatch knows it.
      public init(_ timeInterval: DispatchTimeInterval) {
        switch timeInterval {
        case .seconds(let seconds): self = .seconds(seconds)
        case .milliseconds(let milliseconds): self = .milliseconds(milliseconds)
        case .microseconds(let microseconds): self = .microseconds(microseconds)
        case .nanoseconds(let nanoseconds): self = .nanoseconds(nanoseconds)
        default: self.init(magnitude: .max)
        }
      }

      /// A number of seconds.
      public init(floatLiteral value: Double) { self = .seconds(value) }

      /// A number of seconds.
      public init(integerLiteral value: Int) { self = .seconds(value) }

      /// A number of seconds, as a literal is; `nil` if it does not fit into an `Int`.
      public init?<Source: BinaryInteger>(exactly source: Source) {
        guard let seconds = Int(exactly: source) else { return nil }
        self = .seconds(seconds)
      }

      /// Returns `true` if the first length is shorter than the second.
      public static func < (lhs: Stride, rhs: Stride) -> Bool { lhs.magnitude < rhs.magnitude }

      /// The product of the seconds, rounded towards zero to nanoseconds: `.milliseconds(500) * 3` is a second and a
      /// half.
      public static func * (lhs: Stride, rhs: Stride) -> Stride {
        let product = lhs.magnitude.magnitude.multipliedFullWidth(by: rhs.magnitude.magnitude)
        let isNegative = (lhs.magnitude < 0) != (rhs.magnitude < 0)
        guard product.high < 1_000_000_000 else { return Stride(magnitude: isNegative ? .min : .max) }
        let nanoseconds = Int128(UInt(1_000_000_000).dividingFullWidth(product).quotient)
        return Stride(magnitude: Int(clamping: isNegative ? -nanoseconds : nanoseconds))
      }

      /// The sum; saturates.
      public static func + (lhs: Stride, rhs: Stride) -> Stride {
        let (sum, overflow) = lhs.magnitude.addingReportingOverflow(rhs.magnitude)
        return Stride(magnitude: overflow ? (rhs.magnitude > 0 ? .max : .min) : sum)
      }

      /// The difference; saturates.
      public static func - (lhs: Stride, rhs: Stride) -> Stride {
        let (difference, overflow) = lhs.magnitude.subtractingReportingOverflow(rhs.magnitude)
        return Stride(magnitude: overflow ? (rhs.magnitude < 0 ? .max : .min) : difference)
      }

      /// Subtracts a length.
      public static func -= (lhs: inout Stride, rhs: Stride) { lhs = lhs - rhs }

      /// Multiplies by a length.
      public static func *= (lhs: inout Stride, rhs: Stride) { lhs = lhs * rhs }

      /// Adds a length.
      public static func += (lhs: inout Stride, rhs: Stride) { lhs = lhs + rhs }

      /// A number of seconds, rounded towards zero to nanoseconds; traps if it is not a number.
      public static func seconds(_ value: Double) -> Stride {
        let nanoseconds = value * 1_000_000_000
        if nanoseconds >= Double(Int.max) { return Stride(magnitude: .max) }
        if nanoseconds <= Double(Int.min) { return Stride(magnitude: .min) }
        return Stride(magnitude: Int(nanoseconds))
      }

      /// A number of whole seconds.
      public static func seconds(_ value: Int) -> Stride { product(value, 1_000_000_000) }

      /// A number of milliseconds.
      public static func milliseconds(_ value: Int) -> Stride { product(value, 1_000_000) }

      /// A number of microseconds.
      public static func microseconds(_ value: Int) -> Stride { product(value, 1_000) }

      /// A number of nanoseconds.
      public static func nanoseconds(_ value: Int) -> Stride { Stride(magnitude: value) }

      private static func product(_ count: Int, _ unit: Int) -> Stride {
        let (product, overflow) = count.multipliedReportingOverflow(by: unit)
        return Stride(magnitude: overflow ? ((count < 0) == (unit < 0) ? .max : .min) : product)
      }
    }
  }

  /// How a dispatch queue runs scheduled work.
  public struct SchedulerOptions: BatchingSchedulerOptions {
    /// Quality of service of the work.
    public var qos: DispatchQoS

    /// Flags of the work item.
    public var flags: DispatchWorkItemFlags

    /// A group to which the work belongs.
    public var group: DispatchGroup?

    /// How much one job of an operator delivers; if `nil`, each value has a job of its own.
    public var batch: DeliveryBatch?

    /// Creates options; each value is delivered by a job of its own.
    ///
    /// - Parameters:
    ///   - qos: Quality of service of the work.
    ///   - flags: Flags of the work item.
    ///   - group: A group to which the work belongs.
    public init(
      qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [], group: DispatchGroup? = nil
    ) {
      self.init(qos: qos, flags: flags, group: group, batch: nil)
    }

    /// Creates options.
    ///
    /// - Parameters:
    ///   - qos: Quality of service of the work.
    ///   - flags: Flags of the work item.
    ///   - group: A group to which the work belongs.
    ///   - batch: How much one job of an operator delivers; if `nil`, each value has a job of its own.
    public init(
      qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [], group: DispatchGroup? = nil,
      batch: DeliveryBatch?
    ) {
      self.qos = qos
      self.flags = flags
      self.group = group
      self.batch = batch
    }

    /// Options with which values that are waiting are delivered together: faster, but they may overtake other work of
    /// the queue.
    ///
    /// - Parameters:
    ///   - values: The greatest number of values that one job delivers; at least 1, anything less traps.
    ///   - time: How long after its start a job may still begin to deliver a further value.
    public static func batches(of values: Int = 1024, within time: Duration = .milliseconds(1)) -> SchedulerOptions {
      SchedulerOptions(batch: DeliveryBatch(values: values, time: time))
    }
  }

  /// Zero: Dispatch honours any tolerance.
  public var minimumTolerance: SchedulerTimeType.Stride { .nanoseconds(0) }

  /// The present moment.
  public var now: SchedulerTimeType { SchedulerTimeType(.now()) }

  /// Runs an action as soon as possible, on this queue. Any thread may call this.
  public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
    let work = uncheckedSendable(action)
    guard let options else { return async(execute: work) }
    async(group: options.group, qos: options.qos, flags: options.flags, execute: work)
  }

  /// Runs an action after a date, on this queue; the tolerance is ignored, as Dispatch has none for single actions. Any
  /// thread may call this.
  public func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
    _ action: @escaping () -> Void
  ) {
    let work = uncheckedSendable(action)
    let options = options ?? SchedulerOptions()
    let group = options.group
    group?.enter()
    asyncAfter(deadline: date.dispatchTime, qos: options.qos, flags: options.flags) {
      work()
      group?.leave()
    }
  }

  /// Runs an action again and again, on this queue. Intervals and tolerances below zero count as zero. Each run belongs
  /// to the group of the options while it lasts. Any thread may call this.
  ///
  /// - Returns: An object that ends the repetition when it is cancelled or freed.
  public func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride,
    options: SchedulerOptions?, _ action: @escaping () -> Void
  ) -> any Cancellable {
    let work = uncheckedSendable(action)
    let options = options ?? SchedulerOptions()
    let timer = DispatchSource.makeTimerSource(queue: self)
    let group = options.group
    timer.setEventHandler(qos: options.qos, flags: options.flags) {
      group?.enter()
      work()
      group?.leave()
    }
    // Dispatch traps at negative lengths of time.
    timer.schedule(
      deadline: date.dispatchTime, repeating: max(interval, 0).timeInterval, leeway: max(tolerance, 0).timeInterval)
    timer.resume()
    return AnyCancellable(timer.cancel)
  }
}

extension DispatchQueue: JobScheduler {
  /// Makes a block that is submitted as it is for each value: around a closure, Dispatch would allocate one each time.
  @usableFromInline
  package func makeJob(options: Any?, _ ticket: JobTicket) -> () -> Void {
    let block: @Sendable @convention(block) () -> Void = { ticket.redeem() }
    guard let options = options as? SchedulerOptions else {
      return {
        ticket.issue()
        self.async(execute: block)
      }
    }
    let (group, qos, flags) = (options.group, options.qos, options.flags)
    return {
      ticket.issue()
      self.async(group: group, qos: qos, flags: flags, execute: block)
    }
  }
}
