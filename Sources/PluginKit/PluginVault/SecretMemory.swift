internal import CVault

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
