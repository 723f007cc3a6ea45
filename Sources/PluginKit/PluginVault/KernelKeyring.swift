internal import CVault

/// A key in the user's kernel keyring: it expires, is never on a disk, and is lost at shutdown.
///
/// - Source: keyrings(7) and keyctl(2) of the Linux manual.
@frozen public struct KernelKeyring: Sendable {
  /// The description of the key in the kernel.
  public let name: String

  /// - Parameter name: Such as `workbench:wsabi:` and the absolute path of what the key opens.
  public init(name: String) { self.name = name }

  /// Stores a key.
  ///
  /// - Returns: Nil, or the system's error number if the kernel refuses.
  public func put(_ key: WrappingKey, seconds: Int) -> Int32? {
    var bytes = [UInt8](repeating: 0, count: Sodium.keySize + 1)
    defer { SecretMemory.wipe(&bytes) }
    bytes[0] = UInt8(truncatingIfNeeded: key.kind)
    key.key.withBytes { key in
      for index in 0..<Sodium.keySize { bytes[index + 1] = key[index] }
    }
    let problem = vault_keyring_put(name, bytes, bytes.count, UInt32(clamping: seconds))
    return problem == 0 ? nil : problem
  }

  /// Returns the key and restarts its lifetime; nil if there is none.
  public func take(seconds: Int) -> WrappingKey? {
    read { vault_keyring_get(name, $0, $1, UInt32(clamping: seconds)) }
  }

  /// The key, without restarting its lifetime; nil if there is none.
  public var key: WrappingKey? { read { vault_keyring_look(name, $0, $1) } }

  private func read(_ body: (UnsafeMutablePointer<UInt8>, Int) -> Int) -> WrappingKey? {
    var bytes = [UInt8](repeating: 0, count: Sodium.keySize + 1)
    defer { SecretMemory.wipe(&bytes) }
    guard body(&bytes, bytes.count) == bytes.count else { return nil }
    let key = DataKey { room in
      for index in 0..<Sodium.keySize { room[index] = bytes[index + 1] }
      return true
    }
    return key.map { WrappingKey(kind: Int(bytes[0]), key: $0) }
  }

  /// Removes the key; returns true if there was one.
  @discardableResult
  public func drop() -> Bool { vault_keyring_drop(name) != 0 }
}

/// The key derived from a passphrase or a key file for one store.
@frozen public struct WrappingKey: Sendable {
  /// 1 for a passphrase, 2 for a key file.
  public var kind: Int
  public var key: DataKey

  /// Creates a value.
  public init(kind: Int, key: DataKey) {
    self.kind = kind
    self.key = key
  }

  /// Creates a value with a copy of a key.
  public init(kind: Int, copying key: VaultKey) {
    self.init(kind: kind, key: DataKey(copying: key))
  }
}
