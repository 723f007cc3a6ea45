import CVault

/// What libsodium does for the store; see Documentation/Decisions/0012.
enum Vault {
  static let keySize = VAULT_KEY
  static let saltSize = VAULT_SALT
  /// How much longer a sealed message is than what is in it, in bytes.
  static let sealSize = VAULT_SEAL
  static let codeSize = VAULT_CODE

  /// Opens libsodium, and keeps what the process has in memory out of core dumps and debuggers from now on.
  ///
  /// - Throws: ``VaultError/noLibrary(_:)``.
  static func open() throws(VaultError) {
    if let problem = vault_open() { throw VaultError.noLibrary(String(cString: problem)) }
    vault_leave_no_core()
  }

  /// Random bytes.
  static func random(_ count: Int) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    vault_random(&bytes, count)
    return bytes
  }
}

/// How a passphrase is made into a key: the more, the longer every guess takes.
///
/// - Source: RFC 9106, section 4, second recommended option: 3 passes over 64 MiB; libsodium has one lane only.
struct Stretching: Sendable, Hashable {
  var passes: Int
  var memoryInBytes: Int

  static let standard = Stretching(passes: 3, memoryInBytes: 64 << 20)
  /// What a file may ask for: not more than a small machine has.
  static let allowed = (passes: 1...64, memoryInBytes: (8 << 10)...(1 << 30))
}
