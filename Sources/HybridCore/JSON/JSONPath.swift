/// A field's place by names and indices, as it is written in errors: `messages[3].role`.
package enum JSONPath {
  /// Empty for the whole file.
  package static func description(_ path: [any CodingKey]) -> String {
    var text = ""
    for key in path {
      if let index = key.intValue {
        text += "[\(index)]"
      } else if isPlain(key.stringValue) {
        text += text.isEmpty ? key.stringValue : ".\(key.stringValue)"
      } else {
        text += "[\(quoted(key.stringValue))]"
      }
    }
    return text
  }

  /// A name in double quotes: at most 64 characters, none of which moves a terminal's cursor.
  package static func quoted(_ name: String) -> String {
    var text = "\""
    for scalar in name.unicodeScalars.prefix(64) {
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned:
        text += "\u{FFFD}"
      default:
        text.unicodeScalars.append(scalar)
      }
    }
    return text + (name.unicodeScalars.count > 64 ? "…\"" : "\"")
  }

  private static func isPlain(_ name: String) -> Bool {
    !name.isEmpty && name.utf8.count <= 64
      && name.utf8.allSatisfy {
        $0.isASCIILetter || $0.isASCIIDigit || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: "-")
      }
  }
}
