#if LocalLlama
  package import HybridCore

  /// A model at work on a thread of its own, as ``Lifecycle`` sees it: it loads first, then serves until
  /// it is shut down, and frees everything at its end.
  protocol ModelEngine: AnyObject, Sendable {
    /// What is known of its file.
    associatedtype Facts: ModelFileFacts
    associatedtype Options: Sendable
    /// What is known once the model is loaded.
    associatedtype Loaded: Sendable

    /// What owns it, as messages call it: "local executor".
    static var owner: String { get }

    /// Starts to load; returns at once.
    ///
    /// - Throws: `internal` when the system has no thread left.
    init(
      options: Options, time: any TimeSource,
      report: @escaping @Sendable (Self, EngineReport<Loaded>) -> Void
    ) throws(HybridError)

    /// Since when nothing runs or waits in the loaded model; nil while something does.
    var idleSince: Moment? { get }

    /// Set when the thread has ended and everything is freed.
    var ended: OneShot<Void> { get }

    /// What runs or waits fails with `error`, then everything is freed.
    func shutDown(_ error: HybridError)

    /// The same, but only where nothing runs or waits.
    ///
    /// - Returns: how many do.
    func shutDownIfIdle(_ error: HybridError) -> Int
  }

  /// What becomes of an engine, told on its thread.
  package enum EngineReport<Loaded: Sendable>: Sendable {
    /// Its thread runs and has done nothing yet. Who is told may hold it up until all is ready for it.
    case begun
    /// Told before anyone who waits for the load, as the next one is.
    case loaded(Loaded)
    case notLoaded(HybridError)
    /// A request ended well, so the model works.
    case answered
    /// Nothing runs or waits any more. Told on whatever thread ended the last request.
    case idle
    /// It cannot go on and ends. Told before the requests are.
    case broken(HybridError)
    /// Everything is freed. Told before anyone who waits for that.
    case ended
  }

  /// What was found out about one model file.
  protocol ModelFileFacts: Sendable {
    /// The file, in the state that the facts are of.
    var identity: ModelFileIdentity { get }

    /// When a part of it that could not be read is read again; nil where none failed so.
    var retry: Moment? { get }
  }
#endif
