#if LocalLlama
  import Foundation
  import HybridLocal
  import Measuring
  import ModelFileCases
  import Synchronization

  /// Tries all files of the sets that are asked for, two at a time.
  struct Series {
    let options: Options
    private let folder: String

    init(_ options: Options) throws {
      self.options = options
      folder = FileManager.default.temporaryDirectory.appending(path: "bad-files-\(UUID())").path()
    }

    /// - Returns: false where a process did not end by itself, or a bad file was taken.
    func run() throws -> Bool {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(atPath: folder) }
      guard try fates(of: [TrialFile("sound") { GGUFWriter.tinyModel().file() }]) == [.works] else {
        throw UsageError("the sound model does not work")
      }
      var isGood = true
      if options.sets.contains("bad") { isGood = try tryBadFiles() }
      print("files             tried  work  refused  failed  signals  hangs")
      for name in options.sets where name != "bad" {
        isGood = try tryFiles(name, files(of: name)) && isGood
      }
      return isGood
    }

    private func files(of set: String) -> [TrialFile] {
      switch set {
      case "mutants": TrialFile.mutants(0..<options.mutants)
      case "smashes": TrialFile.smashedAtOnce(0..<options.smashes)
      case "keys": TrialFile.smashedKeys
      case "types": TrialFile.tensorTypes
      case "tensors": TrialFile.tensorLists
      case "tokenizers": TrialFile.tokenizers
      default: TrialFile.architectures
      }
    }

    /// A row a flaw: what the pre-flight said of its files.
    private func tryBadFiles() throws -> Bool {
      let bad = BadFile.all
      let found = try fates(of: bad.map { TrialFile($0.name, $0.make) })
      var isGood = true
      print("\(Flaw.allCases.count) flaws in \(bad.count) files")
      for flaw in Flaw.allCases {
        let rows = zip(bad, found).filter { $0.0.flaw == flaw }
        let kinds = Set(rows.map { "\($0.1)" }).sorted().joined(separator: ", ")
        print(
          "  \(padded(flaw.rawValue, 30))\(padded("\(rows.count)", 4))\(kinds)")
        for (file, fate) in rows where fate != .refused(file.kind.rawValue) {
          isGood = false
          print("    \(file.name): \(fate), and \(file.kind.rawValue) is due")
        }
      }
      fflush(nil)
      return isGood
    }

    private func tryFiles(_ name: String, _ files: [TrialFile]) throws -> Bool {
      let found = try fates(of: files)
      var counts = [0, 0, 0, 0, 0]
      for fate in found {
        switch fate {
        case .works: counts[0] += 1
        case .refused: counts[1] += 1
        case .failed: counts[2] += 1
        case .signal, .exit: counts[3] += 1
        case .hang: counts[4] += 1
        }
      }
      let cells = zip(["  ", "      ", "      ", "      ", "     "], counts).map {
        $0 + padded("\($1)", 4)
      }
      print("\(padded(name, 18))\(padded("\(files.count)", 5))\(cells.joined())")
      fflush(nil)
      let wrong = zip(files, found).filter { !$0.1.isGood }
      for (file, fate) in wrong {
        print("    \(file.name): \(fate)")
        try keep(file)
      }
      return wrong.isEmpty
    }

    private func keep(_ file: TrialFile) throws {
      guard let keep = options.keep else { return }
      try FileManager.default.createDirectory(atPath: keep, withIntermediateDirectories: true)
      let name = file.name.map { $0.isLetter || $0.isNumber ? $0 : "-" }
      try Data(file.make()).write(to: URL(filePath: "\(keep)/\(String(name)).gguf"))
    }

    private func fates(of files: [TrialFile]) throws -> [Fate] {
      let fates = Mutex<[Int: Result<Fate, any Error>]>([:])
      let next = Atomic(0)
      DispatchQueue.concurrentPerform(iterations: 2) { _ in
        while true {
          let index = next.add(1, ordering: .relaxed).oldValue
          guard index < files.count else { return }
          let fate = Result { try self.fate(of: files[index], number: index) }
          fates.withLock { $0[index] = fate }
        }
      }
      let all = fates.withLock { $0 }
      return try files.indices.map { index in
        guard let fate = all[index] else { throw UsageError("a file was not tried") }
        return try fate.get()
      }
    }

    private func fate(of file: TrialFile, number: Int) throws -> Fate {
      let path = "\(folder)/\(number).gguf"
      try Data(file.make()).write(to: URL(filePath: path))
      defer { try? FileManager.default.removeItem(atPath: path) }
      return try Child.fate(of: path, limit: options.limit)
    }

    private func padded(_ text: String, _ width: Int) -> String {
      text + String(repeating: " ", count: max(0, width - text.count))
    }
  }
#endif
