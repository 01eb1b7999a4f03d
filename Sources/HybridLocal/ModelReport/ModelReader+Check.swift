package import HybridCore

extension ModelReader {
  /// Runs every check on one file.
  ///
  /// - Parameter isCancelled: asked while the hash is computed, which takes longest.
  /// - Throws: `modelNotFound`; `modelLoadFailed` where the file cannot be read now; `cancelled`.
  package func check(
    _ path: String, hash: SHA256Digest? = nil, isCancelled: () -> Bool = { false }
  ) throws(HybridError) -> ModelCheck {
    let start = time.now()
    func check(_ found: Examined) -> ModelCheck {
      ModelCheck(
        path: path, findings: found.findings.all, facts: found.facts, error: found.error,
        checkTime: time.now() - start)
    }
    let examined: Examined?
    do throws(ModelFileError) {
      let source = try files.open(path).bytes
      var found = try examine(source, path: path)
      let isCompared = try compareHash(
        of: source, path: path, with: hash, &found, isCancelled: isCancelled)
      examined = isCompared ? found : nil
    } catch {
      guard error.kind != .missing, error.kind != .linkLoop, !error.kind.passes else {
        throw error.at(path: path).hybridError
      }
      // A folder, a pipe, an empty file.
      var found: Examined = (ModelFindings(), nil, error.at(path: path).hybridError)
      found.findings.fail(.signature, error)
      return check(found)
    }
    guard let examined else {
      throw HybridError(.cancelled, "the check was stopped", side: .local)
    }
    return check(examined)
  }

  private typealias Examined = (
    findings: ModelFindings, facts: ModelSummary.Facts?, error: HybridError?
  )

  private func examine(
    _ source: ModelBytes, path: String
  ) throws(ModelFileError) -> Examined {
    let structure = HeaderCheck(source)
    var findings = structure.findings
    var error = structure.error
    if let error, error.kind.passes { throw error }
    var facts: ModelSummary.Facts?
    var rejection: HybridError?
    if let values = structure.values {
      findings.append(HeaderCheck.content(values, structure.tensors, path: path))
    }
    if error == nil, let values = structure.values {
      do throws(ModelFileError) {
        // Read anew: a load's own word on the whole of it.
        let header = try GGUFHeader(source, name: path)
        let found = self.facts(of: header, source)
        facts = found
        error = use(of: header, found, &findings)
        machineChecks(header, values, found, &findings)
        if found.use == .chat {
          rejection = try templateChecks(header, values, source, &findings)
        }
      } catch let refusal {
        if refusal.kind.passes { throw refusal }
        if !findings.hasFailure(refusal) {
          findings.fail(refusal.kind == .badVocabulary ? .vocabulary : .use, refusal)
        }
        error = refusal
      }
    }
    for check in Self.contentChecks where !findings.has(check) {
      findings.skip(check, because: error == nil ? "for chat models only" : "not reached")
    }
    return (findings, facts, error?.at(path: path).hybridError ?? rejection)
  }

  private static let contentChecks: [ModelCheck.Check] = [
    .model, .shape, .vocabulary, .weights, .use, .format, .kernels, .memory, .license, .template,
    .marks,
  ]

  /// - Returns: why it serves neither for chat nor for embeddings.
  private func use(
    of header: GGUFHeader, _ facts: ModelSummary.Facts, _ findings: inout ModelFindings
  ) -> ModelFileError? {
    switch facts.use {
    case .chat: findings.pass(.use, "chat")
    case .embedding:
      do throws(HybridError) {
        _ = try EmbedderKind.pooling(of: header, path: "", asked: nil)
        findings.pass(.use, "embeddings; it does not chat")
      } catch  where !EmbedderKind.canEmbed(header) {
        let refusal = ModelFileError(
          .notAChatModel, "embedding with a model of this kind is not supported")
        findings.fail(.use, refusal)
        return refusal
      } catch {
        findings.warn(.use, "embeddings, once a caller says how its output is pooled")
      }
    default:
      do throws(ModelFileError) {
        try header.requireChatModel()
      } catch {
        findings.fail(.use, error)
        return error
      }
    }
    return nil
  }

  /// - Returns: false where it was cancelled.
  private func compareHash(
    of source: ModelBytes, path: String, with wanted: SHA256Digest?, _ examined: inout Examined,
    isCancelled: () -> Bool
  ) throws(ModelFileError) -> Bool {
    guard let wanted else { return true }
    guard let found = try SHA256.of(source, isCancelled: isCancelled) else { return false }
    if found == wanted {
      examined.findings.pass(.hash, "\(found)")
      return true
    }
    let error = ModelFileError(
      .wrongHash, "the file's SHA-256 is \(found), and \(wanted) was expected")
    examined.findings.fail(.hash, error)
    // Of a file that is another one the template says nothing.
    if examined.error == nil || examined.error?.code == .templateRejected {
      examined.error = error.at(path: path).hybridError
    }
    return true
  }
}
