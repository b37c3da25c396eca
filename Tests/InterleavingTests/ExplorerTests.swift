// Tests.
import Testing
