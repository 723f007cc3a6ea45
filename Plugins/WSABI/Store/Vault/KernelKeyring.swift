import CVault

/// A key of a store in the kernel's keyring of the user: there for a time, never on a disk, gone with the machine.
///
/// - Source: keyrings(7) and keyctl(2) of the Linux manual.
struct KernelKeyring: Sendable {
  /// What it is found by.
  let name: String

  /// - Parameter folder: The folder of the store, as an absolute path.
  init(folder: String) { name = "workbench:wsabi:\(folder)" }

  /// Puts a key there.
  ///
  /// - Returns: Nil, or the number of the system's error where the kernel refuses.
  func put(_ key: WrappingKey, seconds: Int) -> Int32? {
    var bytes = [UInt8](repeating: 0, count: Vault.keySize + 1)
    defer { vault_wipe(&bytes, bytes.count) }
    bytes[0] = UInt8(truncatingIfNeeded: key.kind)
    key.key.withBytes { key in
      for place in 0..<Vault.keySize { bytes[place + 1] = key[place] }
    }
    let problem = vault_keyring_put(name, bytes, bytes.count, UInt32(clamping: seconds))
    return problem == 0 ? nil : problem
  }

  /// The key, which stays for so long from now; nil if there is none.
  func take(seconds: Int) -> WrappingKey? { read { vault_keyring_get(name, $0, $1, UInt32(clamping: seconds)) } }

  /// The key, which stays no longer for that it was looked at; nil if there is none.
  var key: WrappingKey? { read { vault_keyring_look(name, $0, $1) } }

  private func read(_ body: (UnsafeMutablePointer<UInt8>, Int) -> Int) -> WrappingKey? {
    var bytes = [UInt8](repeating: 0, count: Vault.keySize + 1)
    defer { vault_wipe(&bytes, bytes.count) }
    guard body(&bytes, bytes.count) == bytes.count else { return nil }
    let key = DataKey { room in
      for place in 0..<Vault.keySize { room[place] = bytes[place + 1] }
      return true
    }
    return key.map { WrappingKey(kind: Int(bytes[0]), key: $0) }
  }

  /// Takes the key away; whether there was one.
  @discardableResult
  func drop() -> Bool { vault_keyring_drop(name) != 0 }
}

/// What opens a slot of a store: the key that a passphrase or a key file was made into for this store.
struct WrappingKey: Sendable {
  /// 1 of a passphrase, 2 of a key file.
  var kind: Int
  var key: DataKey
}
