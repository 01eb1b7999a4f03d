/// What the machine is short of, as the kernel measures it.
package struct Pressure: Sendable, Hashable {
  package enum Resource: String, Sendable { case cpu, memory, io }

  /// Shares of time, 0…100 %, in which at least one task waited for the resource.
  package let average10Seconds: Double
  package let average60Seconds: Double
  package let average300Seconds: Double
  /// All such time since the machine started.
  package let total: Duration

  /// The `some` line of `/proc/pressure/…`; nil when the kernel does not keep it.
  init?(_ files: MachineFiles, _ resource: Resource) {
    guard let text = files.read("/proc/pressure/\(resource.rawValue)"),
      let line = text.split(separator: "\n").first(where: { $0.hasPrefix("some ") })
    else { return nil }
    var values: [Substring: Substring] = [:]
    for field in line.split(separator: " ").dropFirst() {
      let pair = field.split(separator: "=")
      if pair.count == 2 { values[pair[0]] = pair[1] }
    }
    func share(_ name: Substring) -> Double? {
      values[name].flatMap { Double($0) }.flatMap { (0...100).contains($0) ? $0 : nil }
    }
    guard let ten = share("avg10"), let sixty = share("avg60"), let long = share("avg300"),
      let total = values["total"].flatMap({ Int64($0) })
    else { return nil }
    average10Seconds = ten
    average60Seconds = sixty
    average300Seconds = long
    self.total = .microseconds(total)
  }
}
