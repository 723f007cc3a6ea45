import PluginStore
import PluginVault

/// The key of the store, shared with one user.
///
/// A user has a key pair: the secret key is sealed under the user's own key, and the key of the store is encrypted for
/// the public one. So the key of the store can be changed while the users are absent.
struct KeySlot: Sendable {
  var id: Int
  var kind: Int
  /// The pair and the user's number under the user's own key; in slots of the first form the key of the store and the
  /// number.
  var body: [UInt8]
  /// The key of the store, encrypted for the public key of the pair; empty in slots of the first form.
  var master: [UInt8]

  /// The result of opening a slot.
  struct Opened: Sendable {
    var master: VaultKey
    var user: Int
    /// True if the slot does not have a key pair yet.
    var isOfFirstForm: Bool
    /// The user's own key, which opened it.
    var own: VaultKey
  }

  /// The secret and the public key.
  private static let pairSize = 2 * Vault.keySize

  static func all(_ connection: Connection) throws -> [KeySlot] {
    try connection.list("SELECT id, kind, body, master FROM slot ORDER BY id") {
      KeySlot(id: $0.integer(0), kind: $0.integer(1), body: $0.bytes(2), master: $0.bytes(3))
    }
  }

  /// Returns the key of a user, which opens the user's slot.
  static func key(of source: VaultKeySource, _ header: Header) throws -> VaultKey {
    try Vault.reporting { () throws(VaultFailure) in try source.key(salt: header.salt, header.stretching) }
  }

  /// Returns the key of the store and the user whose key opens it.
  ///
  /// All slots are tried, so that the time reveals only their number.
  static func find(_ slots: [KeySlot], _ header: Header, _ source: VaultKeySource) throws -> Opened {
    let own = try key(of: source, header)
    guard let found = try open(slots, header, own, kind: source.kind) else { throw VaultError.wrongKey }
    return found
  }

  static func open(_ slots: [KeySlot], _ header: Header, _ own: VaultKey, kind: Int) throws -> Opened? {
    var found: Opened?
    for slot in slots where slot.kind == kind {
      guard var content = own.unseal(slot.body, bound: header.bound(slot: slot.id, kind: kind)) else { continue }
      defer { SecretMemory.wipe(&content) }
      found = try slot.opened(content, own)
    }
    return found
  }

  private func opened(_ content: [UInt8], _ own: VaultKey) throws -> Opened {
    let damaged = VaultError.damaged("the header")
    guard content.count > 8 else { throw damaged }
    let user = content.suffix(8).reversed().reduce(0) { $0 << 8 | Int($1) }
    switch content.count - 8 {
    case Vault.keySize:
      let key = try Vault.reporting { () throws(VaultFailure) in try VaultKey.of(content) }
      return Opened(master: key, user: user, isOfFirstForm: true, own: own)
    case Self.pairSize:
      let taken = try Vault.reporting { () throws(VaultFailure) in try VaultKey.taken(master, by: content) }
      guard let key = taken else { throw damaged }
      return Opened(master: key, user: user, isOfFirstForm: false, own: own)
    default: throw damaged
    }
  }

  /// Writes the slot of a user, replacing any existing one.
  ///
  /// - Returns: The user's public key, for the user's row.
  static func set(
    user: Int, _ own: VaultKey, _ kind: Int, _ header: Header, _ connection: Connection, _ keys: VaultKeys
  ) throws -> [UInt8] {
    try connection.execute("DELETE FROM slot WHERE user = ?", [user])
    let id = try connection.nextNumber(of: "slot")
    // All the memory at once: growing would leave copies behind.
    var content = [UInt8](repeating: 0, count: pairSize + 8)
    defer { SecretMemory.wipe(&content) }
    VaultKey.makePair(&content)
    for place in 0..<8 { content[pairSize + place] = UInt8(truncatingIfNeeded: user >> (8 * place)) }
    let publicKey = Array(content[Vault.keySize..<pairSize])
    let body = own.seal(content, bound: header.bound(slot: id, kind: kind))
    let given = try Vault.reporting { () throws(VaultFailure) in try keys.master.given(to: publicKey) }
    try connection.execute(
      "INSERT INTO slot (id, user, kind, body, master) VALUES (?, ?, ?, ?, ?)", [id, user, kind, body, given])
    return publicKey
  }
}
