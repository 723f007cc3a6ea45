internal import CHost
import Glibc

/// The processor cores that this process may use.
enum ProcessorCores {
  /// Returns the core for one of several workers; nil if the workers leave cores to others.
  ///
  /// The system wakes the threads of a child on the core of those that wake them, so that busy children share a core
  /// while others are idle.
  static func core(ofWorker index: Int, of count: Int) -> Int? { core(ofWorker: index, of: count, allowed: allowed) }

  static func core(ofWorker index: Int, of count: Int, allowed: [Int]) -> Int? {
    allowed.count > 1 && count >= allowed.count ? allowed[index % allowed.count] : nil
  }

  /// The numbers of the cores, ascending.
  private static var allowed: [Int] {
    (0..<max(0, sysconf(Int32(_SC_NPROCESSORS_CONF)))).filter { chost_may_use_core(Int32($0)) }
  }

  /// Binds a process that has just been started to a core; without that it is only slower.
  static func bind(_ process: pid_t, to core: Int) { _ = chost_bind_to_core(process, Int32(core)) }
}
