internal import PluginCompression

/// The documents of a snapshot in a `.tar.gz` file.
///
/// - Source: POSIX.1-2017, pax, sections "ustar Interchange Format" and "pax Header Block".
struct SnapshotArchive: Sendable {
  /// By their paths in the snapshot.
  private(set) var documents: [Identifier: [UInt8]] = [:]

  /// How large the content may be, in bytes.
  static let limitInBytes = 256 << 20
  private static let block = 512

  /// Reads an archive; paths count from the folder that its manifest is in.
  ///
  /// - Parameter path: For messages.
  init(_ bytes: [UInt8], path: String) throws(UpdateError) {
    let content: [UInt8]
    do {
      content = try Gzip.isGzip(bytes) ? Gzip.uncompress(bytes, limit: Self.limitInBytes) : bytes
    } catch {
      throw .file(path: path, reason: "\(error)")
    }
    // By the bytes of their names, as systems tell files apart.
    var files: [Identifier: [UInt8]] = [:]
    var place = 0
    while place + Self.block <= content.count, content[place] != 0 {
      let header = content[place..<place + Self.block]
      guard let size = Self.octal(header.dropFirst(124).prefix(12)), size <= content.count - place - Self.block else {
        throw .file(path: path, reason: "it is no whole tar archive")
      }
      let start = place + Self.block
      // Type 0 (or NUL of old archives) is a plain file; folders, links and extended headers are passed over.
      let kind = header[place + 156]
      if kind == UInt8(ascii: "0") || kind == 0 {
        files[Identifier(Self.name(header))] = Array(content[start..<start + size])
      }
      place = start + (size + Self.block - 1) / Self.block * Self.block
    }
    let manifest = "manifest.xml"
    let found = files.keys.map(\.text).filter { $0 == manifest || $0.hasSuffix("/\(manifest)") }
      .min { ($0.utf8.count, $0) < ($1.utf8.count, $1) }
    guard let found else { throw .file(path: path, reason: "there is no '\(manifest)' in it") }
    let folder = found.dropLast(manifest.utf8.count)
    for (name, bytes) in files.map({ ($0.key.text, $0.value) }) where name.hasPrefix(folder) {
      documents[Identifier(String(name.dropFirst(folder.count)))] = bytes
    }
  }

  /// The name of a header's file, without `./` before it.
  private static func name(_ header: ArraySlice<UInt8>) -> String {
    func text(_ start: Int, _ count: Int) -> String {
      String(decoding: header.dropFirst(start).prefix(count).prefix { $0 != 0 }, as: UTF8.self)
    }
    let isUstar = header.dropFirst(257).starts(with: Array("ustar".utf8))
    let prefix = isUstar ? text(345, 155) : ""
    let name = prefix.isEmpty ? text(0, 100) : prefix + "/" + text(0, 100)
    return name.hasPrefix("./") ? String(name.dropFirst(2)) : name
  }

  /// The number of octal digits between blanks and zero bytes; nil if there is something else.
  private static func octal(_ bytes: ArraySlice<UInt8>) -> Int? {
    let digits = bytes.drop { $0 == 0x20 }.prefix { $0 != 0x20 && $0 != 0 }
    guard !digits.isEmpty, digits.count < 12, digits.allSatisfy({ (0x30...0x37).contains($0) }) else { return nil }
    return digits.reduce(0) { $0 << 3 | Int($1 & 7) }
  }
}
