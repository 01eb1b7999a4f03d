// Most tests of this module write a model file of their own.
@_exported public import ModelFileCases
