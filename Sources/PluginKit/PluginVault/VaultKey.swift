internal import CVault

/// A key in memory that is locked, excluded from core dumps and overwritten at its end.
///
/// ```swift
/// try Sodium.open()
/// let key = try VaultKey.random()
/// let sealed = key.seal(Array("token".utf8), bound: Array("account".utf8))
/// ```
// The memory behind the pointer is written before the object is shared, and never again.
public final class VaultKey: @unchecked Sendable {
  private let memory: UnsafeMutablePointer<UInt8>

  /// Allocates memory and fills it.
  private init(
    filling fill: (UnsafeMutablePointer<UInt8>) throws(VaultFailure) -> Void
  ) throws(VaultFailure) {
    guard let room = vault_allocate(Sodium.keySize) else { throw .noMemory }
    memory = room.assumingMemoryBound(to: UInt8.self)
    try fill(memory)
  }

  deinit { vault_free(memory) }

  /// Returns a random key.
  public static func random() throws(VaultFailure) -> VaultKey {
    try VaultKey { key throws(VaultFailure) in vault_random(key, Sodium.keySize) }
  }

  /// Returns a key made from bytes.
  public static func of(_ bytes: UnsafePointer<UInt8>) throws(VaultFailure) -> VaultKey {
    try VaultKey { key throws(VaultFailure) in key.update(from: bytes, count: Sodium.keySize) }
  }

  /// Returns the key derived from a passphrase, by Argon2id.
  public static func stretched(
    _ passphrase: [UInt8], salt: [UInt8], _ stretching: Stretching
  ) throws(VaultFailure) -> VaultKey {
    try VaultKey { key throws(VaultFailure) in
      let isDone = vault_stretch(
        key, passphrase, passphrase.count, salt, UInt64(stretching.passes), stretching.memoryInBytes)
      if isDone == 0 { throw .noMemory }
    }
  }

  /// Returns a key derived from this one, for one use.
  ///
  /// - Parameter context: 8 bytes that identify the program whose uses are numbered.
  public func derived(_ number: UInt64, context: StaticString) throws(VaultFailure) -> VaultKey {
    precondition(context.utf8CodeUnitCount == VAULT_CONTEXT, "the name of a use has 8 bytes")
    return try VaultKey { key throws(VaultFailure) in
      context.utf8Start.withMemoryRebound(to: CChar.self, capacity: VAULT_CONTEXT) { name in
        vault_derive(key, number, name, memory)
      }
    }
  }

  /// Returns a key made from this one and public bytes.
  public func mixed(with bytes: [UInt8]) throws(VaultFailure) -> VaultKey {
    try VaultKey { key throws(VaultFailure) in vault_code(key, memory, bytes, bytes.count) }
  }

  /// Makes a random pair of keys: the secret one first, then the public one.
  ///
  /// - Parameter bytes: The output, at least two keys long.
  public static func makePair(_ bytes: inout [UInt8]) {
    precondition(bytes.count >= 2 * Sodium.keySize, "a pair has two keys")
    vault_pair(&bytes)
  }

  /// Returns this key, sealed so that only the secret key of a pair opens it.
  ///
  /// - Throws: ``VaultFailure/unusablePublicKey``.
  public func given(to publicKey: [UInt8]) throws(VaultFailure) -> [UInt8] {
    var given = [UInt8](repeating: 0, count: Sodium.keySize + Sodium.giftSize)
    guard publicKey.count == Sodium.keySize, vault_give(&given, memory, publicKey) != 0 else {
      throw .unusablePublicKey
    }
    return given
  }

  /// Returns a key sealed for a recipient; nil if it was meant for another one, or changed.
  ///
  /// - Parameter pair: The secret key, followed by the public one.
  public static func taken(
    _ given: [UInt8], by pair: UnsafePointer<UInt8>
  ) throws(VaultFailure) -> VaultKey? {
    guard given.count == Sodium.keySize + Sodium.giftSize else { return nil }
    var isTaken = false
    let key = try VaultKey { key throws(VaultFailure) in isTaken = vault_take(key, given, pair) != 0 }
    return isTaken ? key : nil
  }

  /// Calls a closure with the bytes of the key.
  public func withBytes<Result, Failure: Error>(
    _ body: (UnsafePointer<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(memory)
  }

  /// Returns the authentication code of a message.
  public func code(_ message: [UInt8]) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: Sodium.codeSize) { out, count in
      if let out = out.baseAddress { vault_code(out, memory, message, message.count) }
      count = Sodium.codeSize
    }
  }

  /// Returns a message sealed by XChaCha20-Poly1305, which opens only together with the bytes it is bound to.
  public func seal(_ message: [UInt8], bound: [UInt8]) -> [UInt8] { Self.seal(message, bound: bound, memory) }

  /// Seals a message that must not be copied, as above.
  public func seal(_ message: UnsafeBufferPointer<UInt8>, bound: [UInt8]) -> [UInt8] {
    Self.seal(message, bound: bound, memory)
  }

  /// Returns the message that was sealed; nil if this key did not seal it, or if it was changed or bound to other
  /// bytes.
  public func unseal(_ sealed: [UInt8], bound: [UInt8]) -> [UInt8]? { Self.unseal(sealed, bound: bound, memory) }

  /// Opens a sealed message into memory of its length, without an intermediate copy.
  ///
  /// - Parameter room: `count - Sodium.sealSize` bytes.
  /// - Returns: False if the key did not seal it, or if it was changed or bound to other bytes.
  public static func unseal(
    _ sealed: UnsafePointer<UInt8>?, count: Int, bound: [UInt8], _ key: UnsafePointer<UInt8>,
    into room: UnsafeMutablePointer<UInt8>
  ) -> Bool {
    vault_unseal(room, key, sealed, count, bound, bound.count) != 0
  }

  static func seal(_ message: [UInt8], bound: [UInt8], _ key: UnsafePointer<UInt8>) -> [UInt8] {
    message.withUnsafeBufferPointer { seal($0, bound: bound, key) }
  }

  private static func seal(
    _ message: UnsafeBufferPointer<UInt8>, bound: [UInt8], _ key: UnsafePointer<UInt8>
  ) -> [UInt8] {
    let size = message.count + Sodium.sealSize
    return [UInt8](unsafeUninitializedCapacity: size) { out, count in
      if let out = out.baseAddress { vault_seal(out, key, message.baseAddress, message.count, bound, bound.count) }
      count = size
    }
  }

  static func unseal(_ sealed: [UInt8], bound: [UInt8], _ key: UnsafePointer<UInt8>) -> [UInt8]? {
    let size = sealed.count - Sodium.sealSize
    guard size >= 0 else { return nil }
    var isOpen = false
    // One more byte, so that the buffer is never empty.
    let message = [UInt8](unsafeUninitializedCapacity: size + 1) { out, count in
      guard let out = out.baseAddress else { return }
      isOpen = vault_unseal(out, key, sealed, sealed.count, bound, bound.count) != 0
      count = isOpen ? size : 0
    }
    return isOpen ? message : nil
  }
}

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

/// A short-lived key in ordinary memory, which is overwritten at its end.
// The memory behind the pointer is written before the object is shared, and never again.
public final class DataKey: @unchecked Sendable {
  private let memory = UnsafeMutablePointer<UInt8>.allocate(capacity: VAULT_KEY)

  /// Creates a random key.
  public init() { vault_random(memory, Sodium.keySize) }

  /// Creates a key that a closure writes; nil if the closure returns false.
  public init?(filling fill: (UnsafeMutablePointer<UInt8>) -> Bool) {
    guard fill(memory) else { return nil }
  }

  /// Creates a copy of a key.
  init(copying key: VaultKey) {
    let memory = memory
    key.withBytes { memory.update(from: $0, count: Sodium.keySize) }
  }

  deinit {
    vault_wipe(memory, Sodium.keySize)
    memory.deallocate()
  }

  /// Calls a closure with the bytes of the key.
  public func withBytes<Result, Failure: Error>(
    _ body: (UnsafePointer<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(memory)
  }

  /// Returns a sealed message that opens only together with the bytes it is bound to.
  public func seal(_ message: [UInt8], bound: [UInt8]) -> [UInt8] { VaultKey.seal(message, bound: bound, memory) }

  /// Returns the message that was sealed; nil if this key did not seal it, or if it was changed or bound to other
  /// bytes.
  public func unseal(_ sealed: [UInt8], bound: [UInt8]) -> [UInt8]? { VaultKey.unseal(sealed, bound: bound, memory) }
}

/// A failure in work with keys.
///
/// Plugins report them by codes of their own.
@frozen public enum VaultFailure: Error, Equatable, Sendable {
  /// libsodium is unusable, with the problem.
  case noLibrary(problem: String)
  /// There is not enough memory.
  case noMemory
  /// The passphrase is empty, or implausibly long.
  case unusablePassphrase
  /// The bytes do not have the length of a key.
  case unusableKey
  /// The public key is malformed.
  case unusablePublicKey
  /// A key file does not exist.
  case noKeyFile(path: String)
  /// A key file cannot be read or created, with the reason and advice.
  case keyFile(path: String, reason: String, advice: String = VaultFailure.adviceOnKeyFiles)

  /// The advice for an unusable key file.
  public static var adviceOnKeyFiles: String {
    "a key file has 32 random bytes and is readable only by its owner; run 'chmod 600' on it"
  }
}
