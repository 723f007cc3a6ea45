/// A passphrase or a key file, of which the key is made that opens something.
@frozen public enum VaultKeySource: Sendable {
  /// A sentence, as UTF-8.
  case passphrase([UInt8])
  /// A file of 32 bytes that its owner alone can read.
  case keyFile(path: String)
  /// The 32 bytes of a key file.
  case key([UInt8])
  /// The key that one of these was made into before.
  case wrapping(WrappingKey)

  /// The kind of the source: 1 a passphrase, 2 a key.
  public var kind: Int {
    switch self {
    case .passphrase: 1
    case .keyFile, .key: 2
    case .wrapping(let key): key.kind
    }
  }

  /// Makes the key: of a passphrase by Argon2id, of a key file with the salt mixed in.
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
