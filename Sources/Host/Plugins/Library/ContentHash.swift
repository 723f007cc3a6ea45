internal import CHost
import Glibc
import PluginAPI

/// The identifier that the linker gives to the content of an ELF file.
///
/// It is unaffected by stripping and by changes of the library search path.
/// - Source: `NT_GNU_BUILD_ID`, elf(5).
enum BuildID {
  private static let noteSegment: UInt32 = 4
  private static let buildIDNote: UInt32 = 3
  /// The maximum number of bytes of notes that are read of a file.
  private static let largest = 4096

  /// Returns the identifier of a file in hexadecimal digits, read from its headers alone; nil if there is none.
  static func of(_ path: String) -> String? {
    guard let (header, _) = try? FileTrust.read(path, isTrusted: true, limit: 4096),
      let segments = try? ELFReader(bytes: header).programHeaders()
    else { return nil }
    for segment in segments where segment.kind == noteSegment && segment.size <= UInt64(largest) {
      guard let start = Int(exactly: segment.offset),
        let (notes, _) = try? FileTrust.read(path, isTrusted: true, from: start, limit: Int(segment.size)),
        let id = id(in: notes)
      else { continue }
      return id
    }
    return nil
  }

  private static func id(in notes: [UInt8]) -> String? {
    let reader = ELFReader(bytes: notes)
    var offset = 0
    while let nameSize = try? reader.number(at: offset, UInt32.self),
      let size = try? reader.number(at: offset + 4, UInt32.self),
      let kind = try? reader.number(at: offset + 8, UInt32.self), nameSize <= largest, size <= largest
    {
      let name = offset + 12
      let content = name + (Int(nameSize) + 3) & ~3
      let end = content + Int(size)
      guard end <= notes.count else { return nil }
      if kind == buildIDNote, notes[name..<name + Int(nameSize)].elementsEqual("GNU\0".utf8) {
        return ContentHash.digits(notes[content..<end])
      }
      offset = (end + 3) & ~3
    }
    return nil
  }
}

/// SHA-256 of contents, by the instructions of the processor, or else by libsodium.
///
/// - Source: FIPS 180-4.
enum ContentHash {
  /// Returns the hash as 64 hexadecimal digits; nil if neither the processor nor libsodium can compute it.
  static func of(_ bytes: [UInt8]) -> String? {
    var digest = [UInt8](repeating: 0, count: 32)
    guard chost_sha256(bytes, bytes.count, &digest) else { return nil }
    return digits(digest[...])
  }

  /// Returns the hash as 64 hexadecimal digits.
  ///
  /// - Throws: ``ErrorReport`` with the code `host.no-libsodium`.
  static func required(_ bytes: [UInt8]) throws(ErrorReport) -> String {
    if let hash = of(bytes) { return hash }
    throw noSodium
  }

  /// The error for a system without libsodium.
  static let noSodium = ErrorReport(
    code: "host.no-libsodium", kind: .failure, "hashes and signatures need libsodium, which is not installed",
    advice: "install it with 'sudo apt install libsodium23'")

  /// Bytes as hexadecimal digits, two for each.
  static func digits(_ bytes: ArraySlice<UInt8>) -> String {
    let digits = Array("0123456789abcdef".utf8)
    return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }
}
