import Glibc
import PluginCompression

/// An export in a ZIP archive, made by this plugin or by another program from the folder.
struct ArchiveSource: ExchangeSource {
  let files: [String: Int]
  private let path: String
  private let entries: [String: ArchiveEntry]

  /// - Throws: ``ExchangeError`` if the archive is damaged, or uses unsupported features: encryption, parts, ZIP64.
  init(_ path: String) throws {
    self.path = path
    var entries: [String: ArchiveEntry] = [:]
    let all = try FileReader.open(path) { try ArchiveDirectory($0).entries }
    // If a folder was packed as a whole, its name is left out.
    let start = all.first { $0.name.hasSuffix("/" + ExchangeManifest.fileName) }?.name.utf8.count
    let folder = start.map { $0 - ExchangeManifest.fileName.utf8.count } ?? 0
    for entry in all where !entry.name.hasSuffix("/") {
      let name = String(decoding: entry.name.utf8.dropFirst(folder), as: UTF8.self)
      guard entries.updateValue(entry, forKey: name) == nil else {
        throw ExchangeError.badArchive(reason: "it has two files '\(name)'")
      }
    }
    self.entries = entries
    files = entries.mapValues(\.size)
  }

  func read(_ name: String, _ body: (UnsafeRawBufferPointer) throws -> Void) throws {
    guard let entry = entries[name] else { throw ExchangeError.missingFile(name) }
    try FileReader.open(path) { reader in
      let start = try ArchiveDirectory.content(of: entry, reader)
      switch entry.method {
      case .stored:
        var checksum = CRC32()
        try reader.read(start..<(start + entry.packedSize)) { piece in
          checksum.add(piece)
          try body(piece)
        }
        guard checksum.value == entry.checksum else {
          throw ExchangeError.badFile(name, reason: "its checksum is another")
        }
      case .deflated: try inflate(entry, name, reader, from: start, body)
      }
    }
  }

  /// Passes deflated data to the gzip reader, with a matching header and trailer.
  ///
  /// - Source: RFC 1952, section 2.3.
  private func inflate(
    _ entry: ArchiveEntry, _ name: String, _ reader: FileReader, from start: Int,
    _ body: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    let head: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255]
    let end = [entry.checksum, UInt32(truncatingIfNeeded: entry.size)].flatMap { number in
      (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }
    do {
      let stream = try GzipStream(limit: entry.size)
      var failure: (any Error)?
      func take(_ piece: UnsafeRawBufferPointer) {
        guard failure == nil else { return }
        do { try body(piece) } catch { failure = error }
      }
      try head.withUnsafeBytes { try stream.push($0, take) }
      try reader.read(start..<(start + entry.packedSize)) { piece in
        try stream.push(piece, take)
        if let failure { throw failure }
      }
      try end.withUnsafeBytes { try stream.push($0, take) }
      try stream.finish()
      if let failure { throw failure }
    } catch let error as CompressionError {
      throw ExchangeError.badFile(name, reason: error.description)
    }
  }
}
