// What is done when a thread ends.
// No test file: the program Tests/ConsumerTests/Isolation/Loops has its main thread end.

#if !canImport(Darwin)
  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #endif

  /// Does something when the calling thread ends, on that thread: one thing, the last that was said. The end of the
  /// process is not that of its threads.
  package func atEndOfThisThread(_ body: @escaping () -> Void) {
    if let former = unsafe pthread_getspecific(endOfThread) {
      unsafe Unmanaged<EndOfThread>.fromOpaque(former).release()
    }
    unsafe pthread_setspecific(endOfThread, Unmanaged.passRetained(EndOfThread(body)).toOpaque())
  }

  private final class EndOfThread {
    let body: () -> Void
    init(_ body: @escaping () -> Void) { self.body = body }
  }

  private let endOfThread: pthread_key_t = {
    var key = pthread_key_t()
    unsafe pthread_key_create(&key) { value in
      // SAFETY: the value is what `atEndOfThisThread` has retained, and the system has taken it away from the thread.
      if let value = unsafe value { unsafe Unmanaged<EndOfThread>.fromOpaque(value).takeRetainedValue().body() }
    }
    return key
  }()
#endif
