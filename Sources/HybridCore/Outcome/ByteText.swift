/// Sizes written for people: decimal units everywhere, as disks, downloads and publishers have them.
package enum ByteText {
  /// `98.4 MB` with the unit that leaves one to three digits before the point.
  package static func of(_ count: some BinaryInteger) -> String {
    let units = ["bytes", "kB", "MB", "GB", "TB"]
    var size = Double(count)
    var unit = 0
    // 999.95 of one unit would be shown as 1000.0 of it.
    while size >= (unit == 0 ? 1000 : 999.95), unit < units.count - 1 {
      size /= 1000
      unit += 1
    }
    if unit == 0 { return count == 1 ? "1 byte" : "\(count) bytes" }
    guard size < 1e12 else { return "\(size) \(units[unit])" }
    let tenths = Int((size * 10).rounded())
    return "\(tenths / 10).\(tenths % 10) \(units[unit])"
  }
}
