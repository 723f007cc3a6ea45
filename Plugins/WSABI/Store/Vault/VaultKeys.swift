import CVault

/// The keys of an open store, each for one use.
final class VaultKeys: Sendable {
  /// Of the store: it makes the others.
  let master: VaultKey
  /// Wraps the keys of records.
  let records: VaultKey
  let audit: VaultKey
  /// Chains the entries of the audit log.
  let chain: VaultKey
  /// Makes ids of captures, and sensors, comparable without telling them.
  let tags: VaultKey
  let anchor: VaultKey
  /// Sums up which records there are.
  let census: VaultKey
  let users: VaultKey

  init(master: VaultKey) throws {
    self.master = master
    records = try master.derived(1)
    audit = try master.derived(2)
    chain = try master.derived(3)
    tags = try master.derived(4)
    anchor = try master.derived(5)
    census = try master.derived(6)
    users = try master.derived(7)
  }

  /// Seals a record with a key of its own.
  func seal(_ message: [UInt8], as place: RecordPlace) throws -> SealedRecord {
    let key = try DataKey()
    return SealedRecord(key: wrapped(key, as: place), body: key.seal(message, as: place.part(.body)))
  }

  /// The key of a record, wrapped.
  func wrapped(_ key: DataKey, as place: RecordPlace) -> [UInt8] {
    records.seal(key.copy, bound: place.part(.key))
  }

  /// The key of a record.
  ///
  /// - Throws: ``VaultError/damaged(_:)`` if the record was changed or stands in the place of another.
  func dataKey(_ wrapped: [UInt8], of place: RecordPlace) throws -> DataKey {
    guard let bytes = records.unseal(wrapped, bound: place.part(.key)), bytes.count == Vault.keySize else {
      throw VaultError.damaged(place.words)
    }
    return DataKey(taking: bytes)
  }

  /// Writes a part of a record to where there is room for it, without a copy on the way: for thousands of them.
  ///
  /// - Returns: Whether the record is as it was written.
  func open(
    _ sealed: UnsafeRawBufferPointer, _ wrapped: UnsafeRawBufferPointer, of place: RecordPlace,
    _ part: RecordPlace.Part, into room: UnsafeMutablePointer<UInt8>
  ) -> Bool {
    guard wrapped.count == Vault.keySize + Vault.sealSize, sealed.count >= Vault.sealSize else { return false }
    return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Vault.keySize) { key in
      guard let key = key.baseAddress else { return false }
      defer { vault_wipe(key, Vault.keySize) }
      let bound = place.part(.key)
      let isOpen = records.withBytes {
        vault_unseal(
          key, $0, wrapped.assumingMemoryBound(to: UInt8.self).baseAddress, wrapped.count, bound, bound.count)
      }
      guard isOpen != 0 else { return false }
      let own = place.part(part)
      return vault_unseal(
        room, key, sealed.assumingMemoryBound(to: UInt8.self).baseAddress, sealed.count, own, own.count) != 0
    }
  }

  /// What a record says.
  ///
  /// - Throws: ``VaultError/damaged(_:)`` if the record was changed or stands in the place of another.
  func open(_ record: SealedRecord, of place: RecordPlace) throws -> [UInt8] {
    try dataKey(record.key, of: place).open(record.body, of: place, .body)
  }
}

/// The key of one record, which dies with it.
final class DataKey {
  private var bytes: [UInt8]

  /// A new one by chance.
  init() throws { bytes = Vault.random(Vault.keySize) }

  init(taking bytes: [UInt8]) { self.bytes = bytes }

  deinit { vault_wipe(&bytes, bytes.count) }

  var copy: [UInt8] { bytes }

  func seal(_ message: [UInt8], as bound: [UInt8]) -> [UInt8] { VaultKey.seal(message, bound: bound, bytes) }

  /// A part of a record that is written with it.
  func open(_ sealed: [UInt8], of place: RecordPlace, _ part: RecordPlace.Part) throws -> [UInt8] {
    try open(sealed, of: place, bound: place.part(part))
  }

  /// A part of a record that stays while the rest is edited.
  func open(_ sealed: [UInt8], of place: RecordPlace, lasting part: RecordPlace.Part) throws -> [UInt8] {
    try open(sealed, of: place, bound: place.lasting(part))
  }

  private func open(_ sealed: [UInt8], of place: RecordPlace, bound: [UInt8]) throws -> [UInt8] {
    guard let message = VaultKey.unseal(sealed, bound: bound, bytes) else { throw VaultError.damaged(place.words) }
    return message
  }
}

/// A record as it lies in the file: its key, wrapped, and what it says.
struct SealedRecord: Sendable, Hashable {
  var key: [UInt8]
  var body: [UInt8]
}
