import Glibc
import PluginAPI
import PluginJSON
import PluginText

/// The files of an export: the manifest, the hashes of all others, and the form of an export.
enum ExchangeFiles {
  /// The forms an export has.
  enum Form: String, Sendable, CaseIterable {
    /// A folder with a manifest.
    case json
    case zip
    /// A transaction of ANSI/NIST-ITL.
    case an2k
    /// The same with the codes of the FBI's specification.
    case ebts

    /// Creates the form that the ending of a file name implies; a folder if it implies none.
    ///
    /// - Source: the endings of ANSI/NIST-ITL files are those of NIST's samples and of the FBI's EBTS.
    init(endingOf path: String) {
      let name = path.lowercased()
      let isTransaction = [".an2", ".an2k"].contains(where: name.hasSuffix)
      self = name.hasSuffix(".zip") ? .zip : name.hasSuffix(".eft") ? .ebts : isTransaction ? .an2k : .json
    }
  }

  /// The file with the hashes of all others, in the format of `sha256sum --check`.
  static let sums = "SHA256SUMS"
  /// The most bytes of a manifest and of the hashes.
  private static let mostManifestBytes = 64 << 20
  /// The most bytes of a transaction, which is held in memory.
  private static let mostTransactionBytes = 512 << 20

  /// Returns the form of the export at a path.
  ///
  /// - Throws: ``ExchangeError/unknownExport(path:)`` for anything else.
  static func form(of path: String) throws -> Form {
    var status = stat()
    guard stat(path, &status) == 0 else { throw PrivateFile.problem(path) }
    if status.st_mode & S_IFMT == S_IFDIR { return .json }
    let start = try FileReader.open(path) { try? $0.bytes(0..<min(6, $0.size)) } ?? []
    if start.starts(with: [0x50, 0x4B, 3, 4]) { return .zip }
    if start.starts(with: Array("1.001:".utf8)) { return .an2k }
    throw ExchangeError.unknownExport(path: path)
  }

  /// The space that an import leaves free on the disk, in bytes, so that responses of sensors can still be stored.
  private static let reservedRoom = 64 << 20

  /// Throws an error if a disk lacks the space, before anything is written.
  ///
  /// - Parameter folder: A folder of the disk.
  static func checkRoom(for size: Int, in folder: String) throws(ErrorReport) {
    var room = statvfs()
    guard statvfs(folder, &room) == 0 else { return }
    let free = Double(room.f_bavail) * Double(room.f_frsize)
    if Double(size) + Double(reservedRoom) > free { throw PrivateFile.problem(folder, ENOSPC) }
  }

  /// Writes a file that its owner alone can read, whole or not at all.
  ///
  /// - Throws: ``ExchangeError/targetExists(path:)`` if there is something of the name.
  static func write(_ bytes: [UInt8], to path: String) throws {
    if PrivateFile.exists(path) { throw ExchangeError.targetExists(path: path) }
    let file = try PrivateFile(for: path)
    do {
      try file.write(bytes)
      try file.settle(at: path)
    } catch {
      file.discard()
      throw error
    }
  }

  /// Returns the transaction in a file.
  ///
  /// - Throws: ``ExchangeError/tooLarge(_:limitInBytes:)`` for more than can be held, `ITLError` for a damaged one.
  static func transaction(_ path: String) throws -> ITLTransaction {
    let bytes = try FileReader.open(path) { reader in
      guard reader.size <= mostTransactionBytes else {
        throw ExchangeError.tooLarge("'\(path)'", limitInBytes: mostTransactionBytes)
      }
      return try reader.bytes(0..<reader.size)
    }
    return try ITLTransaction(bytes)
  }

  /// Returns a manifest in its written form, which people can read too.
  static func bytes(_ manifest: ExchangeManifest) -> [UInt8] {
    var writer = JSONWriter(indentation: 2)
    writer.write(manifest.value)
    return writer.take() + [0x0A]
  }

  static func manifest(_ bytes: [UInt8]) throws -> ExchangeManifest {
    let value: Value
    do {
      value = try Value(json: bytes)
    } catch {
      throw ExchangeError.badFile(ExchangeManifest.fileName, reason: error.report.message)
    }
    return try ExchangeManifest(value)
  }

  /// Hashes as `sha256sum` writes them: digits, two blanks, the name.
  static func bytes(_ sums: [(name: String, sha256: [UInt8])]) -> [UInt8] {
    Array(sums.map { "\(Hexadecimal.text($0.sha256))  \($0.name)\n" }.joined().utf8)
  }

  /// Returns the hash of each listed file.
  static func sums(_ bytes: [UInt8]) throws(ErrorReport) -> [String: [UInt8]] {
    var sums: [String: [UInt8]] = [:]
    guard bytes.last == 0x0A else { throw ExchangeError.badFile(Self.sums, reason: "the last line is incomplete") }
    for line in bytes.split(separator: 0x0A) {
      let name = String(decoding: line.dropFirst(66), as: UTF8.self)
      guard line.count > 66, line.dropFirst(64).prefix(2).elementsEqual([0x20, 0x20]),
        let hash = Hexadecimal.bytes(String(decoding: line.prefix(64), as: UTF8.self)),
        sums.updateValue(hash, forKey: name) == nil
      else { throw ExchangeError.badFile(Self.sums, reason: "a line is not a hash with a name") }
    }
    return sums
  }

  /// Opens an export with its manifest and the hash of every file; exactly the expected files are present.
  ///
  /// - Throws: ``ExchangeError`` that names the fault. The data of captures is not read yet.
  static func open(_ path: String, _ form: Form) throws -> OpenedExchange {
    let source: any ExchangeSource = form == .zip ? try ArchiveSource(path) : try FolderSource(path)
    guard source.files[ExchangeManifest.fileName] != nil else { throw ExchangeError.unknownExport(path: path) }
    let sums = try sums(try source.bytes(sums, limitInBytes: mostManifestBytes))
    let manifestBytes = try source.bytes(ExchangeManifest.fileName, limitInBytes: mostManifestBytes)
    guard SHA256Digest.of(manifestBytes) == sums[ExchangeManifest.fileName] else {
      throw ExchangeError.badFile(ExchangeManifest.fileName, reason: "wrong hash")
    }
    let manifest = try manifest(manifestBytes)
    var expected: Set<String> = [ExchangeManifest.fileName, Self.sums]
    for capture in manifest.items.flatMap(\.captures) {
      guard let size = source.files[capture.file] else { throw ExchangeError.missingFile(capture.file) }
      guard size == capture.record.sizeInBytes, sums[capture.file] == capture.record.sha256 else {
        throw ExchangeError.badFile(capture.file, reason: "size or hash differs from the manifest")
      }
      expected.insert(capture.file)
    }
    if let strange = Set(source.files.keys).union(sums.keys).subtracting(expected).min() {
      throw ExchangeError.strangeFile(strange)
    }
    return OpenedExchange(source: source, manifest: manifest)
  }
}

/// An opened export: everything but the data of captures was checked.
struct OpenedExchange: Sendable {
  let source: any ExchangeSource
  let manifest: ExchangeManifest

  /// Passes on the data of a capture in pieces.
  ///
  /// - Throws: ``ExchangeError/badFile(_:reason:)`` at the end if it differs from the exported data.
  func read(_ capture: ExchangeManifest.Capture, _ body: (UnsafeRawBufferPointer) throws -> Void) throws {
    var hash = SHA256()
    var count = 0
    try source.read(capture.file) { piece in
      hash.update(piece)
      count += piece.count
      guard count <= capture.record.sizeInBytes else {
        throw ExchangeError.badFile(capture.file, reason: "the file is longer than in the manifest")
      }
      try body(piece)
    }
    guard count == capture.record.sizeInBytes, hash.finish() == capture.record.sha256 else {
      throw ExchangeError.badFile(capture.file, reason: "wrong hash")
    }
  }
}

/// The SHA-256 of bytes, and ids made of it.
enum SHA256Digest {
  /// Returns the hash, 32 bytes.
  static func of(_ bytes: [UInt8]) -> [UInt8] {
    var hash = SHA256()
    hash.update(bytes)
    return hash.finish()
  }

  /// Returns an id for data without one: the same data gets the same id, so that it is not imported twice.
  ///
  /// - Parameter digest: 32 bytes.
  /// - Source: RFC 9562, section 5.8 (version 8: of the maker's own making).
  static func id(_ digest: [UInt8]) -> SensorUUID? {
    var bytes = Array(digest.prefix(16))
    guard bytes.count == 16 else { return nil }
    bytes[6] = bytes[6] & 0x0F | 0x80
    bytes[8] = bytes[8] & 0x3F | 0x80
    let digits = Hexadecimal.text(bytes)
    var text = ""
    for (index, digit) in digits.enumerated() {
      if [8, 12, 16, 20].contains(index) { text.append("-") }
      text.append(digit)
    }
    return SensorUUID(text)
  }
}

extension SHA256 {
  mutating func update(_ bytes: UnsafeRawBufferPointer) { update(bytes.bindMemory(to: UInt8.self)) }
}

/// An export that is read: files with names.
protocol ExchangeSource: Sendable {
  /// All files with their sizes in bytes.
  var files: [String: Int] { get }
  /// Passes on the bytes of a file in pieces.
  ///
  /// - Throws: ``ExchangeError``, naming the file, if it is not as it was written.
  func read(_ name: String, _ body: (UnsafeRawBufferPointer) throws -> Void) throws
}

extension ExchangeSource {
  /// Returns a whole file.
  func bytes(_ name: String, limitInBytes: Int) throws -> [UInt8] {
    guard let size = files[name] else { throw ExchangeError.missingFile(name) }
    guard size <= limitInBytes else { throw ExchangeError.tooLarge("'\(name)'", limitInBytes: limitInBytes) }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(size)
    try read(name) { bytes.append(contentsOf: $0) }
    return bytes
  }
}

/// The destination of an export: named files, one after the other, which count only once all of them are there.
///
/// Nothing is visible at the destination before ``finish()``. A caller that gives up calls ``abandon()``.
protocol ExchangeTarget: Sendable {
  /// Starts a file.
  ///
  /// - Parameters:
  ///   - name: A path with `/` between its parts; each name once.
  ///   - sizeInBytes: The number of bytes that will be written.
  func begin(_ name: String, sizeInBytes: Int) throws
  /// Writes the next bytes of the file.
  func write(_ bytes: UnsafeRawBufferPointer) throws
  /// Ends the file.
  ///
  /// - Returns: Its SHA-256, 32 bytes.
  func end() throws -> [UInt8]
  /// Moves the complete export to its destination.
  ///
  /// - Throws: ``ExchangeError/targetExists(path:)`` if the destination exists by now.
  func finish() throws
  /// Removes the written files.
  func abandon()
}

extension ExchangeTarget {
  /// Writes a whole file.
  @discardableResult
  func write(_ name: String, _ bytes: [UInt8]) throws -> [UInt8] {
    try begin(name, sizeInBytes: bytes.count)
    try bytes.withUnsafeBytes { try write($0) }
    return try end()
  }
}
