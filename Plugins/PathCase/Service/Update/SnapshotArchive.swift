import PluginAPI
internal import PluginCompression

/// The documents of a snapshot in a `.tar.gz` file.
///
/// - Source: POSIX.1-2017, pax, sections "ustar Interchange Format" and "pax Header Block"; GNU tar manual, section
///   "Basic Tar Format" (long names).
struct SnapshotArchive: Sendable {
  /// The documents, keyed by their paths in the snapshot.
  private(set) var documents: [Identifier: [UInt8]] = [:]

  /// The maximum content size in bytes.
  static let limitInBytes = 256 << 20
  private static let block = 512

  /// Reads an archive; paths are relative to the folder that contains its manifest.
  ///
  /// - Parameter path: The path for messages.
  init(_ bytes: [UInt8], path: String) throws(ErrorReport) {
    let content: [UInt8]
    do {
      content = try Gzip.isGzip(bytes) ? Gzip.uncompress(bytes, limit: Self.limitInBytes) : bytes
    } catch {
      throw UpdateError.file(path: path, reason: "\(error)")
    }
    let files = try Self.files(of: content, path: path)
    let manifest = "manifest.xml"
    let found = files.keys.map(\.text).filter { $0 == manifest || $0.hasSuffix("/\(manifest)") }
      .min { ($0.utf8.count, $0) < ($1.utf8.count, $1) }
    guard let found else { throw UpdateError.file(path: path, reason: "there is no '\(manifest)' in it") }
    let folder = found.utf8.dropLast(manifest.utf8.count)
    for (name, bytes) in files where name.text.utf8.starts(with: folder) {
      documents[Identifier(String(decoding: name.text.utf8.dropFirst(folder.count), as: UTF8.self))] = bytes
    }
  }

  /// Returns the regular files of an archive, keyed by the bytes of their names, as systems compare them.
  ///
  /// Folders, links and file metadata other than names are skipped.
  private static func files(of content: [UInt8], path: String) throws(ErrorReport) -> [Identifier: [UInt8]] {
    var files: [Identifier: [UInt8]] = [:]
    // The name of the next file, if it is too long for a header.
    var longName: String?
    var place = 0
    while place + block <= content.count, content[place] != 0 {
      let header = content[place..<place + block]
      let start = place + block
      guard let size = octal(header.dropFirst(124).prefix(12)), size <= content.count - start else {
        throw UpdateError.file(path: path, reason: "it is no whole tar archive")
      }
      let bytes = content[start..<start + size]
      switch header[place + 156] {
      case UInt8(ascii: "0"), 0:
        files[Identifier(withoutDot(longName ?? name(header)))] = Array(bytes)
        longName = nil
      case UInt8(ascii: "L"): longName = String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      case UInt8(ascii: "x"): longName = extendedName(bytes) ?? longName
      case UInt8(ascii: "g"): break
      default: longName = nil
      }
      place = start + (size + block - 1) / block * block
    }
    return files
  }

  /// Returns the file name in a header.
  private static func name(_ header: ArraySlice<UInt8>) -> String {
    func text(_ start: Int, _ count: Int) -> String {
      String(decoding: header.dropFirst(start).prefix(count).prefix { $0 != 0 }, as: UTF8.self)
    }
    // GNU tar has a space after the magic, and times in the field where others have the start of the name.
    let isPOSIX = header.dropFirst(257).starts(with: Array("ustar\0".utf8))
    let prefix = isPOSIX ? text(345, 155) : ""
    return prefix.isEmpty ? text(0, 100) : prefix + "/" + text(0, 100)
  }

  /// Returns the name in an extended header, whose records are `LENGTH path=NAME` and a line feed; nil if there is
  /// none.
  private static func extendedName(_ bytes: ArraySlice<UInt8>) -> String? {
    var rest = bytes
    var name: String?
    while let blank = rest.firstIndex(of: 0x20), let length = Int(String(decoding: rest[..<blank], as: UTF8.self)),
      length > blank - rest.startIndex + 1, length <= rest.count
    {
      let record = rest.prefix(length).dropFirst(blank - rest.startIndex + 1).dropLast()
      let key = Array("path=".utf8)
      if record.starts(with: key) { name = String(decoding: record.dropFirst(key.count), as: UTF8.self) }
      rest = rest.dropFirst(length)
    }
    return name
  }

  private static func withoutDot(_ name: String) -> String { name.hasPrefix("./") ? String(name.dropFirst(2)) : name }

  /// Returns the octal number between spaces and zero bytes; nil if there is anything else.
  private static func octal(_ bytes: ArraySlice<UInt8>) -> Int? {
    let digits = bytes.drop { $0 == 0x20 }.prefix { $0 != 0x20 && $0 != 0 }
    guard !digits.isEmpty, digits.count < 12, digits.allSatisfy({ (0x30...0x37).contains($0) }) else { return nil }
    return digits.reduce(0) { $0 << 3 | Int($1 & 7) }
  }
}
