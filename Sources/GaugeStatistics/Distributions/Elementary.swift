// The elementary functions of the C library, under names that do not clash with members.
// Covered by the tests of their users.
// No test file: two names for functions of the C library.

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// e to the power of a number.
func exponential(_ x: Double) -> Double { exp(x) }

/// The natural logarithm.
func logarithm(_ x: Double) -> Double { log(x) }
