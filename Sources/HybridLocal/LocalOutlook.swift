package import HybridCore

/// What a load would choose now, with what decides each number.
package struct LocalOutlook: Sendable {
  /// Whether the thread counts follow the load of the moment.
  package enum Control: String, Sendable, Hashable {
    case adaptive
    /// Off: somebody set a count.
    case set
    /// Off: an answer is to depend on its own request alone.
    case deterministic
    /// Off: one thread has nothing to give up.
    case oneThread

    package var isOn: Bool { self == .adaptive }
  }

  /// What decided how many requests run at once.
  package enum SlotSource: String, Sendable, Hashable {
    case explicit
    case deterministic
    /// Four a core within the CPU quota, 4 to 16.
    case cores
  }

  package let threads: ThreadPlan
  package let control: Control
  /// What is remembered for this model; nil where tuned counts are not asked for.
  package let tuning: AutoTuneResult?
  /// Whether a load would measure: tuned counts are asked for, and there are none yet.
  package let measures: Bool
  /// nil where the environment does not say where it would lie.
  package let store: TuneStore?
  package let slotSource: SlotSource
  /// The caller's own limit; nil: what running requests leave.
  package let prefixCacheLimit: Int?
  /// Context, requests and memory; why there are none where the file or an option is wrong.
  package let load: Result<LoadPlan, HybridError>

  /// Bytes that keys and values of finished requests may hold, at most; nil without a plan.
  package var prefixCacheBytes: Int? {
    guard case .success(let plan) = load else { return nil }
    return min(prefixCacheLimit ?? .max, plan.estimate.keyValueBytes)
  }
}

#if LocalLlama
  extension LocalExecutor {
    /// Looks at everything that a load would. Loads nothing.
    ///
    /// - Throws: `invalidConfiguration` for a thread count in the environment that is none.
    package func outlook() async throws(HybridError) -> LocalOutlook {
      let load: Result<LoadPlan, HybridError>
      var path = modelPath
      do throws(HybridError) {
        let facts = try await facts()
        path = facts.path
        load = .success(try await prospect(for: facts).plan)
      } catch {
        load = .failure(error)
      }
      let (source, tuner) = try await threadSource(for: path)
      let most = max(source.plan.decode.count, source.plan.prefill.count)
      return LocalOutlook(
        threads: source.plan,
        control: options.isDeterministic
          ? .deterministic : source.isSet ? .set : most > 1 ? .adaptive : .oneThread,
        tuning: tuner?.remembered,
        measures: options.autoTune == .measured && tuner?.wantsMeasuring == true,
        store: tuner?.store,
        slotSource: options.parallelRequests != nil
          ? .explicit : options.isDeterministic ? .deterministic : .cores,
        prefixCacheLimit: options.prefixCacheBytes, load: load)
    }
  }
#endif
