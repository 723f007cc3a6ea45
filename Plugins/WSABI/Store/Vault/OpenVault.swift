import PluginAPI
import PluginStore
import PluginVault
import Synchronization

/// The secrets of the store while it is unlocked; dropped when it is locked.
final class OpenVault: Sendable {
  let keys: VaultKeys
  /// The id of the store, to which its header is bound.
  let store: [UInt8]
  /// The number of changes of the master key before this one.
  let epoch: Int
  /// The search index; nil until its first use.
  ///
  /// Only the store's thread, and the code that locks the store, access it.
  let index = Mutex<SearchIndex?>(nil)
  /// The times when records were last logged as read, so that looking at one for long makes one entry.
  let readings = Mutex<[AuditEvent: Instant]>([:])
  private let holder: Mutex<StoreUser>

  /// The user who opened the store, in the role at the last check.
  var user: StoreUser { holder.withLock { $0 } }

  init(keys: VaultKeys, user: StoreUser, store: [UInt8], epoch: Int) {
    self.keys = keys
    self.store = store
    self.epoch = epoch
    holder = Mutex(user)
  }

  /// Throws an error for an action that the user's current role does not allow; another process may have changed the
  /// role.
  ///
  /// - Throws: ``VaultRefusal/permission(_:_:)``; ``VaultError/locked`` if the user was removed.
  func check(_ permission: Permission, _ connection: Connection) throws {
    let user: StoreUser
    do { user = try UserRow.row(holder.withLock(\.id), connection, keys).user } catch VaultError.noUser {
      throw VaultError.locked
    }
    holder.withLock { $0 = user }
    guard user.role.may(permission) else { throw VaultRefusal.permission(user.role, permission) }
  }

  /// Overwrites all decrypted data.
  func wipe() {
    index.withLock { $0 = nil }
    readings.withLock { $0 = [:] }
  }
}

/// The folded words of all people, in list order, in memory that is overwritten at its end.
///
/// The searched text is contiguous: 20 000 people take about 4 MB and a few milliseconds.
// Used under the lock of the vault it belongs to, by one thread at a time.
final class SearchIndex: @unchecked Sendable {
  private struct Entry {
    var id: Int
    var start: Int
    var count: Int
  }

  private var memory: UnsafeMutableRawPointer
  private var capacity: Int
  private var used = 0
  /// The number of bytes that no longer belong to any person.
  private var dead = 0
  private var entries: [Entry] = []
  /// The turn of the store it shows.
  var turn: Int

  init(turn: Int, capacity: Int = 1 << 16) {
    self.turn = turn
    self.capacity = capacity
    memory = Self.room(capacity)
  }

  deinit {
    SecretMemory.unlock(memory, capacity)
    memory.deallocate()
  }

  /// The number of people.
  var count: Int { entries.count }

  private static func room(_ count: Int) -> UnsafeMutableRawPointer {
    let memory = UnsafeMutableRawPointer.allocate(byteCount: count, alignment: 4096)
    SecretMemory.lock(memory, count)
    return memory
  }

  /// Sets the words of a person.
  func set(_ id: Int, _ words: [UInt8]) {
    let index = index(of: id)
    if index < entries.count, entries[index].id == id { forget(entries.remove(at: index)) }
    grow(for: words.count)
    words.withUnsafeBytes {
      if let start = $0.baseAddress { (memory + used).copyMemory(from: start, byteCount: $0.count) }
    }
    entries.insert(Entry(id: id, start: used, count: words.count), at: index)
    used += words.count
  }

  /// Adds a person after all others, whose words are written directly into the index.
  ///
  /// - Returns: True if they could be written; otherwise no person is added.
  func append(_ id: Int, _ count: Int, _ fill: (UnsafeMutablePointer<UInt8>) -> Bool) -> Bool {
    guard count >= 0, entries.last.map({ $0.id < id }) ?? true else { return false }
    grow(for: count + 1)
    guard fill((memory + used).assumingMemoryBound(to: UInt8.self)) else { return false }
    entries.append(Entry(id: id, start: used, count: count))
    used += count
    return true
  }

  func remove(_ id: Int) {
    let index = index(of: id)
    if index < entries.count, entries[index].id == id { forget(entries.remove(at: index)) }
  }

  /// Returns the people whose words contain all given words, in order.
  ///
  /// - Parameter words: Folded words; empty to match everyone.
  func matches(_ words: [[UInt8]]) -> [Int] {
    entries.lazy.filter { entry in words.allSatisfy { self.holds(entry, $0) } }.map(\.id)
  }

  private func holds(_ entry: Entry, _ word: [UInt8]) -> Bool {
    word.isEmpty || SecretMemory.contains(memory + entry.start, entry.count, word)
  }

  private func forget(_ entry: Entry) {
    SecretMemory.wipe(memory + entry.start, entry.count)
    dead += entry.count
  }

  /// Returns the index of the first person whose id is not less.
  private func index(of id: Int) -> Int {
    if let last = entries.last, last.id < id { return entries.count }
    var (low, high) = (0, entries.count)
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].id < id { low = middle + 1 } else { high = middle }
    }
    return low
  }

  private func grow(for count: Int) {
    if used + count <= capacity { return }
    let (old, oldCapacity) = (memory, capacity)
    capacity = max(2 * (used - dead + count), 1 << 16)
    memory = Self.room(capacity)
    used = 0
    for index in entries.indices {
      (memory + used).copyMemory(from: old + entries[index].start, byteCount: entries[index].count)
      entries[index].start = used
      used += entries[index].count
    }
    dead = 0
    SecretMemory.unlock(old, oldCapacity)
    old.deallocate()
  }
}
