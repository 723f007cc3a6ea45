internal import CHost
import Glibc
import Synchronization

/// The processor cores of a run's workers: the child of each is bound to one until the first worker ends.
///
/// The system wakes the threads of a child on the core of those that wake them, so that busy children share a core
/// while others are idle. Without other workers, commands of several threads use all cores.
final class ProcessorCores: Sendable {
  private let cores: [Int?]
  private let isReleased = Atomic(false)

  init(workerCount: Int) { cores = Self.cores(workerCount: workerCount, allowed: Self.allowed) }

  /// Returns the core for each worker; nil for all if they leave cores to others.
  static func cores(workerCount: Int, allowed: [Int]) -> [Int?] {
    let isBound = allowed.count > 1 && workerCount >= allowed.count
    return (0..<workerCount).map { isBound ? allowed[$0 % allowed.count] : nil }
  }

  /// Returns the core for the child of a worker; nil for any.
  func core(of worker: Int) -> Int? { isReleased.load(ordering: .relaxed) ? nil : cores[worker] }

  /// Releases the cores of all workers, as one of them has ended.
  func release() { isReleased.store(true, ordering: .relaxed) }

  /// The numbers of the cores that this process may use, ascending.
  private static var allowed: [Int] {
    (0..<max(0, sysconf(Int32(_SC_NPROCESSORS_CONF)))).filter { chost_may_use_core(Int32($0)) }
  }

  /// Binds a process that has just been started to a core; without that it is only slower.
  static func bind(_ process: pid_t, to core: Int) { _ = chost_bind_to_core(process, Int32(core)) }

  /// Lets all threads of a process and of its descendants use the cores that this one may use.
  static func unbind(_ process: pid_t) {
    for thread in HostFile.names(in: "/proc/\(process)/task").compactMap({ Int32($0) }) {
      _ = chost_share_cores(thread)
      let children = (try? HostFile.read("/proc/\(process)/task/\(thread)/children")) ?? []
      for child in String(decoding: children, as: UTF8.self).split(separator: " ").compactMap({ pid_t($0) }) {
        unbind(child)
      }
    }
  }
}
