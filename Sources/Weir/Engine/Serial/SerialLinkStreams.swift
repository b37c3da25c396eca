// What an operator that serialises signals has upstream: who changes it, who cancels it, and the end that comes behind
// that.
// No test file: CancellingWaitsTests and CancellingMeanwhileTests do what is here.

import WeirQueues

extension SerialLink {
  /// Takes the cancellation from downstream, inside the gate or by leaving it to the holder. The streams are cancelled
  /// by this thread in any case, before this returns: their cancellation is code of others, which may wait for the
  /// holder.
  @inlinable
  func receive(cancellation signal: Signal, _ process: (Signal) -> Void) {
    switch enterOwned() ? .entered : enterShared(.none, { false }) {
    case .entered:
      process(signal)
      leaveCancelled(process)
    case .nested:
      if tookBehindOthers(signal, process) { return }
      process(signal)
      leaveNested(process)
    case .taken:
      let streams = detach()
      handOver(signal, process)
      streams.cancel()
    }
  }

  /// Leaves the gate after a cancellation, cancels the operator's streams and frees the subscriber. A cancellation
  /// passes through thousands of operators on one stack, so this takes little of it, where nothing else is left to do.
  @inlinable @inline(never)
  func leaveCancelled(_ process: (Signal) -> Void) {
    guard isOver, !isConcluding, errand == nil, putOff == nil else { return leave(process) }
    let cancels = takeCancellation()
    let (ended, endedClosures) = unsafe (target, closures)
    unsafe (target, closures) = (nil, nil)
    guard gate.leave() else {
      unsafe (target, closures) = (ended, endedClosures)
      isCancelling = cancels
      return settle(process)
    }
    if cancels { cancelUpstream() }
    // SAFETY: the fields' references, taken by the holder of the gate; the stream is over, so nobody calls the
    // subscriber.
    unsafe ended?.release()
    unsafe endedClosures?.release()
  }

  /// Takes it upon the caller to cancel the operator's streams, unless another thread has done so. Those that come now
  /// are cancelled as they come.
  @usableFromInline
  func detach() -> LinkList {
    lock.lock()
    defer { lock.unlock() }
    if isDetached { return LinkList() }
    isDetached = true
    return streams
  }

  /// Cancels what is left of the operator's streams, unless another thread does, and drops what waits. Called once,
  /// outside the gate, by the thread that has noted the end, or within a delivery of that thread's own.
  @usableFromInline
  func cancelUpstream() {
    lock.lock()
    let streams = takeStreams()
    let isOurs = !isDetached
    isDetached = true
    lock.unlock()
    if isOurs { streams.cancel() }
    dropWaiting()
  }

  /// Changes or reads the operator's streams under `lock`, where neither user code runs nor anything is freed.
  @inlinable @inline(__always) @discardableResult
  func withLock<Result>(_ change: () -> Result) -> Result {
    lock.lock()
    let result = change()
    lock.unlock()
    return result
  }

  /// Puts a stream in its place. Only the holder of the gate may call this, as the last step of taking a signal, if it
  /// returns `false`: the stream is left to be cancelled.
  ///
  /// - Parameter put: Puts it there, inside of `lock`: an access that began before would meet those of a thread that
  ///   cancels.
  @inlinable @inline(__always)
  func keep(_ stream: Link, _ put: (Link) -> Void) -> Bool {
    let isKept = withLock {
      if !isDetached { put(stream) }
      return !isDetached
    }
    if !isKept { owe(.cancel(stream)) }
    return isKept
  }

  /// Ends the stream, once what is left of its streams is cancelled: leaves both to do. Only the holder of the gate may
  /// call this, after `noteEnd`.
  ///
  /// - Parameter tell: Tells the subscriber, inside the gate; called once, by way of a signal for which `isConcluding`
  ///   holds.
  @inlinable
  func owe(conclusion tell: @escaping () -> Void) {
    (isCancelling, isConcluding) = (true, true)
    owe(.run(tell))
  }

  /// Whether the subscriber is to be told of the end now: once. Only the holder of the gate may call this.
  @inlinable
  func takeConclusion() -> Bool {
    defer { isConcluding = false }
    return isConcluding
  }
}
