import PluginVault

/// The keys of an open store, each for one use.
final class VaultKeys: Sendable {
  /// The master key of the store, from which the others are derived.
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

  /// - Parameters:
  ///   - tags: The key of the tags as ``sealedTags(under:of:)`` made it; empty where it follows from the master key.
  ///   - store: The id of the store.
  /// - Throws: ``VaultError/damaged(_:)`` if the tags are not those of the store.
  init(master: VaultKey, tags sealedTags: [UInt8] = [], of store: [UInt8] = []) throws {
    self.master = master
    records = try master.derived(1)
    audit = try master.derived(2)
    chain = try master.derived(3)
    anchor = try master.derived(5)
    if sealedTags.isEmpty {
      tags = try master.derived(4)
    } else {
      guard var bytes = anchor.unseal(sealedTags, bound: Self.boundTags(store)), bytes.count == Vault.keySize else {
        throw VaultError.damaged("the header")
      }
      defer { SecretMemory.wipe(&bytes) }
      tags = try Vault.reporting { () throws(VaultFailure) in try VaultKey.of(bytes) }
    }
    census = try master.derived(6)
    users = try master.derived(7)
  }

  /// Derives the keys of a new master key, except that of the tags, which stays.
  convenience init(fresh master: VaultKey, with old: OpenVault) throws {
    let sealed = old.keys.sealedTags(under: try VaultKeys(master: master), of: old.store)
    try self.init(master: master, tags: sealed, of: old.store)
  }

  /// Returns the key of the tags, sealed under another master key.
  ///
  /// Tags stay the same, as nothing else is left of ids whose data was deleted.
  ///
  /// - Parameter store: The id of the store.
  func sealedTags(under other: VaultKeys, of store: [UInt8]) -> [UInt8] {
    tags.withBytes {
      other.anchor.seal(UnsafeBufferPointer(start: $0, count: Vault.keySize), bound: Self.boundTags(store))
    }
  }

  private static func boundTags(_ store: [UInt8]) -> [UInt8] { store + Array("tags".utf8) }

  /// Seals a record with its own key.
  func seal(_ message: [UInt8], as place: RecordPlace) throws -> SealedRecord {
    let key = DataKey()
    return SealedRecord(key: wrapped(key, as: place), body: key.seal(message, as: place.part(.body)))
  }

  /// Returns the wrapped key of a record.
  func wrapped(_ key: DataKey, as place: RecordPlace) -> [UInt8] {
    key.withBytes { records.seal(UnsafeBufferPointer(start: $0, count: Vault.keySize), bound: place.part(.key)) }
  }

  /// Returns the key of a record.
  ///
  /// - Throws: ``VaultError/damaged(_:)`` if the record was changed or is in the place of another.
  func dataKey(_ wrapped: [UInt8], of place: RecordPlace) throws -> DataKey {
    let bound = place.part(.key)
    let key = DataKey { room in
      guard wrapped.count == Vault.keySize + Vault.sealSize else { return false }
      return records.withBytes { VaultKey.unseal(wrapped, count: wrapped.count, bound: bound, $0, into: room) }
    }
    guard let key else { throw VaultError.damaged(place.words) }
    return key
  }

  /// Decrypts a part of a record directly into a buffer, without an intermediate copy: for thousands of them.
  ///
  /// - Returns: True if the record is unaltered.
  func open(
    _ sealed: UnsafeRawBufferPointer, _ wrapped: UnsafeRawBufferPointer, of place: RecordPlace,
    _ part: RecordPlace.Part, into room: UnsafeMutablePointer<UInt8>
  ) -> Bool {
    guard wrapped.count == Vault.keySize + Vault.sealSize, sealed.count >= Vault.sealSize else { return false }
    return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Vault.keySize) { key in
      guard let key = key.baseAddress else { return false }
      defer { SecretMemory.wipe(key, Vault.keySize) }
      let bound = place.part(.key)
      let isOpen = records.withBytes {
        VaultKey.unseal(
          wrapped.assumingMemoryBound(to: UInt8.self).baseAddress, count: wrapped.count, bound: bound, $0, into: key)
      }
      guard isOpen else { return false }
      let own = place.part(part)
      return VaultKey.unseal(
        sealed.assumingMemoryBound(to: UInt8.self).baseAddress, count: sealed.count, bound: own, key, into: room)
    }
  }

  /// Returns the content of a record.
  ///
  /// - Throws: ``VaultError/damaged(_:)`` if the record was changed or is in the place of another.
  func open(_ record: SealedRecord, of place: RecordPlace) throws -> [UInt8] {
    try dataKey(record.key, of: place).open(record.body, of: place, .body)
  }
}

/// A record as stored in the file: its wrapped key, and its content.
struct SealedRecord: Sendable, Hashable {
  var key: [UInt8]
  var body: [UInt8]
}
