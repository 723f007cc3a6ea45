import PluginText
import PluginVault

/// The opened key of the stored secrets.
struct SecretsKey: Sendable {
  /// The id of the key, which is part of each secret sealed by it.
  let id: [UInt8]
  let master: VaultKey
}

/// The file beside encrypted secrets that holds their key, sealed by a passphrase or key file.
///
/// Layout: ``magic``, the kind of the user's key (1 byte), the id of the master key (16), the salt (16), the passes of
/// Argon2id (4, little endian) and its memory (8), the sealed master key (72), which is bound to all bytes before it,
/// and the first 8 bytes of the SHA-256 of all that, which distinguishes damage from a wrong key.
struct SealingRecord: Sendable, Hashable {
  static let fileName = "sealing"
  private static let magic = Array("wb-sealing-1\n".utf8)
  private static let idSize = 16
  private static let checkSize = 8

  /// The kind of the user's key: 1 a passphrase, 2 a key file.
  var kind: Int
  var id: [UInt8]
  private var salt: [UInt8]
  private var stretching: Stretching
  private var sealed: [UInt8] = []

  /// Creates a record of a key.
  ///
  /// - Parameters:
  ///   - key: The open key; nil for a new one.
  ///   - source: The passphrase or key file that opens the record.
  /// - Throws: ``VaultFailure``.
  static func make(
    _ key: SecretsKey? = nil, by source: VaultKeySource
  ) throws(VaultFailure) -> (record: SealingRecord, key: SecretsKey) {
    let key = if let key { key } else { SecretsKey(id: Sodium.random(idSize), master: try VaultKey.random()) }
    var record = SealingRecord(
      kind: source.kind, id: key.id, salt: Sodium.random(Sodium.saltSize), stretching: .standard)
    let own = try source.key(salt: record.salt, record.stretching)
    record.sealed = key.master.withBytes {
      own.seal(UnsafeBufferPointer(start: $0, count: Sodium.keySize), bound: record.head)
    }
    return (record, key)
  }

  private init(kind: Int, id: [UInt8], salt: [UInt8], stretching: Stretching) {
    (self.kind, self.id, self.salt, self.stretching) = (kind, id, salt, stretching)
  }

  /// Opens the key.
  ///
  /// - Returns: The key, and the wrapping key derived from the source; nil if the source does not open the record.
  /// - Throws: ``VaultFailure``.
  func open(_ source: VaultKeySource) throws(VaultFailure) -> (key: SecretsKey, wrapping: WrappingKey)? {
    guard source.kind == kind else { return nil }
    let own = try source.key(salt: salt, stretching)
    guard var bytes = own.unseal(sealed, bound: head), bytes.count == Sodium.keySize else { return nil }
    defer { SecretMemory.wipe(&bytes) }
    return (SecretsKey(id: id, master: try VaultKey.of(bytes)), WrappingKey(kind: kind, copying: own))
  }

  // MARK: Bytes

  /// All bytes before the sealed key.
  private var head: [UInt8] {
    var bytes = Self.magic + [UInt8(truncatingIfNeeded: kind)] + id + salt
    for shift in 0..<4 { bytes.append(UInt8(truncatingIfNeeded: stretching.passes >> (8 * shift))) }
    for shift in 0..<8 { bytes.append(UInt8(truncatingIfNeeded: stretching.memoryInBytes >> (8 * shift))) }
    return bytes
  }

  var encoded: [UInt8] { head + sealed + Self.check(head + sealed) }

  private static func check(_ bytes: [UInt8]) -> [UInt8] {
    var digest = SHA256()
    digest.update(bytes)
    return Array(digest.finish().prefix(checkSize))
  }

  /// Parses a record; nil for bytes that are not one.
  init?(encoded bytes: [UInt8]) {
    let start = Self.magic.count
    let end = start + 1 + Self.idSize + Sodium.saltSize + 12
    let checked = end + Sodium.keySize + Sodium.sealSize
    guard bytes.starts(with: Self.magic), bytes.count == checked + Self.checkSize,
      Array(bytes[checked...]) == Self.check(Array(bytes[..<checked]))
    else { return nil }
    kind = Int(bytes[start])
    id = Array(bytes[(start + 1)...].prefix(Self.idSize))
    salt = Array(bytes[(start + 1 + Self.idSize)...].prefix(Sodium.saltSize))
    let passes = bytes[(end - 12)..<(end - 8)].reversed().reduce(0) { $0 << 8 | Int($1) }
    let memory = bytes[(end - 8)..<end].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    stretching = Stretching(passes: passes, memoryInBytes: Int(clamping: memory))
    sealed = Array(bytes[end..<checked])
    guard (1...2).contains(kind), stretching.isAllowed else { return nil }
  }
}

/// An encrypted secret as stored in its file.
///
/// Layout: ``magic``, the id of the key (16 bytes), and the sealed text, which is bound to account, kind and key.
struct SealedSecret {
  /// The first bytes of the file; no text begins with the first one.
  private static let magic = [0] + Array("wb-sealed-1\n".utf8)
  private static let idSize = 16

  let keyID: [UInt8]
  private let sealed: [UInt8]

  /// Seals a secret.
  init(_ secret: Secret, of account: String, _ kind: String, by key: SecretsKey) {
    keyID = key.id
    sealed = key.master.seal(Array(secret.text.utf8), bound: Self.bound(account, kind, key.id))
  }

  /// Parses the bytes of a file; nil for a secret that is not encrypted.
  init?(encoded bytes: [UInt8]) {
    guard bytes.starts(with: Self.magic) else { return nil }
    keyID = Array(bytes[Self.magic.count...].prefix(Self.idSize))
    sealed = Array(bytes.dropFirst(Self.magic.count + Self.idSize))
  }

  var encoded: [UInt8] { Self.magic + keyID + sealed }

  /// Returns the secret; nil if it was not sealed by the key for this account and kind, or was changed.
  func open(_ account: String, _ kind: String, by key: SecretsKey) -> Secret? {
    guard var text = key.master.unseal(sealed, bound: Self.bound(account, kind, keyID)) else { return nil }
    defer { SecretMemory.wipe(&text) }
    return Secret(String(decoding: text, as: UTF8.self))
  }

  private static func bound(_ account: String, _ kind: String, _ id: [UInt8]) -> [UInt8] {
    Array("openbis\n\(account)\n\(kind)\n".utf8) + id
  }
}
