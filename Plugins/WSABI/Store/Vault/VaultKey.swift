import CVault

/// A key, in memory that is locked, stays out of core dumps and is overwritten at its end.
// The memory behind the pointer is written before the object is given to anybody, and never again.
final class VaultKey: @unchecked Sendable {
  private let memory: UnsafeMutablePointer<UInt8>

  /// Makes room and lets it be filled.
  private init(filling fill: (UnsafeMutablePointer<UInt8>) throws -> Void) throws {
    guard let room = vault_allocate(Vault.keySize) else { throw VaultError.noMemory }
    memory = room.assumingMemoryBound(to: UInt8.self)
    try fill(memory)
  }

  deinit { vault_free(memory) }

  /// A new key by chance.
  static func random() throws -> VaultKey {
    try VaultKey { vault_random($0, Vault.keySize) }
  }

  /// A key of bytes.
  static func of(_ bytes: UnsafePointer<UInt8>) throws -> VaultKey {
    try VaultKey { $0.update(from: bytes, count: Vault.keySize) }
  }

  /// The key of a passphrase.
  static func stretched(_ passphrase: [UInt8], salt: [UInt8], _ stretching: Stretching) throws -> VaultKey {
    try VaultKey { key in
      let isDone = vault_stretch(
        key, passphrase, passphrase.count, salt, UInt64(stretching.passes), stretching.memoryInBytes)
      if isDone == 0 { throw VaultError.noMemory }
    }
  }

  /// A key for one use of this one.
  func derived(_ number: UInt64) throws -> VaultKey {
    try VaultKey { vault_derive($0, number, memory) }
  }

  /// A key made of this one and public bytes.
  func mixed(with bytes: [UInt8]) throws -> VaultKey {
    try VaultKey { vault_code($0, memory, bytes, bytes.count) }
  }

  /// This key, sealed so that only the secret key of a pair opens it.
  ///
  /// - Throws: ``VaultError/damaged(_:)`` for a public key that is none.
  func given(to publicKey: [UInt8]) throws -> [UInt8] {
    var given = [UInt8](repeating: 0, count: Vault.keySize + VAULT_GIFT)
    guard publicKey.count == Vault.keySize, vault_give(&given, memory, publicKey) != 0 else {
      throw VaultError.damaged("the public key of a user")
    }
    return given
  }

  /// A key that was given to somebody; nil if it was given to somebody else, or changed.
  ///
  /// - Parameter pair: The secret key, and the public one behind it.
  static func taken(_ given: [UInt8], by pair: UnsafePointer<UInt8>) throws -> VaultKey? {
    guard given.count == Vault.keySize + VAULT_GIFT else { return nil }
    var isTaken = false
    let key = try VaultKey { isTaken = vault_take($0, given, pair) != 0 }
    return isTaken ? key : nil
  }

  func withBytes<Result>(_ body: (UnsafePointer<UInt8>) throws -> Result) rethrows -> Result { try body(memory) }

  /// The code of a message.
  func code(_ message: [UInt8]) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: Vault.codeSize) { out, count in
      if let out = out.baseAddress { vault_code(out, memory, message, message.count) }
      count = Vault.codeSize
    }
  }

  /// A message sealed so that it opens only together with what it is bound to.
  func seal(_ message: [UInt8], bound: [UInt8]) -> [UInt8] { Self.seal(message, bound: bound, memory) }

  /// As above, for what must not be copied.
  func seal(_ message: UnsafeBufferPointer<UInt8>, bound: [UInt8]) -> [UInt8] {
    Self.seal(message, bound: bound, memory)
  }

  /// What was sealed; nil if it was not sealed by this key, or changed, or bound to something else.
  func unseal(_ sealed: [UInt8], bound: [UInt8]) -> [UInt8]? { Self.unseal(sealed, bound: bound, memory) }

  static func seal(_ message: [UInt8], bound: [UInt8], _ key: UnsafePointer<UInt8>) -> [UInt8] {
    message.withUnsafeBufferPointer { seal($0, bound: bound, key) }
  }

  private static func seal(
    _ message: UnsafeBufferPointer<UInt8>, bound: [UInt8], _ key: UnsafePointer<UInt8>
  ) -> [UInt8] {
    let size = message.count + Vault.sealSize
    return [UInt8](unsafeUninitializedCapacity: size) { out, count in
      if let out = out.baseAddress { vault_seal(out, key, message.baseAddress, message.count, bound, bound.count) }
      count = size
    }
  }

  static func unseal(_ sealed: [UInt8], bound: [UInt8], _ key: UnsafePointer<UInt8>) -> [UInt8]? {
    let size = sealed.count - Vault.sealSize
    guard size >= 0 else { return nil }
    var isOpen = false
    // One more, so that there is room for nothing too.
    let message = [UInt8](unsafeUninitializedCapacity: size + 1) { out, count in
      guard let out = out.baseAddress else { return }
      isOpen = vault_unseal(out, key, sealed, sealed.count, bound, bound.count) != 0
      count = isOpen ? size : 0
    }
    return isOpen ? message : nil
  }
}
