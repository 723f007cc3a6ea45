internal import CVault

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
