import PluginStore

/// The numbers of entities by their ids: those of recently used ones in memory, all others in the file.
final class EntityNumbers {
  private let selectID: PreparedStatement
  private var known = PermIDTable()
  /// A Boolean value indicating whether the table contains every entity of the file.
  private var knowsAll: Bool
  private let first: Int
  /// The number of the next new entity; numbers are never reused.
  private(set) var next: Int

  /// The largest number of ids held in memory.
  private static let mostKnown = 150_000

  init(_ connection: Connection) throws {
    let kept = try connection.value("SELECT value FROM setting WHERE name = 'next-id'").integer ?? 1
    first = max(kept, (try connection.value("SELECT max(id) FROM entity").integer ?? 0) + 1)
    next = first
    knowsAll = try connection.first("SELECT 1 FROM entity LIMIT 1") { _ in true } == nil
    selectID = try connection.statement("SELECT id FROM entity WHERE perm_id = ?")
  }

  /// A Boolean value indicating whether entities were added.
  var hasNew: Bool { next != first }

  /// Returns the number of an id; nil if it is unknown.
  func number(of permID: String) throws -> Int? {
    var permID = permID
    return try permID.withUTF8 { try number(of: $0) }
  }

  /// Returns the number of an id given as UTF-8; nil if it is unknown.
  func number(of permID: UnsafeBufferPointer<UInt8>) throws -> Int? {
    if let number = known.number(of: permID) { return number == 0 ? nil : Int(number) }
    if knowsAll { return nil }
    try selectID.bind(utf8: permID, at: 1)
    defer { selectID.reset() }
    guard try selectID.step() else { return nil }
    let number = selectID.integer(0)
    enter(permID, number)
    return number
  }

  /// Adds an entity and returns its number.
  func add(_ permID: UnsafeBufferPointer<UInt8>) -> Int {
    defer { next += 1 }
    enter(permID, next)
    return next
  }

  /// Forgets the number of a removed entity.
  func remove(_ permID: String) {
    var permID = permID
    permID.withUTF8 { known.enter($0, 0) }
  }

  private func enter(_ permID: UnsafeBufferPointer<UInt8>, _ number: Int) {
    if known.count > Self.mostKnown {
      known.removeAll()
      knowsAll = false
    }
    known.enter(permID, UInt32(number))
  }
}

/// The numbers of recently used entities by their ids; a lookup here is several times faster than in the file.
private struct PermIDTable {
  private var bytes: [UInt8] = []
  /// The end offset of each entry's id in the bytes.
  private var ends: [UInt32] = []
  private var numbers: [UInt32] = []
  /// Entries by hash, plus 1; 0 for none.
  private var slots = [UInt32](repeating: 0, count: 1024)
  private let seed = UInt64.random(in: 0...UInt64.max)

  /// The number of ids.
  var count: Int { ends.count }

  /// Removes all entries.
  mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
    ends.removeAll(keepingCapacity: true)
    numbers.removeAll(keepingCapacity: true)
    for index in slots.indices { slots[index] = 0 }
  }

  /// Returns the number of an id; nil if it is not in the table.
  func number(of id: UnsafeBufferPointer<UInt8>) -> UInt32? {
    var slot = Int(truncatingIfNeeded: hash(id)) & (slots.count - 1)
    while slots[slot] != 0 {
      let entry = Int(slots[slot] - 1)
      if isEqual(entry, id) { return numbers[entry] }
      slot = (slot + 1) & (slots.count - 1)
    }
    return nil
  }

  /// Adds an id, or changes the number of an existing one.
  mutating func enter(_ id: UnsafeBufferPointer<UInt8>, _ number: UInt32) {
    var slot = Int(truncatingIfNeeded: hash(id)) & (slots.count - 1)
    while slots[slot] != 0 {
      let entry = Int(slots[slot] - 1)
      if isEqual(entry, id) {
        numbers[entry] = number
        return
      }
      slot = (slot + 1) & (slots.count - 1)
    }
    bytes.append(contentsOf: id)
    ends.append(UInt32(bytes.count))
    numbers.append(number)
    slots[slot] = UInt32(ends.count)
    if ends.count * 2 > slots.count { grow() }
  }

  private mutating func grow() {
    slots = [UInt32](repeating: 0, count: slots.count * 2)
    bytes.withUnsafeBufferPointer { bytes in
      var start = 0
      for (entry, end) in ends.enumerated() {
        var slot =
          Int(truncatingIfNeeded: hash(UnsafeBufferPointer(rebasing: bytes[start..<Int(end)]))) & (slots.count - 1)
        while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
        slots[slot] = UInt32(entry + 1)
        start = Int(end)
      }
    }
  }

  private func isEqual(_ entry: Int, _ id: UnsafeBufferPointer<UInt8>) -> Bool {
    let start = entry == 0 ? 0 : Int(ends[entry - 1])
    guard Int(ends[entry]) - start == id.count else { return false }
    return bytes.withUnsafeBufferPointer { bytes in
      for index in id.indices where bytes[start + index] != id[index] { return false }
      return true
    }
  }

  /// Returns the FNV-1a hash of an id, seeded randomly so that collisions cannot be provoked.
  ///
  /// - Source: draft-eastlake-fnv-17, section 2.
  private func hash(_ id: UnsafeBufferPointer<UInt8>) -> UInt64 {
    var hash = seed
    for byte in id { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    return hash ^ hash >> 32
  }
}

/// A set of entity numbers, with one bit for each number up to the largest.
struct NumberSet {
  private var words: [UInt64] = []

  /// Returns true if the set contains a number.
  func contains(_ number: Int) -> Bool {
    let word = number >> 6
    return word < words.count && words[word] >> UInt64(number & 63) & 1 != 0
  }

  /// Inserts a number.
  ///
  /// - Returns: True if the number was new.
  @discardableResult
  mutating func insert(_ number: Int) -> Bool {
    let word = number >> 6
    if word >= words.count { words.append(contentsOf: repeatElement(0, count: max(64, word + 1 - words.count))) }
    let bit = UInt64(1) << UInt64(number & 63)
    defer { words[word] |= bit }
    return words[word] & bit == 0
  }
}
