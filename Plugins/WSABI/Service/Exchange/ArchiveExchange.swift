import Glibc
import PluginAPI
import PluginCompression
import PluginText
import Synchronization

/// An export as a ZIP archive that its owner alone can read.
///
/// Content small enough to be buffered is deflated if that makes it smaller; all other content is stored as it arrives.
final class ArchiveTarget: ExchangeTarget {
  /// The largest content buffered for deflation, in bytes.
  private static let mostHeld = 16 << 20

  private struct State {
    var file: PrivateFile
    var entries: [ArchiveEntry] = []
    var hash = SHA256()
    var checksum = CRC32()
    var held: [UInt8] = []
    var isHolding = false
    var isOpen = true
  }

  private let path: String
  private let state: Mutex<State>

  /// - Parameter path: Where it will be; its folder must be there.
  /// - Throws: ``ExchangeError``.
  init(_ path: String) throws(ErrorReport) {
    self.path = path
    if PrivateFile.exists(path) { throw ExchangeError.targetExists(path: path) }
    state = Mutex(State(file: try PrivateFile(for: path)))
  }

  deinit { abandon() }

  func begin(_ name: String, sizeInBytes: Int) throws {
    try state.withLock { state in
      let entry = ArchiveEntry(name: name, offset: state.file.size)
      guard state.entries.count < ArchiveEntry.mostFiles, state.file.size + sizeInBytes <= ArchiveEntry.mostBytes else {
        throw ExchangeError.tooLarge("the archive", limitInBytes: ArchiveEntry.mostBytes)
      }
      state.isHolding = sizeInBytes <= Self.mostHeld
      if !state.isHolding { try state.file.write(entry.localHeader) }
      state.entries.append(entry)
      (state.hash, state.checksum) = (SHA256(), CRC32())
    }
  }

  func write(_ bytes: UnsafeRawBufferPointer) throws {
    try state.withLock { state in
      state.hash.update(bytes)
      state.checksum.add(bytes)
      state.entries[state.entries.count - 1].size += bytes.count
      if state.isHolding { state.held.append(contentsOf: bytes) } else { try state.file.write(bytes) }
    }
  }

  func end() throws -> [UInt8] {
    try state.withLock { state in
      var entry = state.entries[state.entries.count - 1]
      (entry.checksum, entry.packedSize) = (state.checksum.value, entry.size)
      if state.isHolding {
        let packed = Self.deflated(state.held)
        if let packed { (entry.method, entry.packedSize) = (.deflated, packed.count) }
        try state.file.write(entry.localHeader)
        try state.file.write(packed ?? state.held)
        state.held = []
      } else {
        try entry.localHeader.withUnsafeBytes { try state.file.write($0, at: entry.offset) }
      }
      state.entries[state.entries.count - 1] = entry
      guard state.file.size <= ArchiveEntry.mostBytes else {
        throw ExchangeError.tooLarge("the archive", limitInBytes: ArchiveEntry.mostBytes)
      }
      return state.hash.finish()
    }
  }

  func finish() throws {
    try state.withLock { state in
      let start = state.file.size
      for entry in state.entries { try state.file.write(entry.centralHeader) }
      let size = state.file.size - start
      try state.file.write(
        ArchiveEntry.end(count: state.entries.count, directorySize: size, directoryOffset: start))
      try state.file.settle(at: path)
      state.isOpen = false
    }
  }

  func abandon() {
    state.withLock { state in
      guard state.isOpen else { return }
      state.isOpen = false
      state.held = []
      state.file.discard()
    }
  }

  /// Bytes deflated; nil if that does not make them smaller.
  ///
  /// - Source: RFC 1952, section 2.3: without a name a member has ten bytes before what is deflated, eight behind it.
  private static func deflated(_ bytes: [UInt8]) -> [UInt8]? {
    guard bytes.count > 64, let member = try? Gzip.compress(bytes), member.count > 18, member[3] == 0 else {
      return nil
    }
    let packed = Array(member[10..<(member.count - 8)])
    return packed.count < bytes.count ? packed : nil
  }
}

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
        throw ExchangeError.badArchive(reason: "two files named '\(name)'")
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
          throw ExchangeError.badFile(name, reason: "wrong checksum")
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

/// The directory of a ZIP archive.
///
/// - Source: PKWARE, APPNOTE.TXT 6.3.10, sections 4.3.7, 4.3.12 and 4.3.16.
private struct ArchiveDirectory {
  private(set) var entries: [ArchiveEntry] = []

  /// The most bytes a directory has here: 65 534 names of 200 letters and more.
  private static let mostBytes = 32 << 20

  init(_ reader: FileReader) throws {
    let tailStart = max(0, reader.size - 65_557)
    let tail = LittleEndianReader(try reader.bytes(tailStart..<reader.size))
    guard let end = stride(from: tail.bytes.count - 22, through: 0, by: -1).first(where: { Self.isEnd(tail, $0) })
    else { throw ExchangeError.badArchive(reason: "the directory is missing") }
    let (count, size, start) = (tail.half(end + 10), tail.word(end + 12), tail.word(end + 16))
    guard tail.half(end + 4) == 0, tail.half(end + 8) == count, count < 0xFFFF, start < 0xFFFF_FFFF else {
      throw ExchangeError.badArchive(reason: "the archive is split or larger than 4 GB")
    }
    guard size <= Self.mostBytes, start + size <= tailStart + end else {
      throw ExchangeError.badArchive(reason: "the directory is damaged")
    }
    let directory = LittleEndianReader(try reader.bytes(start..<(start + size)))
    var offset = 0
    for _ in 0..<count { entries.append(try Self.entry(directory, &offset, before: start)) }
    guard offset == size else { throw ExchangeError.badArchive(reason: "the directory is damaged") }
    // Files that share bytes make an archive larger than the disk without end.
    let sorted = entries.sorted { $0.offset < $1.offset }
    for (entry, next) in zip(sorted, sorted.dropFirst()) where entry.offset + 30 + entry.packedSize > next.offset {
      throw ExchangeError.badArchive(reason: "the files overlap")
    }
  }

  /// Returns true if there is an end record whose comment reaches exactly to the end of the file.
  private static func isEnd(_ tail: LittleEndianReader, _ offset: Int) -> Bool {
    tail.word(offset) == ArchiveEntry.endMark && offset + 22 + tail.half(offset + 20) == tail.bytes.count
  }

  private static func entry(
    _ directory: LittleEndianReader, _ offset: inout Int, before start: Int
  ) throws -> ArchiveEntry {
    let damaged = ExchangeError.badArchive(reason: "the directory is damaged")
    guard offset + 46 <= directory.bytes.count, directory.word(offset) == ArchiveEntry.centralMark else {
      throw damaged
    }
    let nameStart = offset + 46
    let nameEnd = nameStart + directory.half(offset + 28)
    let next = nameEnd + directory.half(offset + 30) + directory.half(offset + 32)
    guard next <= directory.bytes.count else { throw damaged }
    let name = String(decoding: directory.bytes[nameStart..<nameEnd], as: UTF8.self)
    guard directory.half(offset + 8) & 1 == 0 else {
      throw ExchangeError.badArchive(reason: "the archive is encrypted")
    }
    guard let method = ArchiveEntry.Method(rawValue: directory.half(offset + 10)) else {
      throw ExchangeError.badArchive(reason: "'\(name)' is compressed by a method other than deflate")
    }
    let entry = ArchiveEntry(
      name: name, method: method, checksum: UInt32(truncatingIfNeeded: directory.word(offset + 16)),
      packedSize: directory.word(offset + 20), size: directory.word(offset + 24), offset: directory.word(offset + 42))
    guard entry.offset + 30 + entry.packedSize <= start, method == .deflated || entry.size == entry.packedSize,
      // Deflate compresses by a factor of 1032 at most.
      entry.size <= entry.packedSize * 1032 + 64
    else { throw damaged }
    offset = next
    return entry
  }

  /// Returns the offset at which the content of an entry begins.
  static func content(of entry: ArchiveEntry, _ reader: FileReader) throws -> Int {
    let damaged = ExchangeError.badFile(entry.name, reason: "the header is damaged")
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

/// A file in a ZIP archive, with its headers.
///
/// - Source: PKWARE, APPNOTE.TXT 6.3.10, sections 4.3.7 (local header), 4.3.12 (central directory) and 4.3.16 (its end).
private struct ArchiveEntry: Sendable, Hashable {
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
