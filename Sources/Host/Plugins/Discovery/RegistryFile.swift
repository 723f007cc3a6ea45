import PluginAPI

/// The format of the registry's file: an index of all libraries, then their contributions.
///
/// A line with the version; the checksum and size of the index, as little-endian 64-bit integers; the index, a record
/// with `owner` and a table `files`; the contributions, at the offsets that the table gives from the end of the index.
enum RegistryFile {
  private static let magic = Array("workbench-registry-3\n".utf8)
  private static let largestIndex = 16 << 20
  /// The number of bytes read at once, enough for the index of a hundred plugins.
  private static let firstRead = 64 << 10

  /// Reads the index.
  ///
  /// - Returns: The dossiers; empty if the file is missing, damaged or of another owner.
  static func read(_ path: String, owner: String) -> [PluginDossier] {
    guard let (start, _) = try? FileTrust.read(path, limit: firstRead), start.starts(with: magic),
      let checksum = number(start, at: magic.count), let size = number(start, at: magic.count + 8),
      size <= UInt64(largestIndex)
    else { return [] }
    let head = magic.count + 16
    let end = head + Int(size)
    var index = Array(start[head..<min(end, start.count)])
    if end > start.count {
      guard let (rest, _) = try? FileTrust.read(path, from: start.count, limit: end - start.count) else { return [] }
      index += rest
    }
    guard index.count == Int(size), Checksum.of(index) == checksum, let value = try? Value(decoding: index),
      value["owner"].text == owner, let table = value["files"].table
    else { return [] }
    return RegistryIndex(table)?.dossiers { offset, count, checksum in
      RegistryBlock(path: path, offset: end + offset, count: count, checksum: checksum)
    } ?? []
  }

  /// Returns the content of a file about these libraries, without those whose contributions can no longer be read.
  static func bytes(of dossiers: [PluginDossier], owner: String) -> [UInt8] {
    var contributions: [UInt8] = []
    var rows: [RegistryIndex.Row] = []
    for dossier in dossiers {
      let offset = contributions.count
      if case .usable(let block) = dossier.verdict {
        guard let bytes = block.bytes() else { continue }
        contributions += bytes
      }
      rows.append(RegistryIndex.Row(dossier: dossier, offset: offset))
    }
    let index = Value.record(["owner": .text(owner), "files": .table(RegistryIndex.table(of: rows))]).encoded()
    return magic + bytes(Checksum.of(index)) + bytes(UInt64(index.count)) + index + contributions
  }

  private static func number(_ bytes: [UInt8], at offset: Int) -> UInt64? {
    guard offset + 8 <= bytes.count else { return nil }
    return bytes.withUnsafeBytes {
      UInt64(littleEndian: $0.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }
  }

  private static func bytes(_ number: UInt64) -> [UInt8] {
    withUnsafeBytes(of: number.littleEndian) { Array($0) }
  }
}

/// The contributions of one plugin in their stored form: in memory, or a part of the registry's file.
struct RegistryBlock: Sendable, Hashable {
  /// The size in bytes.
  let count: Int
  let checksum: UInt64
  private let content: Content

  private enum Content: Sendable {
    case memory([UInt8])
    case file(String, offset: Int)
  }

  init(_ bytes: [UInt8]) {
    (count, checksum, content) = (bytes.count, Checksum.of(bytes), .memory(bytes))
  }

  init(path: String, offset: Int, count: Int, checksum: UInt64) {
    (self.count, self.checksum, content) = (count, checksum, .file(path, offset: offset))
  }

  /// Reads the bytes; nil if the file was replaced or damaged since its index was read.
  func bytes() -> [UInt8]? {
    switch content {
    case .memory(let bytes): return bytes
    case .file(let path, let offset):
      guard let (bytes, _) = try? FileTrust.read(path, from: offset, limit: count), bytes.count == count,
        Checksum.of(bytes) == checksum
      else { return nil }
      return bytes
    }
  }

  static func == (one: RegistryBlock, other: RegistryBlock) -> Bool {
    one.count == other.count && one.checksum == other.checksum
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(checksum)
  }
}

/// A sum that detects damage, not intent.
private enum Checksum {
  /// - Source: FNV-1a over 64-bit words, with the usual offset basis and prime.
  static func of(_ bytes: [UInt8]) -> UInt64 {
    bytes.withUnsafeBytes { buffer in
      var sum: UInt64 = 0xCBF2_9CE4_8422_2325
      for offset in stride(from: 0, to: buffer.count - 7, by: 8) {
        sum = (sum ^ buffer.loadUnaligned(fromByteOffset: offset, as: UInt64.self)) &* 0x100_0000_01B3
        sum ^= sum >> 32
      }
      for byte in buffer.suffix(buffer.count % 8) { sum = (sum ^ UInt64(byte)) &* 0x100_0000_01B3 }
      return sum
    }
  }
}
