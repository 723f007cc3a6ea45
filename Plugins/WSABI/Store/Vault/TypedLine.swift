import PluginVault
import Synchronization

/// A line of standard input, kept while a command runs and then overwritten.
final class TypedLine: Sendable {
  private let content = Mutex<[UInt8]?>(nil)

  var bytes: [UInt8]? { content.withLock { $0 } }

  func keep(_ bytes: [UInt8]) { content.withLock { $0 = bytes } }

  deinit {
    content.withLock { content in
      guard var bytes = content else { return }
      content = nil
      SecretMemory.wipe(&bytes)
    }
  }
}
