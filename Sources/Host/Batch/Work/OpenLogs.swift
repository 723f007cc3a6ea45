import Glibc
import PluginAPI
import Synchronization

/// The logs that the workers of this process are writing.
///
/// At an interrupt, the end is written to each log, because the process does not wait for its workers.
final class OpenLogs: Sendable {
  private let descriptors = Mutex<Set<Int32>>([])

  func add(_ descriptor: Int32) { descriptors.withLock { _ = $0.insert(descriptor) } }

  /// Removes a log before it is closed.
  func remove(_ descriptor: Int32) { descriptors.withLock { _ = $0.remove(descriptor) } }

  /// Writes the end to each log, so that no worker counts as lost.
  func interrupt() {
    let line = LogFrame.line(JSONWriter.bytes(of: ["kind": "end", "cause": "interrupted"]))
    descriptors.withLock { for descriptor in $0 { _ = HostFile.writeAll(line, to: descriptor) } }
  }
}
