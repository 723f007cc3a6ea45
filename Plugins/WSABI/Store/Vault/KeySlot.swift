import CVault
import PluginStore

/// The key of the store under the key of one user.
struct KeySlot: Sendable {
  var id: Int
  var kind: Int
  var body: [UInt8]

  static func all(_ connection: Connection) throws -> [KeySlot] {
    try connection.list("SELECT id, kind, body FROM slot ORDER BY id") {
      KeySlot(id: $0.integer(0), kind: $0.integer(1), body: $0.bytes(2))
    }
  }

  /// The key of a user, which wraps that of the store.
  static func key(of source: VaultKeySource, _ header: Header) throws -> VaultKey {
    switch source {
    case .passphrase(let passphrase):
      guard (1...1024).contains(passphrase.count) else { throw VaultError.unusablePassphrase }
      return try VaultKey.stretched(passphrase, salt: header.salt, header.stretching)
    case .keyFile(let path):
      var bytes = try VaultKeySource.readKeyFile(path)
      defer { vault_wipe(&bytes, bytes.count) }
      return try VaultKey.of(bytes).mixed(with: header.salt)
    case .key(let bytes):
      guard bytes.count == Vault.keySize else { throw VaultError.wrongKey }
      return try VaultKey.of(bytes).mixed(with: header.salt)
    case .wrapping(let key):
      guard key.bytes.count == Vault.keySize else { throw VaultError.wrongKey }
      return try VaultKey.of(key.bytes)
    }
  }

  /// The key of the store and the user whose key opens it.
  ///
  /// All slots are tried, so that the time tells nothing but their number.
  static func find(
    _ slots: [KeySlot], _ header: Header, _ source: VaultKeySource
  ) throws -> (master: VaultKey, user: Int) {
    let own = try key(of: source, header)
    guard let found = try open(slots, header, own, kind: source.kind) else { throw VaultError.wrongKey }
    return found
  }

  static func open(
    _ slots: [KeySlot], _ header: Header, _ own: VaultKey, kind: Int
  ) throws -> (master: VaultKey, user: Int)? {
    var found: (VaultKey, Int)?
    for slot in slots where slot.kind == kind {
      guard var content = own.unseal(slot.body, bound: header.bound(slot: slot.id, kind: kind)) else { continue }
      defer { vault_wipe(&content, content.count) }
      guard content.count == Vault.keySize + 8 else { throw VaultError.damaged("the header") }
      let user = content.dropFirst(Vault.keySize).reversed().reduce(0) { $0 << 8 | Int($1) }
      found = (try VaultKey.of(content), user)
    }
    return found
  }

  /// Writes a slot for a user.
  static func insert(
    user: Int, _ own: VaultKey, _ kind: Int, _ header: Header, _ connection: Connection, _ keys: VaultKeys
  ) throws {
    let id = (try connection.value("SELECT seq FROM sqlite_sequence WHERE name = 'slot'").integer ?? 0) + 1
    // All the room at once: what grows leaves copies behind.
    var content: [UInt8] = []
    content.reserveCapacity(Vault.keySize + 8)
    keys.master.withBytes { content.append(contentsOf: UnsafeBufferPointer(start: $0, count: Vault.keySize)) }
    defer { vault_wipe(&content, content.count) }
    for shift in stride(from: 0, to: 64, by: 8) { content.append(UInt8(truncatingIfNeeded: user >> shift)) }
    let body = own.seal(content, bound: header.bound(slot: id, kind: kind))
    try connection.execute("INSERT INTO slot (id, user, kind, body) VALUES (?, ?, ?, ?)", [id, user, kind, body])
  }
}

extension VaultKeySource {
  /// What a slot is opened by: 1 a passphrase, 2 a key.
  var kind: Int {
    switch self {
    case .passphrase: 1
    case .keyFile, .key: 2
    case .wrapping(let key): key.kind
    }
  }
}
