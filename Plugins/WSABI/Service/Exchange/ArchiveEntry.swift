/// A file in a ZIP archive, with its headers.
///
/// - Source: PKWARE, APPNOTE.TXT 6.3.10, sections 4.3.7 (local header), 4.3.12 (central directory) and 4.3.16 (its end).
struct ArchiveEntry: Sendable, Hashable {
  /// The compression method of the content.
  enum Method: Int, Sendable {
    case stored = 0
    case deflated = 8
  }

  var name: String
  var method = Method.stored
  var checksum: UInt32 = 0
  var packedSize = 0
  var size = 0
  /// The offset of the local header, in bytes.
  var offset = 0

  static let localMark = 0x0403_4B50
  static let centralMark = 0x0201_4B50
  static let endMark = 0x0605_4B50
  /// The largest four-byte number that is not a marker for ZIP64.
  static let mostBytes = 0xFFFF_FFFE
  /// The most files that two bytes can count.
  static let mostFiles = 0xFFFE

  /// The header in front of the content.
  var localHeader: [UInt8] {
    Self.word(Self.localMark) + common + Self.half(name.utf8.count) + Self.half(0) + Array(name.utf8)
  }

  /// The header in the directory: made on Unix, readable by its owner only.
  var centralHeader: [UInt8] {
    Self.word(Self.centralMark) + Self.half(3 << 8 | 20) + common + Self.half(name.utf8.count) + Self.half(0)
      + Self.half(0) + Self.half(0) + Self.half(0) + Self.word(0o100600 << 16) + Self.word(offset) + Array(name.utf8)
  }

  /// The fields common to both headers: the version needed, names in UTF-8, the method, no time (1980-01-01), checksum
  /// and sizes.
  private var common: [UInt8] {
    Self.half(20) + Self.half(1 << 11) + Self.half(method.rawValue) + Self.half(0) + Self.half(0x21)
      + Self.word(Int(checksum)) + Self.word(packedSize) + Self.word(size)
  }

  /// Returns the record that ends the archive.
  static func end(count: Int, directorySize: Int, directoryOffset: Int) -> [UInt8] {
    word(endMark) + half(0) + half(0) + half(count) + half(count) + word(directorySize) + word(directoryOffset)
      + half(0)
  }

  private static func half(_ number: Int) -> [UInt8] { [UInt8(truncatingIfNeeded: number), UInt8(number >> 8 & 255)] }

  private static func word(_ number: Int) -> [UInt8] { half(number & 0xFFFF) + half(number >> 16 & 0xFFFF) }
}
