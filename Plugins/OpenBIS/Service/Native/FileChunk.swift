import PluginCompression

/// A part of a file, as the fast download of a data store sends it.
struct FileChunk: Sendable, Hashable {
  /// The number of the chunk in its download, from 0.
  var number: Int
  /// The id of the requested file.
  var item: String
  /// The index of its first byte in the file.
  var offset: Int
  /// The bytes; nil if they do not match the checksum sent with them.
  var bytes: [UInt8]?
}

/// A parser of the chunks in a response, while it arrives.
///
/// - Source: openBIS, `ch.ethz.sis.filetransfer.ChunkInputStream` and `PayloadInputStream`: numbers are big-endian;
///   number 4, length of the item's id 2, folder 1, length of the path 2, offset 8, length of the bytes 4, id, path,
///   CRC-32 of all that 8, bytes, CRC-32 of these 8.
struct FileChunkReader {
  /// The header of a chunk is damaged, or its lengths are implausible.
  struct Damage: Error {}

  private var held: [UInt8] = []

  /// The bytes before the id.
  private static let headBytes = 21
  private static let checksumBytes = 8
  /// The largest number of bytes of a chunk; data stores send a mebibyte.
  private static let mostBytes = 64 << 20

  /// Receives the next bytes and calls `use` with the chunks that are complete.
  ///
  /// - Throws: ``Damage``; errors of `use`.
  mutating func take(_ piece: UnsafeRawBufferPointer, _ use: (FileChunk) throws -> Void) throws {
    held.append(contentsOf: piece)
    var start = 0
    while let (chunk, size) = try chunk(at: start) {
      try use(chunk)
      start += size
    }
    if start > 0 { held.removeFirst(start) }
  }

  /// Returns the chunk at an index and its size; nil if it is not complete yet.
  private func chunk(at start: Int) throws(Damage) -> (FileChunk, Int)? {
    guard held.count - start >= Self.headBytes else { return nil }
    let (itemCount, pathCount) = (number(start + 4, 2), number(start + 7, 2))
    let (offset, count) = (number(start + 9, 8), number(start + 17, 4))
    guard count <= Self.mostBytes, offset >= 0 else { throw Damage() }
    let item = start + Self.headBytes
    let head = item + itemCount + pathCount
    let body = head + Self.checksumBytes
    let end = body + count + Self.checksumBytes
    guard held.count >= body else { return nil }
    guard checksum(start..<head) == number(head, 8) else { throw Damage() }
    guard held.count >= end else { return nil }
    let isRight = checksum(body..<(body + count)) == number(body + count, 8)
    let chunk = FileChunk(
      number: number(start, 4), item: String(decoding: held[item..<(item + itemCount)], as: UTF8.self),
      offset: offset, bytes: isRight ? Array(held[body..<(body + count)]) : nil)
    return (chunk, end - start)
  }

  private func number(_ place: Int, _ count: Int) -> Int {
    held[place..<(place + count)].reduce(0) { $0 << 8 | Int($1) }
  }

  private func checksum(_ range: Range<Int>) -> Int {
    var checksum = CRC32()
    held.withUnsafeBytes { checksum.add(UnsafeRawBufferPointer(rebasing: $0[range])) }
    return Int(checksum.value)
  }
}
