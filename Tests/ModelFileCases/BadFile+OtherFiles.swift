private import HybridLocal

extension BadFile {
  /// Sound files that are no model by themselves.
  static let otherFiles: [BadFile] = [
    BadFile("one part of a split model", .splitModel, .splitFile) {
      $0.set("split.count", .uint16(3))
    },
    BadFile("an image part", .companion, .notAChatModel) {
      $0.set("general.type", .string("mmproj"))
    },
    BadFile("an adapter", .companion, .notAChatModel) {
      $0.set("general.type", .string("adapter"))
    },
    BadFile("a clip file", .companion, .notAChatModel) {
      $0.set("general.architecture", .string("clip"))
    },
    BadFile("an importance matrix", .companion, .notAChatModel) {
      $0.set("general.type", .string("imatrix"))
    },
    BadFile("a part said in 32 bits", .splitModel, .splitFile) {
      $0.set("split.count", .uint32(2))
    },
  ]
}
