import CVault

/// The key of one record, overwritten at its end.
// The memory behind the pointer is written before the object is given to anybody, and never again.
final class DataKey: @unchecked Sendable {
  private let memory = UnsafeMutablePointer<UInt8>.allocate(capacity: Vault.keySize)

  /// A new one by chance.
  init() { vault_random(memory, Vault.keySize) }

  /// One that is written by somebody else; nil if that fails.
  init?(filling fill: (UnsafeMutablePointer<UInt8>) -> Bool) {
    guard fill(memory) else { return nil }
  }

  deinit {
    vault_wipe(memory, Vault.keySize)
    memory.deallocate()
  }

  func withBytes<Result>(_ body: (UnsafePointer<UInt8>) throws -> Result) rethrows -> Result { try body(memory) }

  func seal(_ message: [UInt8], as bound: [UInt8]) -> [UInt8] { VaultKey.seal(message, bound: bound, memory) }

  /// A part of a record that is written with it.
  func open(_ sealed: [UInt8], of place: RecordPlace, _ part: RecordPlace.Part) throws -> [UInt8] {
    try open(sealed, of: place, bound: place.part(part))
  }

  /// A part of a record that stays while the rest is edited.
  func open(_ sealed: [UInt8], of place: RecordPlace, lasting part: RecordPlace.Part) throws -> [UInt8] {
    try open(sealed, of: place, bound: place.lasting(part))
  }

  private func open(_ sealed: [UInt8], of place: RecordPlace, bound: [UInt8]) throws -> [UInt8] {
    guard let message = VaultKey.unseal(sealed, bound: bound, memory) else { throw VaultError.damaged(place.words) }
    return message
  }
}
