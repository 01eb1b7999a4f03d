#if LocalLlama
  package import HybridCore

  extension LocalExecutor.AutoTune: WireValue {}

  extension LocalExecutor.Options: WireValue {
    package var wire: JSONValue {
      [
        "contextLength": contextLength.wire,
        "allowsBeyondTrained": allowsBeyondTrained.wire,
        "parallelRequests": parallelRequests.wire,
        "totalContextLength": totalContextLength.wire,
        "prefixCacheBytes": prefixCacheBytes.wire,
        "isDeterministic": isDeterministic.wire,
        "usesPromptLookup": usesPromptLookup.wire,
        "threads": threads.wire,
        "prefillThreads": prefillThreads.wire,
        "autoTune": autoTune.wire,
        "usesTunedCopy": usesTunedCopy.wire,
        "queueCapacity": queueCapacity.wire,
        "unloadsAfter": unloadsAfter.wire,
      ]
    }

    package init(wire: JSONValue) throws(WireError) {
      let fields = try WireFields(
        wire, "contextLength", "allowsBeyondTrained", "parallelRequests", "totalContextLength",
        "prefixCacheBytes", "isDeterministic", "usesPromptLookup", "threads", "prefillThreads",
        "autoTune", "usesTunedCopy", "queueCapacity", "unloadsAfter")
      self.init(
        contextLength: try fields["contextLength"],
        allowsBeyondTrained: try fields["allowsBeyondTrained"],
        parallelRequests: try fields["parallelRequests"],
        totalContextLength: try fields["totalContextLength"],
        prefixCacheBytes: try fields["prefixCacheBytes"],
        isDeterministic: try fields["isDeterministic"],
        usesPromptLookup: try fields["usesPromptLookup"], threads: try fields["threads"],
        prefillThreads: try fields["prefillThreads"], autoTune: try fields["autoTune"],
        usesTunedCopy: try fields["usesTunedCopy"], queueCapacity: try fields["queueCapacity"],
        unloadsAfter: try fields["unloadsAfter"])
    }
  }
#endif
