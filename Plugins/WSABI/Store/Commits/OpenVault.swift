import PluginAPI
import Synchronization

/// What is there while the store is unlocked, and gone when it is locked.
final class OpenVault: Sendable {
  let keys: VaultKeys
  let user: StoreUser
  /// The id of the store, to which its header is bound.
  let store: [UInt8]
  /// How often the master key was changed before this one.
  let epoch: Int
  /// What is searched; nil until it is first asked for.
  ///
  /// Only the store's thread, and whoever locks, touches it.
  let index = Mutex<SearchIndex?>(nil)
  /// When which record was last told as read, so that looking at one for long is one entry.
  let readings = Mutex<[AuditEvent: Instant]>([:])

  init(keys: VaultKeys, user: StoreUser, store: [UInt8], epoch: Int) {
    self.keys = keys
    self.user = user
    self.store = store
    self.epoch = epoch
  }

  /// Overwrites what was decrypted.
  func wipe() {
    index.withLock { $0 = nil }
    readings.withLock { $0 = [:] }
  }
}
