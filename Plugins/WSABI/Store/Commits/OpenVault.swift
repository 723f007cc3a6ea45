import PluginAPI
import PluginStore
import Synchronization

/// The secrets of the store while it is unlocked; dropped when it is locked.
final class OpenVault: Sendable {
  let keys: VaultKeys
  /// The id of the store, to which its header is bound.
  let store: [UInt8]
  /// The number of changes of the master key before this one.
  let epoch: Int
  /// The search index; nil until its first use.
  ///
  /// Only the store's thread, and the code that locks the store, access it.
  let index = Mutex<SearchIndex?>(nil)
  /// The times when records were last logged as read, so that looking at one for long makes one entry.
  let readings = Mutex<[AuditEvent: Instant]>([:])
  private let holder: Mutex<StoreUser>

  /// The user who opened the store, in the role at the last check.
  var user: StoreUser { holder.withLock { $0 } }

  init(keys: VaultKeys, user: StoreUser, store: [UInt8], epoch: Int) {
    self.keys = keys
    self.store = store
    self.epoch = epoch
    holder = Mutex(user)
  }

  /// Throws an error for an action that the user's current role does not allow; another process may have changed the
  /// role.
  ///
  /// - Throws: ``VaultError/notPermitted(_:_:)``; ``VaultError/locked`` if the user was removed.
  func check(_ permission: Permission, _ connection: Connection) throws {
    let user: StoreUser
    do { user = try UserRow.row(holder.withLock(\.id), connection, keys).user } catch VaultError.noUser {
      throw VaultError.locked
    }
    holder.withLock { $0 = user }
    guard user.role.may(permission) else { throw VaultError.notPermitted(user.role, permission) }
  }

  /// Overwrites all decrypted data.
  func wipe() {
    index.withLock { $0 = nil }
    readings.withLock { $0 = [:] }
  }
}
