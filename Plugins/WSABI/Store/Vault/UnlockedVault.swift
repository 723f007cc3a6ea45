import Synchronization

/// The secrets of a store while it is unlocked; replaced ones are overwritten.
final class UnlockedVault: Sendable {
  private let vault = Mutex<OpenVault?>(nil)
  private let everOpened = Mutex(false)

  /// The user who opened the store; nil while it is locked.
  var user: StoreUser? { vault.withLock { $0?.user } }

  var isLocked: Bool { vault.withLock { $0 == nil } }

  /// True if the store was open before in this process.
  var wasOpened: Bool { everOpened.withLock { $0 } }

  /// Returns the secrets.
  ///
  /// - Throws: ``VaultError/locked``.
  func opened() throws -> OpenVault {
    guard let vault = vault.withLock({ $0 }) else { throw VaultError.locked }
    return vault
  }

  /// Sets or removes the secrets; previous ones are overwritten.
  func set(_ new: OpenVault?) {
    if new != nil { everOpened.withLock { $0 = true } }
    let old = vault.withLock { vault in
      defer { vault = new }
      return vault
    }
    if old !== new { old?.wipe() }
  }

  /// Replaces keys by new ones made from them, unless the store was locked meanwhile.
  ///
  /// - Returns: True if the store is now open with them.
  func replace(_ old: OpenVault, by new: OpenVault) -> Bool {
    let isReplaced = vault.withLock { vault in
      guard vault === old else { return false }
      vault = new
      return true
    }
    old.wipe()
    return isReplaced
  }

  /// Removes keys that no longer open anything, unless they were already replaced, and overwrites them.
  ///
  /// - Returns: True if they were removed.
  func drop(_ stale: OpenVault) -> Bool {
    let isDropped = vault.withLock { vault in
      guard vault === stale else { return false }
      vault = nil
      return true
    }
    stale.wipe()
    return isDropped
  }

  /// Removes the secrets and returns them, for a last entry of the audit log; nil if the store is locked.
  func take() -> OpenVault? { vault.withLock { $0.take() } }
}
