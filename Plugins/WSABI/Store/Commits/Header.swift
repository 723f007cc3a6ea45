import PluginStore
import PluginVault

/// The row of the store with the parameters to open it, and its expected content.
struct Header: Sendable, Hashable {
  var store: [UInt8]
  var salt: [UInt8]
  var stretching: Stretching
  /// The number of changes of the master key.
  var epoch = 0
  /// The key of the tags, under the master key of now; empty while that is the first one.
  var tags: [UInt8] = []

  /// Reads the header; nil if the store was never finished.
  ///
  /// - Throws: ``VaultError/damaged(_:)`` for a header that no store has.
  init?(_ connection: Connection) throws {
    let row = try connection.first("SELECT store, salt, passes, memory, epoch, tags FROM vault") {
      ($0.bytes(0), $0.bytes(1), $0.integer(2), $0.integer(3), $0.integer(4), $0.bytes(5))
    }
    guard let (store, salt, passes, memory, epoch, tags) = row else { return nil }
    (self.store, self.salt, self.epoch, self.tags) = (store, salt, epoch, tags)
    stretching = Stretching(passes: passes, memoryInBytes: memory)
    guard store.count == Vault.saltSize, salt.count == Vault.saltSize, stretching.isAllowed,
      epoch >= 0, epoch < Int.max
    else { throw VaultError.damaged("the header") }
  }

  init(store: [UInt8], salt: [UInt8], stretching: Stretching) {
    (self.store, self.salt, self.stretching) = (store, salt, stretching)
  }

  /// Returns the associated data of a slot: everything that its key depends on.
  func bound(slot: Int, kind: Int) -> [UInt8] {
    var writer = ByteWriter(form: 1)
    writer.put(store)
    writer.put(salt)
    for number in [stretching.passes, stretching.memoryInBytes, slot, kind] { writer.put(number) }
    return writer.bytes
  }

  /// Refuses keys from before a change of the master key, by any process.
  ///
  /// - Throws: ``VaultError/locked``: these keys no longer open anything.
  static func checkKeys(_ connection: Connection, _ vault: OpenVault) throws {
    guard try connection.value("SELECT epoch FROM vault").integer == vault.epoch else { throw VaultError.locked }
  }

  static func anchor(_ connection: Connection, _ vault: OpenVault) throws -> Anchor {
    let sealed = try connection.value("SELECT anchor FROM vault").bytes ?? []
    guard let bytes = vault.keys.anchor.unseal(sealed, bound: vault.store), let anchor = Anchor(bytes) else {
      throw VaultError.damaged("the header")
    }
    return anchor
  }

  static func setAnchor(_ anchor: Anchor, _ connection: Connection, _ vault: OpenVault) throws {
    try connection.execute("UPDATE vault SET anchor = ?", [vault.keys.anchor.seal(anchor.bytes, bound: vault.store)])
  }
}
