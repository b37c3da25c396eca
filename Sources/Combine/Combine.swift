// The umbrella: `import Combine` where the system has no Combine of its own.

@_exported public import Weir
@_exported public import WeirDispatch
@_exported public import WeirFoundation
