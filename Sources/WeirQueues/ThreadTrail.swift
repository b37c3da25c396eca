// The objects that the calls on a thread's stack have come past.

import CMachine

/// The objects of the bodies of `withOnTrail` that the calling thread is in, the outermost first.
@usableFromInline
package var threadTrail: [AnyObject] {
  var (objects, step) = unsafe ([AnyObject](), machine_trail())
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
    var step = unsafe machine_trail()
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
  // SAFETY: the object and the step live until the body has returned, and the trail has left the step then.
  withExtendedLifetime(object) {
    var step = unsafe TrailStep(object: Unmanaged.passUnretained(object).toOpaque(), former: nil)
    return unsafe withUnsafeMutablePointer(to: &step) { place in
      let former = unsafe exchangeThreadTrail(place)
      unsafe place.pointee.former = unsafe former
      defer { _ = unsafe exchangeThreadTrail(former) }
      return body()
    }
  }
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

@usableFromInline
func exchangeThreadTrail(_ trail: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  unsafe machine_exchange_trail(trail)
}
