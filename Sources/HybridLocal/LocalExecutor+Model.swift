#if LocalLlama
  public import HybridCore

  extension LocalExecutor {
    /// An executor for a model by its path, or by a name that is looked up.
    ///
    /// - Parameter model: the path of a GGUF file, or a file's name without its ending and, if need
    ///   be, without its quantisation: `SmolLM2-135M-Instruct`. `hybrid models` lists the places, of
    ///   which the folder that `Fixtures/bootstrap` fills is the first.
    /// - Throws: `modelNotFound` with the places looked at.
    public convenience init(
      model: String, options: Options = Options(), time: any TimeSource = SystemTimeSource()
    ) throws(HybridError) {
      let environment = ProcessEnvironment.variables
      let locator = ModelLocator(environment: environment, home: environment["HOME"])
      self.init(modelPath: try locator.find(model).path, options: options, time: time)
    }
  }
#endif
