import Foundation

/// CPU time of the calling thread, in seconds: what single-threaded work costs, whatever else runs.
public func threadCPUTime() -> Double {
  var time = timespec()
  unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
}
