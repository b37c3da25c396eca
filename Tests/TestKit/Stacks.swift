// Threads with a stack of a known size: for tests of how deep calls nest.

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Runs a body on a thread with a stack of 8 MB, as a main thread has, and waits for it.
package func onMainThreadSizedStack(_ body: @escaping () -> Void) {
  var attributes = pthread_attr_t()
  pthread_attr_init(&attributes)
  pthread_attr_setstacksize(&attributes, 8 << 20)
  let context = Unmanaged.passRetained(StackBody(body)).toOpaque()
  #if canImport(Darwin)
    var thread: pthread_t?
    pthread_create(
      &thread, &attributes,
      {
        Unmanaged<StackBody>.fromOpaque($0).takeRetainedValue().run()
        return nil
      }, context)
    pthread_join(thread!, nil)
  #else
    var thread = pthread_t()
    pthread_create(
      &thread, &attributes,
      {
        Unmanaged<StackBody>.fromOpaque($0!).takeRetainedValue().run()
        return nil
      }, context)
    pthread_join(thread, nil)
  #endif
  pthread_attr_destroy(&attributes)
}

private final class StackBody {
  let run: () -> Void
  init(_ run: @escaping () -> Void) { self.run = run }
}
