internal import CVault

/// libsodium, which is opened at first use; see Documentation/Decisions/0008.
///
/// Nothing else in this library may be used before ``open()`` has succeeded once.
public enum Sodium {
  /// The size of every key, in bytes.
  public static var keySize: Int { VAULT_KEY }
  /// The size of a passphrase's salt, in bytes.
  public static var saltSize: Int { VAULT_SALT }
  /// The overhead of a sealed message, in bytes.
  public static var sealSize: Int { VAULT_SEAL }
  /// The overhead of a key given to a recipient, in bytes.
  public static var giftSize: Int { VAULT_GIFT }
  /// The size of a message's authentication code, in bytes.
  public static var codeSize: Int { VAULT_CODE }

  /// Opens libsodium, and protects the memory of the process from core dumps and debuggers from now on.
  ///
  /// - Throws: ``VaultFailure/noLibrary(problem:)``.
  public static func open() throws(VaultFailure) {
    if let problem = vault_open() { throw .noLibrary(problem: String(cString: problem)) }
    vault_leave_no_core()
  }

  /// Returns random bytes.
  public static func random(_ count: Int) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    vault_random(&bytes, count)
    return bytes
  }
}

/// The cost of deriving a key from a passphrase: the higher, the longer every guess takes.
///
/// - Source: RFC 9106, section 4, second recommended option: 3 passes over 64 MiB; libsodium has one lane only.
@frozen public struct Stretching: Sendable, Hashable {
  public var passes: Int
  public var memoryInBytes: Int

  /// Creates a cost.
  public init(passes: Int, memoryInBytes: Int) {
    self.passes = passes
    self.memoryInBytes = memoryInBytes
  }

  /// The cost of new keys.
  public static var standard: Stretching { Stretching(passes: 3, memoryInBytes: 64 << 20) }

  /// A Boolean value indicating whether a file may demand this cost: not more than a small machine has.
  public var isAllowed: Bool { (1...64).contains(passes) && ((8 << 10)...(1 << 30)).contains(memoryInBytes) }
}

/// Memory that holds secrets.
public enum SecretMemory {
  /// Overwrites bytes; those of an array only if nothing else shares them.
  public static func wipe(_ bytes: inout [UInt8]) { vault_wipe(&bytes, bytes.count) }

  /// Overwrites memory, even if libsodium was not opened.
  public static func wipe(_ memory: UnsafeMutableRawPointer, _ count: Int) { vault_wipe(memory, count) }

  /// Keeps memory out of swap and core dumps, as far as the system permits.
  public static func lock(_ memory: UnsafeMutableRawPointer, _ count: Int) { vault_lock_memory(memory, count) }

  /// Overwrites memory and reverts ``lock(_:_:)``.
  public static func unlock(_ memory: UnsafeMutableRawPointer, _ count: Int) { vault_unlock_memory(memory, count) }

  /// Returns true if memory contains a word; no copy is made.
  public static func contains(_ memory: UnsafeRawPointer, _ count: Int, _ word: [UInt8]) -> Bool {
    vault_contains(memory, count, word, word.count) != 0
  }
}
