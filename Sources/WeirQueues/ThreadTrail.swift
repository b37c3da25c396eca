// The objects that the calls on a thread's stack have come past.

import CMachine

/// The objects of the bodies of `withOnTrail` that the calling thread is in, the outermost first.
@usableFromInline
package var threadTrail: [AnyObject] {
  var (objects, step) = unsafe ([AnyObject](), threadPlace().pointee.step)
  while let place = unsafe step {
    // SAFETY: the pointer is that of a step on this thread's stack, whose body is running, and so is all that the step
    // refers to.
    let reached = unsafe place.assumingMemoryBound(to: TrailStep.self).pointee
    unsafe objects.append(Unmanaged<AnyObject>.fromOpaque(reached.object).takeUnretainedValue())
    unsafe step = unsafe reached.former
  }
  return objects.reversed()
}

#if WEIR_INSPECTION
  /// The innermost of the trail's objects that are looked for; what is around it is not looked at.
  @usableFromInline
  package func innermostOnTrail(where isWanted: (AnyObject) -> Bool) -> AnyObject? {
    var step = unsafe threadPlace().pointee.step
    while let place = unsafe step {
      // SAFETY: as above.
      let reached = unsafe place.assumingMemoryBound(to: TrailStep.self).pointee
      let object = unsafe Unmanaged<AnyObject>.fromOpaque(reached.object).takeUnretainedValue()
      if isWanted(object) { return object }
      unsafe step = unsafe reached.former
    }
    return nil
  }
#endif

/// Runs a body with one object more on the calling thread's trail.
@inlinable @inline(__always)
package func withOnTrail<Object: AnyObject, Result>(_ object: Object, _ body: () -> Result) -> Result {
  // SAFETY: the object lives until the body has returned, and the place is this thread's.
  defer { withExtendedLifetime(object) {} }
  return unsafe withOnTrail(Unmanaged.passUnretained(object).toOpaque(), of: threadPlace(), body)
}

/// Runs a body with one object more on the calling thread's trail.
///
/// - Parameters:
///   - object: The object's address; it has to live until the body has returned.
///   - place: The calling thread's.
///   - body: What is run.
@unsafe
@inlinable @inline(__always)
package func withOnTrail<Result>(
  _ object: UnsafeMutableRawPointer, of place: UnsafeMutablePointer<ThreadPlace>, _ body: () -> Result
) -> Result {
  var step = unsafe TrailStep(object: object, former: place.pointee.step)
  // SAFETY: the trail has left the step when that is gone.
  return unsafe withUnsafeMutablePointer(to: &step) { step in
    unsafe place.pointee.step = UnsafeMutableRawPointer(step)
    let result = body()
    unsafe place.pointee.step = unsafe step.pointee.former
    return result
  }
}

/// What each thread has of its own.
@unsafe
@frozen
@usableFromInline
package struct ThreadPlace {
  /// The innermost step of the trail.
  @usableFromInline package var step: UnsafeMutableRawPointer?
  /// When the value was sent that the thread delivers, if it is timed, in builds with the trait Inspection; else 0.
  @usableFromInline package var start: Int
}

/// The calling thread's place.
@unsafe
@inlinable @inline(__always)
package func threadPlace() -> UnsafeMutablePointer<ThreadPlace> {
  // SAFETY: there it is as C has it: a pointer and a number.
  unsafe machine_thread_place().assumingMemoryBound(to: ThreadPlace.self)
}

/// One object of a trail, and where the rest of it is. It is on the stack of the thread.
@unsafe
@frozen
@usableFromInline
struct TrailStep {
  @usableFromInline let object: UnsafeMutableRawPointer
  @usableFromInline var former: UnsafeMutableRawPointer?

  @inlinable
  init(object: UnsafeMutableRawPointer, former: UnsafeMutableRawPointer?) {
    unsafe self.object = unsafe object
    unsafe self.former = unsafe former
  }
}
