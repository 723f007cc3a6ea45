internal import PluginAPI
internal import Synchronization

/// A record of progress reports.
final class Reports: Sendable {
  private let state = Mutex<[Progress]>([])

  func add(_ progress: Progress) { state.withLock { $0.append(progress) } }

  var all: [Progress] { state.withLock { $0 } }
}
