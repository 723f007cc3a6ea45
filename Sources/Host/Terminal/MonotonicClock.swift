internal import Glibc

/// The clock that only goes forward, for deadlines and pauses.
enum MonotonicClock {
  /// Seconds since some moment before the program began.
  static var seconds: Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
