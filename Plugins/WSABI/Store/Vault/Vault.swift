import PluginAPI
import PluginVault

/// The work with keys for the store; see Documentation/Decisions/0012.
enum Vault {
  static let keySize = Sodium.keySize
  static let saltSize = Sodium.saltSize
  /// The overhead of a sealed message, in bytes.
  static let sealSize = Sodium.sealSize
  static let codeSize = Sodium.codeSize
  /// The code before the first entry of a chain, and the sum of no records.
  static let zeroCode = [UInt8](repeating: 0, count: codeSize)

  /// Opens libsodium, and excludes the process's memory from core dumps and debuggers from now on.
  ///
  /// - Throws: ``VaultError/noLibrary(_:)``.
  static func open() throws(ErrorReport) { try reporting { () throws(VaultFailure) in try Sodium.open() } }

  /// Returns a new random key.
  static func randomKey() throws(ErrorReport) -> VaultKey {
    try reporting { () throws(VaultFailure) in try VaultKey.random() }
  }

  /// Makes a key file with a new key.
  static func makeKeyFile(at path: String) throws(ErrorReport) {
    try reporting { () throws(VaultFailure) in try KeyFile.make(at: path) }
  }

  /// Returns random bytes.
  static func random(_ count: Int) -> [UInt8] { Sodium.random(count) }

  /// Runs work with keys; failures become errors of the store.
  static func reporting<Result>(_ work: () throws(VaultFailure) -> Result) throws(ErrorReport) -> Result {
    do { return try work() } catch { throw VaultError.of(error) }
  }
}

extension VaultKey {
  /// Returns a key for one use of the store's master key.
  func derived(_ number: UInt64) throws(ErrorReport) -> VaultKey {
    try Vault.reporting { () throws(VaultFailure) in try derived(number, context: "wb-wsabi") }
  }
}

extension DataKey {
  /// Returns a sealed part of a record.
  func seal(_ message: [UInt8], as bound: [UInt8]) -> [UInt8] { seal(message, bound: bound) }

  /// Returns the content of a part that is written with the record.
  func open(_ sealed: [UInt8], of place: RecordPlace, _ part: RecordPlace.Part) throws -> [UInt8] {
    try open(sealed, of: place, bound: place.part(part))
  }

  /// Returns the content of a part that stays while the rest of the record is edited.
  func open(_ sealed: [UInt8], of place: RecordPlace, lasting part: RecordPlace.Part) throws -> [UInt8] {
    try open(sealed, of: place, bound: place.lasting(part))
  }

  private func open(_ sealed: [UInt8], of place: RecordPlace, bound: [UInt8]) throws -> [UInt8] {
    guard let message = unseal(sealed, bound: bound) else { throw VaultError.damaged(place.words) }
    return message
  }
}

extension KernelKeyring {
  /// - Parameter folder: The folder of the store, as an absolute path.
  init(folder: String) { self.init(name: "workbench:wsabi:\(folder)") }
}

/// The keys of an open store, each for one use.
final class VaultKeys: Sendable {
  /// The master key of the store, from which the others are derived.
  let master: VaultKey
  /// Wraps the keys of records.
  let records: VaultKey
  let audit: VaultKey
  /// Chains the entries of the audit log.
  let chain: VaultKey
  /// Makes ids of captures, and sensors, comparable without revealing them.
  let tags: VaultKey
  let anchor: VaultKey
  /// Sums up the existing records.
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

/// The identity of a record, to which its sealed text is bound: no row can take the place of another, or of its own
/// earlier version.
struct RecordPlace: Sendable, Hashable {
  enum Kind: UInt8, Sendable {
    case person = 1
    case item
    case capture
    case journal
    case captured
    case sensor
    case user
    case heldLock
  }

  /// A part of the record.
  enum Part: UInt8, Sendable {
    case key = 1
    case body
    case words
    case thumbnail
    case data
    case outcome
  }

  var kind: Kind
  var id: Int
  /// The person of an item, the item of a capture, the entry of an id, the holder of a lock; 0 if there is none.
  var owner: Int
  /// The number of times it was written, from 1.
  var version: Int
  /// The position among others, if there is one.
  var order = 0

  /// Returns the associated data of a part: 34 bytes.
  func part(_ part: Part) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: 34) { room, count in
      let bytes = UnsafeMutableRawBufferPointer(room)
      (bytes[0], bytes[1]) = (kind.rawValue, part.rawValue)
      bytes.storeBytes(of: Int64(id).littleEndian, toByteOffset: 2, as: Int64.self)
      bytes.storeBytes(of: Int64(owner).littleEndian, toByteOffset: 10, as: Int64.self)
      bytes.storeBytes(of: Int64(version).littleEndian, toByteOffset: 18, as: Int64.self)
      bytes.storeBytes(of: Int64(order).littleEndian, toByteOffset: 26, as: Int64.self)
      count = 34
    }
  }

  /// Returns the associated data of a part that stays while the rest of the record is edited, whatever its version.
  func lasting(_ part: Part) -> [UInt8] {
    var place = self
    (place.version, place.order) = (0, 0)
    return place.part(part)
  }

  /// The name of the record in messages.
  var words: String {
    switch kind {
    case .person: "person \(id)"
    case .item: "item \(id)"
    case .capture: "capture \(id)"
    case .journal: "entry \(id) of the journal"
    case .captured: "a captured id of entry \(owner) of the journal"
    case .sensor: "a recent sensor"
    case .user: "user \(id)"
    case .heldLock: "the lock of a sensor"
    }
  }
}
