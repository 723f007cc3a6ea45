/// A passphrase or a key file from which a key is derived.
@frozen public enum VaultKeySource: Sendable {
  /// A sentence, as UTF-8.
  case passphrase([UInt8])
  /// A file of 32 bytes that only its owner can read.
  case keyFile(path: String)
  /// The 32 bytes of a key file.
  case key([UInt8])
  /// A key derived earlier from one of these.
  case wrapping(WrappingKey)

  /// The kind of the source: 1 for a passphrase, 2 for a key.
  public var kind: Int {
    switch self {
    case .passphrase: 1
    case .keyFile, .key: 2
    case .wrapping(let key): key.kind
    }
  }

  /// Derives the key: from a passphrase by Argon2id, from a key file with the salt mixed in.
  ///
  /// - Throws: ``VaultFailure``.
  public func key(salt: [UInt8], _ stretching: Stretching) throws(VaultFailure) -> VaultKey {
    switch self {
    case .passphrase(let passphrase):
      guard (1...1024).contains(passphrase.count) else { throw .unusablePassphrase }
      return try VaultKey.stretched(passphrase, salt: salt, stretching)
    case .keyFile(let path):
      var bytes = try KeyFile.read(path)
      defer { SecretMemory.wipe(&bytes) }
      return try VaultKey.of(bytes).mixed(with: salt)
    case .key(let bytes):
      guard bytes.count == Sodium.keySize else { throw .unusableKey }
      return try VaultKey.of(bytes).mixed(with: salt)
    case .wrapping(let key):
      return try key.key.withBytes { bytes throws(VaultFailure) in try VaultKey.of(bytes) }
    }
  }
}
