internal import CHost
import Glibc
import Synchronization

/// Detects a blocked loop, and names the plugin whose code blocks it.
///
/// Its thread checks that the loop responds twice a second while anything runs, and sleeps otherwise.
final class Watchdog: Sendable {
  /// A finding of the watchdog.
  enum Finding: Sendable, Hashable {
    /// The loop has exceeded its time limit; `plugin` is the one whose code is running, if it is known.
    case blocked(plugin: String?)
    /// The loop responds again.
    case recovered(plugin: String?)
    /// A call of a plugin's code on the loop took longer than ``slowCallInSeconds``; reported on the loop.
    case slow(plugin: String, seconds: Double)
  }

  /// The time a call of a plugin's code may take on the loop before users notice it, in seconds.
  static let slowCallInSeconds = 0.1

  /// The time the loop may take, in seconds.
  let patienceInSeconds: Double
  private let isStarted = Atomic(false)
  private let isAwake = Atomic(false)
  private let isLoopBlocked = Atomic(false)
  private let running = Atomic(0)
  private let activity = Atomic(0)
  private let sleeper = WorkSemaphore()
  private let listener = Mutex(Listener())

  /// The receiver of findings; a bare closure in a mutex would be wrapped once more at every access.
  private struct Listener: Sendable {
    var tell: @Sendable (Finding) -> Void = Watchdog.say
  }

  init(patienceInSeconds: Double = 2) {
    self.patienceInSeconds = patienceInSeconds
  }

  /// A Boolean value indicating whether the loop is known to be blocked.
  var isBlocked: Bool { isLoopBlocked.load(ordering: .acquiring) }

  /// Begins to watch.
  func start() {
    guard !isStarted.exchange(true, ordering: .acquiringAndReleasing) else { return }
    WorkQueue("workbench.watchdog", isUrgent: true).async { self.watch() }
  }

  /// Sets the receiver of findings, called on the watchdog's thread but for slow calls; the default writes to standard
  /// error.
  func setOnFinding(_ handler: @escaping @Sendable (Finding) -> Void) {
    listener.withLock { $0.tell = handler }
  }

  /// Records that the loop has work.
  func turnBegan() {
    guard isStarted.load(ordering: .relaxed) else { return }
    activity.add(1, ordering: .relaxed)
    wake()
  }

  /// Records that a plugin's code begins.
  func workBegan() {
    running.add(1, ordering: .relaxed)
    wake()
  }

  /// Records that a plugin's code ended.
  func workEnded() {
    running.subtract(1, ordering: .relaxed)
  }

  /// Reports a call of a plugin's code on the loop if it was slow; a blocked loop was reported before.
  func callEnded(_ plugin: String, seconds: Double) {
    guard seconds > Self.slowCallInSeconds, seconds < patienceInSeconds else { return }
    let tell = listener.withLock { $0.tell }
    tell(.slow(plugin: plugin, seconds: seconds))
  }

  private func wake() {
    guard isStarted.load(ordering: .relaxed), !isAwake.load(ordering: .acquiring) else { return }
    if !isAwake.exchange(true, ordering: .acquiringAndReleasing) { sleeper.signal() }
  }

  private func watch() {
    while true {
      sleeper.wait()
      var seen = -1
      repeat {
        askLoop()
        let now = activity.load(ordering: .relaxed)
        if running.load(ordering: .relaxed) == 0, now == seen {
          isAwake.store(false, ordering: .releasing)
          // Work that began meanwhile found the watchdog awake: check once more.
          if activity.load(ordering: .acquiring) == now, running.load(ordering: .acquiring) == 0 { break }
          if isAwake.exchange(true, ordering: .acquiringAndReleasing) { break }
        }
        seen = now
        usleep(500_000)
      } while true
    }
  }

  private func askLoop() {
    let answer = WorkSemaphore()
    MainQueue.async {
      chost_crash_note_loop_thread()
      answer.signal()
    }
    if answer.wait(seconds: patienceInSeconds) { return }
    let plugin = Self.culprit()
    let tell = listener.withLock { $0.tell }
    // In full screen Ctrl-C is a key, which is not read now: make it a signal until the loop responds again.
    isLoopBlocked.store(true, ordering: .releasing)
    chost_crash_allow_interrupt(true)
    // The plugin may have replaced the handlers of the signals that would end it.
    chost_signals_rearm()
    tell(.blocked(plugin: plugin))
    answer.wait()
    chost_crash_allow_interrupt(false)
    isLoopBlocked.store(false, ordering: .releasing)
    tell(.recovered(plugin: plugin))
  }

  /// Returns the plugin whose code the loop's thread is running, or else the one that was called last.
  private static func culprit() -> String? {
    CrashJournal.plugin { chost_sample_loop_thread($0) } ?? CrashJournal.newestPlugin
  }

  /// Reports on standard error what blocks the loop, unless the terminal shows the interface.
  @Sendable private static func say(_ finding: Finding) {
    guard case .blocked(let plugin) = finding, chost_crash_terminal() < 0 else { return }
    let who = plugin.map { "plugin '\($0)'" } ?? "something"
    let line = "workbench: \(who) is blocking the program [host.loop-blocked]; press Ctrl-C twice to end it\n"
    _ = HostFile.writeAll(Array(line.utf8), to: 2)
  }
}

/// A moment in the life of a thread, from which a call on the same thread is measured.
struct ThreadMoment {
  private let seconds = MonotonicClock.seconds
  private let processorSeconds: Double
  private let preemptions: Int

  init() { (processorSeconds, preemptions) = Self.usage() }

  /// The seconds since then.
  ///
  /// If other threads took the processor away, only the processor time counts: on a busy machine every call takes long.
  var secondsSince: Double {
    let (processorSeconds, preemptions) = Self.usage()
    return preemptions == self.preemptions
      ? MonotonicClock.seconds - seconds : processorSeconds - self.processorSeconds
  }

  /// Returns the processor time of this thread, and how often it lost the processor.
  ///
  /// - Source: getrusage(2); RUSAGE_THREAD is 1.
  private static func usage() -> (processorSeconds: Double, preemptions: Int) {
    var usage = rusage()
    getrusage(__rusage_who_t(1), &usage)
    let (user, system) = (usage.ru_utime, usage.ru_stime)
    let seconds = Double(user.tv_sec + system.tv_sec) + Double(user.tv_usec + system.tv_usec) / 1e6
    return (seconds, usage.ru_nivcsw)
  }
}
