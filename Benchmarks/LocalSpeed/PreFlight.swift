#if LocalLlama
  import Foundation
  import HybridLocal
  import Measuring

  /// The pre-flight of a file against one reading of the bytes that it looks at, in turn; and what a
  /// SHA-256 of the whole file would add.
  struct PreFlight {
    let options: Options
    let rounds: Int

    func run() throws {
      let size = try headerSize()
      var reading: [Double] = []
      var checking: [Double] = []
      for round in 0...rounds {
        let first = try milliseconds(round % 2 == 0 ? { try read(size) } : { try check() })
        let second = try milliseconds(round % 2 == 0 ? { try check() } : { try read(size) })
        // The first warms the file and the code.
        if round == 0 { continue }
        reading.append(round % 2 == 0 ? first : second)
        checking.append(round % 2 == 0 ? second : first)
      }
      print("\(options.model): a header of \(size) bytes; \(rounds) rounds, milliseconds")
      print("a quarter below, median, a quarter above")
      print("reading it once   \(Quantiles(reading).quartiles())")
      print("pre-flight        \(Quantiles(checking).quartiles())   (aim: 20 or less)")
      let reader = ModelReader(machine: .current, environment: [:])
      let whole = milliseconds { _ = reader.summary(of: options.model) }
      print("a row of hybrid models: \(number(whole, 1))")
      let nothing = SHA256Digest(hex: String(repeating: "0", count: 64))
      let plain = try milliseconds { _ = try reader.check(options.model) }
      let hashed = try milliseconds { _ = try reader.check(options.model, hash: nothing) }
      let bytes = try Double(ModelFiles.real.open(options.model).bytes.size)
      print(
        "hybrid models check: \(number(plain, 1)); with --sha256 \(number(hashed, 1)), "
          + "\(number(bytes / (hashed - plain) / 1_000, 0)) MB a second")
    }

    /// What a reader of the file has to look at: all up to the tensors' data.
    private func headerSize() throws -> UInt64 {
      let header = try GGUFHeader(path: options.model)
      return header.fileSize - header.tensorBytes
    }

    private func read(_ size: UInt64) throws {
      let bytes = try ModelFiles.real.open(options.model).bytes
      var offset: UInt64 = 0
      var sum = 0
      while offset < size {
        let piece = try bytes.read(offset, Int(min(256 << 10, size - offset)))
        // All of it is touched, as a reader would.
        sum += piece.count
        offset += UInt64(piece.count)
      }
      guard sum == size else { throw UsageError("the header could not be read") }
    }

    private func check() throws {
      try GGUFHeader(path: options.model).requireChatModel()
    }

    private func milliseconds(_ body: () throws -> Void) rethrows -> Double {
      let start = ContinuousClock.now
      try body()
      return (ContinuousClock.now - start) / .milliseconds(1)
    }
  }
#endif
