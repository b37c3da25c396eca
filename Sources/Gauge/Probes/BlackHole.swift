// The two ends of a benchmark that the optimiser may not see through, by inline assembly without instructions.

public import CMachine

/// Makes the optimiser believe that a value is used, and that all memory may have been read and written.
///
/// Costs no call and no reference counting: no instruction for a number of one register, at most a store of anything
/// else to the stack. `measure` hands it every result of its operation; call it for further results.
///
/// - Parameter value: Computed, since it looks used.
@inlinable @inline(__always)
public func blackHole<Value: ~Copyable>(_ value: borrowing Value) {
  // The pointer is valid throughout the closure and the bytes read are within the value's size. The assembly behind
  // machine_opaque touches nothing: that it might is only what the optimiser must assume. Anything that may hold a
  // reference goes by its address, since a reference read as a number would not look escaped, and its object could be
  // moved from the heap to the stack. "Unprotected" is without a stack guard around each call: nothing writes here.
  unsafe _withUnprotectedUnsafePointer(to: value) { pointer in
    let bytes = unsafe UnsafeRawPointer(pointer)
    switch _isPOD(Value.self) ? MemoryLayout<Value>.size : -1 {
    case 0: machine_compiler_barrier()
    case 1: machine_consume(UInt(unsafe bytes.loadUnaligned(as: UInt8.self)))
    case 2: machine_consume(UInt(unsafe bytes.loadUnaligned(as: UInt16.self)))
    case 4: machine_consume(UInt(unsafe bytes.loadUnaligned(as: UInt32.self)))
    case MemoryLayout<UInt>.size: machine_consume(unsafe bytes.loadUnaligned(as: UInt.self))
    default: unsafe machine_opaque(UnsafeMutableRawPointer(mutating: bytes))
    }
  }
}

/// The value itself, of which the optimiser knows nothing: for inputs that must not be folded into constants, and
/// objects that must not move from the heap to the stack.
///
/// Costs no instruction for a number of one register, a store and a load for anything else. A reference that the caller
/// keeps is retained once, as for any returned copy: make it opaque in the setup, not in the measured operation.
///
/// - Parameter value: What to return.
/// - Returns: `value`.
@inlinable @inline(__always)
public func opaque<Value: ~Copyable>(_ value: consuming Value) -> Value {
  // The pointer is valid throughout the closure; what is stored is the bytes that were there, so the value stays what
  // it was and is owned as before.
  unsafe _withUnprotectedUnsafeMutablePointer(to: &value) { pointer in
    let bytes = UnsafeMutableRawPointer(pointer)
    if _isPOD(Value.self), MemoryLayout<Value>.size == MemoryLayout<UInt>.size {
      let word = unsafe bytes.loadUnaligned(as: UInt.self)
      unsafe bytes.storeBytes(of: machine_opaque_word(word), as: UInt.self)
    } else {
      unsafe machine_opaque(bytes)
    }
  }
  return value
}
