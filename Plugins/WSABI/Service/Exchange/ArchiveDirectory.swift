/// The directory of a ZIP archive.
///
/// - Source: PKWARE, APPNOTE.TXT 6.3.10, sections 4.3.7, 4.3.12 and 4.3.16.
struct ArchiveDirectory {
  private(set) var entries: [ArchiveEntry] = []

  /// The most bytes a directory has here: 65 534 names of 200 letters and more.
  private static let mostBytes = 32 << 20

  init(_ reader: FileReader) throws {
    let tailStart = max(0, reader.size - 65_557)
    let tail = LittleEndianReader(try reader.bytes(tailStart..<reader.size))
    guard let end = stride(from: tail.bytes.count - 22, through: 0, by: -1).first(where: { Self.isEnd(tail, $0) })
    else { throw ExchangeError.badArchive(reason: "it has no directory") }
    let (count, size, start) = (tail.half(end + 10), tail.word(end + 12), tail.word(end + 16))
    guard tail.half(end + 4) == 0, tail.half(end + 8) == count, count < 0xFFFF, start < 0xFFFF_FFFF else {
      throw ExchangeError.badArchive(reason: "it is split or larger than 4 GB")
    }
    guard size <= Self.mostBytes, start + size <= tailStart + end else {
      throw ExchangeError.badArchive(reason: "its directory is damaged")
    }
    let directory = LittleEndianReader(try reader.bytes(start..<(start + size)))
    var place = 0
    for _ in 0..<count { entries.append(try Self.entry(directory, &place, before: start)) }
    guard place == size else { throw ExchangeError.badArchive(reason: "its directory is damaged") }
    // Files that share bytes make an archive larger than the disk without end.
    let sorted = entries.sorted { $0.offset < $1.offset }
    for (entry, next) in zip(sorted, sorted.dropFirst()) where entry.offset + 30 + entry.packedSize > next.offset {
      throw ExchangeError.badArchive(reason: "its files overlap")
    }
  }

  /// Returns true if there is an end record whose comment reaches exactly to the end of the file.
  private static func isEnd(_ tail: LittleEndianReader, _ place: Int) -> Bool {
    tail.word(place) == ArchiveEntry.endMark && place + 22 + tail.half(place + 20) == tail.bytes.count
  }

  private static func entry(
    _ directory: LittleEndianReader, _ place: inout Int, before start: Int
  ) throws -> ArchiveEntry {
    let damaged = ExchangeError.badArchive(reason: "its directory is damaged")
    guard place + 46 <= directory.bytes.count, directory.word(place) == ArchiveEntry.centralMark else { throw damaged }
    let nameStart = place + 46
    let nameEnd = nameStart + directory.half(place + 28)
    let next = nameEnd + directory.half(place + 30) + directory.half(place + 32)
    guard next <= directory.bytes.count else { throw damaged }
    let name = String(decoding: directory.bytes[nameStart..<nameEnd], as: UTF8.self)
    guard directory.half(place + 8) & 1 == 0 else { throw ExchangeError.badArchive(reason: "it is encrypted") }
    guard let method = ArchiveEntry.Method(rawValue: directory.half(place + 10)) else {
      throw ExchangeError.badArchive(reason: "'\(name)' is compressed by a method other than deflate")
    }
    let entry = ArchiveEntry(
      name: name, method: method, checksum: UInt32(truncatingIfNeeded: directory.word(place + 16)),
      packedSize: directory.word(place + 20), size: directory.word(place + 24), offset: directory.word(place + 42))
    guard entry.offset + 30 + entry.packedSize <= start, method == .deflated || entry.size == entry.packedSize,
      // Deflate compresses by a factor of 1032 at most.
      entry.size <= entry.packedSize * 1032 + 64
    else { throw damaged }
    place = next
    return entry
  }

  /// Returns the offset at which the content of an entry begins.
  static func content(of entry: ArchiveEntry, _ reader: FileReader) throws -> Int {
    let damaged = ExchangeError.badFile(entry.name, reason: "its header is damaged")
    guard entry.offset + 30 <= reader.size else { throw damaged }
    let header = LittleEndianReader(try reader.bytes(entry.offset..<(entry.offset + 30)))
    let start = entry.offset + 30 + header.half(26) + header.half(28)
    guard header.word(0) == ArchiveEntry.localMark, header.half(8) == entry.method.rawValue,
      header.half(26) == entry.name.utf8.count, start + entry.packedSize <= reader.size,
      try reader.bytes(entry.offset + 30..<entry.offset + 30 + header.half(26)) == Array(entry.name.utf8)
    else { throw damaged }
    return start
  }
}

/// A reader of little-endian numbers in bytes; offsets must be within them.
struct LittleEndianReader {
  let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  func half(_ place: Int) -> Int { Int(bytes[place]) | Int(bytes[place + 1]) << 8 }

  func word(_ place: Int) -> Int { half(place) | half(place + 2) << 16 }
}
