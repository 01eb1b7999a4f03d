package import HybridLocal

/// A file that is no model or a bad one, and what the pre-flight has to say of it.
package struct BadFile: Sendable, CustomStringConvertible {
  package let name: String
  package let flaw: Flaw
  package let kind: ModelFileError.Kind
  package let make: @Sendable () -> [UInt8]

  package var description: String { name }

  /// Raw bytes.
  init(
    _ name: String, _ flaw: Flaw, _ kind: ModelFileError.Kind,
    bytes: @escaping @Sendable () -> [UInt8]
  ) {
    (self.name, self.flaw, self.kind, make) = (name, flaw, kind, bytes)
  }

  /// The small sound model with something wrong.
  init(
    _ name: String, _ flaw: Flaw, _ kind: ModelFileError.Kind,
    _ spoil: @escaping @Sendable (inout GGUFWriter) -> Void
  ) {
    self.init(
      name, flaw, kind,
      bytes: {
        var writer = GGUFWriter.tinyModel()
        spoil(&writer)
        return writer.file()
      })
  }

  /// Every one, in the order in which a pre-flight meets what is wrong.
  package static let all: [BadFile] = [
    notModels, headers, keys, tensors, shapes, vocabularies, weights, otherFiles,
  ].flatMap { $0 }
}

/// What can be wrong with a model file. Each has at least one ``BadFile``.
package enum Flaw: String, Sendable, CaseIterable {
  case nothingInIt = "nothing in it"
  case anotherFormat = "another format"
  case magic = "magic number"
  case version
  case byteOrder = "byte order"
  case cutHeader = "header cut short"
  case keyCount = "number of keys"
  case tensorCount = "number of tensors"

  case keyName = "name of a key"
  case duplicateKey = "key twice"
  case valueType = "type of a value"
  case textLength = "length of a text"
  case arrayType = "type of an array"
  case arrayLength = "length of an array"
  case alignment

  case tensorName = "name of a tensor"
  case duplicateTensor = "tensor twice"
  case dimensionCount = "number of dimensions"
  case dimension = "size of a dimension"
  case overflow = "product that overflows"
  case tensorType = "type of a tensor"
  case vectorType = "type of a vector"
  case blocks = "rows of whole blocks"
  case place = "place of a tensor"
  case dataCut = "data cut short"

  case architecture
  case layers = "number of layers"
  case context = "length of the context"
  case width = "width"
  case feedForward = "width of the feed-forward"
  case heads = "number of heads"
  case headLength = "length of a head"
  case rotation
  case epsilon
  case experts
  case recurrence
  case pooling

  case tokenizer
  case tokens
  case duplicateToken = "token twice"
  case scores
  case tokenTypes = "types of tokens"
  case merges
  case specialTokens = "numbers of special tokens"
  case addedTokens = "tokens that are added"
  case template

  case layersToTensors = "layers against tensors"
  case dimensionsToTensors = "dimensions against tensors"
  case vocabularyToTensors = "vocabulary against tensors"
  case tensorsMissing = "tensors missing"
  case tensorsTooMany = "tensors too many"

  case splitModel = "part of a split model"
  case companion = "companion of a model"
}
