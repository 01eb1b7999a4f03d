// One import gives a user the whole face; the parts stay importable alone.
@_exported public import HybridCore
@_exported public import HybridLocal
@_exported public import HybridRemote
@_exported public import HybridRouting
