package import HybridCore

extension ModelReader {
  /// Runs every check on one file.
  ///
  /// - Throws: `modelNotFound`; `modelLoadFailed` where the file cannot be read now.
  package func check(_ path: String, hash: SHA256Digest? = nil) throws(HybridError) -> ModelCheck {
    let start = time.now()
    do throws(ModelFileError) {
      let file = try files.open(path)
      let (findings, facts, error) = try examine(file.bytes, path: path, hash: hash)
      return ModelCheck(
        path: path, findings: findings.all, facts: facts, error: error,
        checkTime: time.now() - start)
    } catch {
      guard error.kind != .missing, !error.kind.passes else {
        throw error.at(path: path).hybridError
      }
      // A folder, a pipe, an empty file.
      var findings = ModelFindings()
      findings.fail(.signature, error)
      return ModelCheck(
        path: path, findings: findings.all, facts: nil, error: error.at(path: path).hybridError,
        checkTime: time.now() - start)
    }
  }

  private func examine(
    _ source: ModelBytes, path: String, hash: SHA256Digest?
  ) throws(ModelFileError) -> (ModelFindings, ModelSummary.Facts?, HybridError?) {
    let structure = HeaderCheck(source)
    var findings = structure.findings
    var error = structure.error
    if let error, error.kind.passes { throw error }
    var facts: ModelSummary.Facts?
    var rejection: HybridError?
    if let values = structure.values {
      findings.append(HeaderCheck.content(values, path: path))
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
    if let hash, let wrong = try hashCheck(source, hash, &findings) { error = error ?? wrong }
    return (findings, facts, error?.at(path: path).hybridError ?? rejection)
  }

  private static let contentChecks: [ModelCheck.Check] = [
    .whole, .shape, .vocabulary, .use, .format, .kernels, .memory, .license, .template, .marks,
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
      } catch  where header.architecture == "t5encoder" || header.shape.recurrentStateBytes != nil {
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

  private func hashCheck(
    _ source: ModelBytes, _ wanted: SHA256Digest, _ findings: inout ModelFindings
  ) throws(ModelFileError) -> ModelFileError? {
    let found = try SHA256.of(source)
    if found == wanted {
      findings.pass(.hash, "\(found)")
      return nil
    }
    let error = ModelFileError(
      .wrongHash, "the file's SHA-256 is \(found), and \(wanted) was expected")
    findings.fail(.hash, error)
    return error
  }
}
