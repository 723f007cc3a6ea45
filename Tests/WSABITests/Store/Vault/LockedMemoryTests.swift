import Foundation
import Glibc
import PluginStore
import PluginVault
import Testing

@testable import WSABI

/// The remains in the process's memory once the store is locked.
@Suite(.timeLimit(.minutes(5)))
struct LockedMemoryTests {
  private let folder: StoreFolder

  init() throws { folder = try StoreFolder() }

  /// Returns the keys of an open store, and those of its records.
  private func keys(_ store: RecordStore) async throws -> [Needle] {
    let keys = try store.opened().keys
    var needles = [
      ("master", keys.master), ("records", keys.records), ("audit", keys.audit), ("chain", keys.chain),
      ("tags", keys.tags), ("anchor", keys.anchor), ("census", keys.census), ("users", keys.users),
    ].map { name, key in key.withBytes { Needle(name, $0) } }
    needles += try await store.sqlite.read { connection in
      let (person, version) =
        try connection.first("SELECT key, version FROM person WHERE id = 1") { ($0.bytes(0), $0.integer(1)) } ?? ([], 0)
      let capture = try CaptureRow.capture(2, connection, keys)
      return try [
        keys.dataKey(person, of: PersonRow.place(1, version: version)).withBytes { Needle("person", $0) },
        keys.dataKey(capture.wrappedKey, of: capture.place).withBytes { Needle("capture", $0) },
      ]
    }
    return needles
  }

  @Test func `no key remains in memory after the store is locked`() async throws {
    let store = try await folder.create()
    let item = try await store.samplePerson()
    for (number, size) in [1000, 700_000].enumerated() {
      let record = try await store.sampleCapture(item.id, StoreSamples.uuid(number + 1), StoreSamples.data(size))
      #expect(try await store.data(of: record).count == size)
    }
    #expect(try await store.people(0..<9, matching: "ada").total == 1)
    _ = try await store.annotate(item.id, Annotation(conditions: [.bandaged], notes: "n"), at: StoreFolder.time)
    let needles = try await keys(store)
    // That those in use are found shows that the search is one.
    let used = try Set(Memory.names(of: needles))
    #expect(used.isSuperset(of: ["master", "records", "audit", "chain", "tags", "anchor", "census", "users"]))
    await store.lock()
    #expect(try Memory.names(of: needles).sorted() == [])
    await store.close()
  }
}

/// 32 bytes to search for, stored in two separate halves so that the search does not find itself.
private struct Needle: Sendable {
  let name: String
  let head: [UInt8]
  let tail: [UInt8]
  /// The index of a byte in the head that is rare in memory.
  let rare: Int

  init(_ name: String, _ bytes: UnsafePointer<UInt8>) {
    self.name = name
    head = (0..<16).map { bytes[$0] }
    tail = (16..<32).map { bytes[$0] }
    rare = head.firstIndex { (0x81...0xEF).contains($0) && $0 % 16 != 0 } ?? head.firstIndex { $0 != 0 } ?? 0
  }

  func isIn(_ chunk: UnsafeRawPointer, _ count: Int) -> Bool {
    var place = rare
    while place < count, let hit = memchr(chunk + place, Int32(head[rare]), count - place) {
      let start = UnsafeRawPointer(hit) - rare
      place = start - chunk + rare + 1
      if start - chunk + 32 <= count, memcmp(start, head, 16) == 0, memcmp(start + 16, tail, 16) == 0 { return true }
    }
    return false
  }
}

/// The memory of this process, as the kernel shows it.
private enum Memory {
  private static let size = 1 << 16

  /// Returns the names of the needles found in writable memory.
  static func names(of needles: [Needle]) throws -> [String] {
    let room = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    let buffer = try #require(room == MAP_FAILED ? nil : room)
    defer { munmap(buffer, size) }
    let own = UInt(bitPattern: buffer)..<UInt(bitPattern: buffer) + UInt(size)
    var ends: [Int32] = [-1, -1]
    try #require(pipe(&ends) == 0)
    defer { for end in ends { close(end) } }
    // A pipe that accepts less than was written must not be waited for.
    _ = fcntl(ends[1], F_SETFL, O_NONBLOCK)
    var found: Set<String> = []
    for region in try regions() {
      var start = region.lowerBound
      while start < region.upperBound {
        // The buffer of the search itself would match again.
        if own.contains(start) { start = own.upperBound }
        let end = min(region.upperBound, start &+ UInt(size), own.lowerBound > start ? own.lowerBound : .max)
        guard end > start, start < region.upperBound else { break }
        let count = copy(start, Int(end - start), to: buffer, ends)
        if count <= 0 { break }
        for needle in needles where !found.contains(needle.name) && needle.isIn(buffer, count) {
          found.insert(needle.name)
        }
        if start &+ UInt(count) >= region.upperBound { break }
        start = own.lowerBound == end ? end : max(start + 1, start &+ UInt(count) &- 31)
      }
    }
    return Array(found)
  }

  /// Copies memory that may no longer exist, through a pipe: the kernel reports that without a fault.
  private static func copy(
    _ start: UInt, _ count: Int, to buffer: UnsafeMutableRawPointer, _ ends: [Int32]
  ) -> Int {
    let written = write(ends[1], UnsafeRawPointer(bitPattern: start), count)
    var done = 0
    while done < written {
      let count = Glibc.read(ends[0], buffer + done, written - done)
      if count <= 0 { return -1 }
      done += count
    }
    return written
  }

  private static func regions() throws -> [Range<UInt>] {
    // A file of the kernel, whose size is not known before its end.
    let descriptor = open("/proc/self/maps", O_RDONLY | O_CLOEXEC)
    try #require(descriptor >= 0)
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var room = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = Glibc.read(descriptor, &room, room.count), count > 0 { bytes += room.prefix(count) }
    let maps = String(decoding: bytes, as: UTF8.self)
    return maps.split(separator: "\n").compactMap { line in
      let fields = line.split(separator: " ", omittingEmptySubsequences: true)
      let ends = fields[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
      guard fields.count > 1, fields[1].hasPrefix("rw"), ends.count == 2, ends[0] < ends[1] else { return nil }
      return ends[0]..<ends[1]
    }
  }
}
