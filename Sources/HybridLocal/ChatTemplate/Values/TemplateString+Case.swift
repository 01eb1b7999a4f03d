/// Case mappings and escapes, code point by code point, each mapped one keeping its origin.
extension TemplateString {
  /// Replaces each code point for which `transform` gives a text.
  func mappingScalars(_ transform: (Unicode.Scalar, Int) -> String?) -> TemplateString {
    var result = TemplateString()
    result.isMarkup = isMarkup
    result.reserve(count)
    var kept = 0
    var offset = 0
    while offset < count {
      let (scalar, next) = scalar(at: offset)
      if let mapped = transform(scalar, offset) {
        result.append(self, range: kept..<offset)
        result.append(mapped, origin: origin(at: offset))
        kept = next
      }
      offset = next
    }
    result.append(self, range: kept..<count)
    return result
  }

  var uppercased: TemplateString {
    mappingScalars { scalar, _ in
      if scalar.isASCII {
        return ("a"..."z").contains(scalar)
          ? String(Unicode.Scalar(UInt8(scalar.value) - 0x20)) : nil
      }
      return scalar.properties.uppercaseMapping
    }
  }

  var lowercased: TemplateString {
    mappingScalars { scalar, offset in self.lower(scalar, at: offset) }
  }

  /// The lower case of the code point at a byte offset, nil where it stays.
  private func lower(_ scalar: Unicode.Scalar, at offset: Int) -> String? {
    if scalar.isASCII {
      return ("A"..."Z").contains(scalar)
        ? String(Unicode.Scalar(UInt8(scalar.value) + 0x20)) : nil
    }
    if scalar == "Σ" { return isFinalSigma(at: offset) ? "ς" : "σ" }
    return scalar.properties.lowercaseMapping
  }

  /// Unicode's Final_Sigma: a cased letter before it and none after it, ignorable ones skipped.
  private func isFinalSigma(at offset: Int) -> Bool {
    var before = offset
    var follows = false
    while before > 0 {
      let (scalar, start) = scalar(before: before)
      before = start
      if scalar.properties.isCaseIgnorable { continue }
      follows = scalar.properties.isCased
      break
    }
    guard follows else { return false }
    var after = scalar(at: offset).next
    while after < count {
      let (scalar, next) = scalar(at: after)
      after = next
      if scalar.properties.isCaseIgnorable { continue }
      return !scalar.properties.isCased
    }
    return true
  }

  /// The first code point in title case, the others in lower case.
  var capitalized: TemplateString {
    mappingScalars { scalar, offset in
      offset == 0 ? scalar.properties.titlecaseMapping : self.lower(scalar, at: offset)
    }
  }

  /// Python's `str.title`: a letter after anything uncased is in title case.
  var titled: TemplateString {
    var followsCased = false
    return mappingScalars { scalar, offset in
      defer { followsCased = scalar.properties.isCased }
      return followsCased ? self.lower(scalar, at: offset) : scalar.properties.titlecaseMapping
    }
  }

  /// Escaped for HTML as markupsafe does; markup stays as it is. The result is markup.
  var escapedForHTML: TemplateString {
    if isMarkup { return self }
    var escaped = mappingScalars { scalar, _ in
      switch scalar {
      case "&": "&amp;"
      case "<": "&lt;"
      case ">": "&gt;"
      case "'": "&#39;"
      case "\"": "&#34;"
      default: nil
      }
    }
    escaped.isMarkup = true
    return escaped
  }
}
