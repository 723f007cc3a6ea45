internal import PluginCompression

/// Reads structure files of any known format, plain or gzipped, detected by content rather than by name.
enum StructureFile {
  /// The formats in the order in which they are tried.
  static let formats: [DocumentFormat] = [
    DocumentFormat(
      name: "BinaryCIF", extensions: ["bcif"], reference: "https://github.com/molstar/BinaryCIF",
      detect: BinaryCIFReader.isBinaryCIF,
      read: { bytes throws(StructureReadingError) in try BinaryCIFReader.read(bytes) }),
    DocumentFormat(
      name: "mmCIF", extensions: ["cif", "mmcif"], reference: "https://mmcif.wwpdb.org/",
      detect: FormatDetection.isCIF, read: { bytes throws(StructureReadingError) in try CIFReader.read(bytes) }),
    DocumentFormat(
      name: "SDF", extensions: ["sdf", "sd", "mol"], isDetectedByName: true,
      reference: "https://en.wikipedia.org/wiki/Chemical_table_file",
      detect: SDFReader.isSDF, read: { bytes throws(StructureReadingError) in try SDFReader.read(bytes) }),
    DocumentFormat(
      name: "XYZ", extensions: ["xyz", "extxyz"], isDetectedByName: true,
      reference: "https://en.wikipedia.org/wiki/XYZ_file_format",
      detect: XYZReader.isXYZ, read: { bytes throws(StructureReadingError) in try XYZReader.read(bytes) }),
    DocumentFormat(
      name: "PDB", extensions: ["pdb", "ent", "pdb1"], reference: "https://www.wwpdb.org/documentation/file-format",
      detect: FormatDetection.isPDB, read: { bytes throws(StructureReadingError) in try readPDB(bytes) }),
  ]

  /// Reads a file from memory.
  ///
  /// Recoverable problems of the file are recorded in the structure's diagnostics.
  /// - Parameters:
  ///   - bytes: the bytes of the file on disk.
  ///   - name: the file's name, for messages only.
  ///   - limits: the limits of uncompressed content.
  /// - Returns: the structure, with at least one atom.
  /// - Throws: if the content is empty, of no known format, has no atoms, or cannot be uncompressed.
  static func read(
    bytes: [UInt8], name: String, limits: ReadingLimits = ReadingLimits()
  ) throws(StructureReadingError) -> Structure {
    try readWithFormat(bytes: bytes, name: name, limits: limits).structure
  }

  /// Reads a file from memory and returns its format too.
  static func readWithFormat(
    bytes: [UInt8], name: String, limits: ReadingLimits
  ) throws(StructureReadingError) -> (structure: Structure, format: DocumentFormat) {
    let result = bytes.withUnsafeBytes { raw in
      Result { () throws(StructureReadingError) in try readWithFormat(raw, name: name, limits: limits) }
    }
    return try result.get()
  }

  private static func readWithFormat(
    _ bytes: UnsafeRawBufferPointer, name: String, limits: ReadingLimits
  ) throws(StructureReadingError) -> (structure: Structure, format: DocumentFormat) {
    guard !bytes.isEmpty else { throw .empty }
    var log = DiagnosticLog()
    var read: (structure: Structure, format: DocumentFormat)
    if Gzip.isGzip(bytes) {
      let content = try GzippedContent(bytes, limits: limits)
      if content.hasTrailingBytes {
        log.add("gzip-trailing-bytes", at: .whole, "bytes after the end of the gzip data were ignored")
      }
      read = try content.bytes.withBuffer { buffer throws(StructureReadingError) in
        try readPlain(buffer, name: name, &log)
      }
    } else {
      read = try readPlain(bytes.bindMemory(to: UInt8.self), name: name, &log)
    }
    read.structure.diagnostics += log.finished()
    return read
  }

  /// Returns the format of uncompressed content, or nil.
  static func format(of bytes: UnsafeBufferPointer<UInt8>) -> DocumentFormat? {
    formats.first { $0.detect(bytes) }
  }

  /// Returns the format for a file's extension, or nil; used only if the content is not recognized.
  static func format(named name: String) -> DocumentFormat? {
    var name = name.lowercased()
    if name.hasSuffix(".gz") { name.removeLast(3) }
    return formats.first { $0.isDetectedByName && $0.extensions.contains { name.hasSuffix("." + $0) } }
  }

  private static func readPlain(
    _ bytes: UnsafeBufferPointer<UInt8>, name: String, _ log: inout DiagnosticLog
  ) throws(StructureReadingError) -> (structure: Structure, format: DocumentFormat) {
    guard bytes.contains(where: { $0 > 32 }) else { throw .empty }
    if TextLines.endWithCarriageReturns(bytes) {
      log.add("carriage-returns", at: .whole, severity: .note, "the lines end with carriage returns only")
      return try bytes.map { $0 == 13 ? 10 : $0 }.withBuffer { buffer throws(StructureReadingError) in
        try readPlain(buffer, name: name, &log)
      }
    }
    guard let format = format(of: bytes) ?? format(named: name) else { throw .unknownFormat(name: name) }
    return (try format.read(bytes), format)
  }

  private static func readPDB(_ bytes: UnsafeBufferPointer<UInt8>) throws(StructureReadingError) -> Structure {
    let structure = PDBReader.read(bytes)
    guard !structure.atoms.isEmpty else {
      let fault = structure.diagnostics.first { $0.severity == .error && $0.line > 0 }
      guard let fault else { throw .noCoordinates("no ATOM or HETATM record could be read") }
      throw .malformed(line: fault.line, column: fault.column, fault.message)
    }
    return structure
  }
}

extension [UInt8] {
  /// Calls `body`, which throws a typed error, with the bytes.
  fileprivate func withBuffer<Content>(
    _ body: (UnsafeBufferPointer<UInt8>) throws(StructureReadingError) -> Content
  ) throws(StructureReadingError) -> Content {
    let result = withUnsafeBufferPointer { buffer in
      Result { () throws(StructureReadingError) in try body(buffer) }
    }
    return try result.get()
  }
}

/// One format of structure files, with its name, detection and reader.
struct DocumentFormat: Sendable {
  /// The display name.
  var name: String
  /// The file name extensions in lower case, without dot and without `gz`.
  var extensions: [String]
  /// A Boolean value indicating whether a file with one of the extensions is read even if its content is not
  /// recognized, so that the reader reports the error.
  var isDetectedByName = false
  /// The reference of the format's specification.
  var reference: String
  /// A function that returns true for content of this format.
  ///
  /// - Parameter bytes: the whole uncompressed content.
  var detect: @Sendable (_ bytes: UnsafeBufferPointer<UInt8>) -> Bool
  /// A function that reads content of this format.
  ///
  /// - Parameter bytes: the whole uncompressed content.
  var read: @Sendable (_ bytes: UnsafeBufferPointer<UInt8>) throws(StructureReadingError) -> Structure
}

/// Detects formats by the first lines of their content.
private enum FormatDetection {
  /// The number of lines examined.
  private static let lineCount = 2000

  /// Returns true if the first word outside comments begins a data block, a loop or a tag.
  static func isCIF(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    var tokens = CIFTokenizer(bytes)
    let first = tokens.next()
    switch first.kind {
    case .data, .global: return true
    case .loop, .tag, .save: return tokens.next().kind != .end
    case .end, .stop, .bare, .quoted: return false
    }
  }

  /// Returns true if one of the first lines begins with a record name of the PDB format.
  static func isPDB(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let base = bytes.baseAddress else { return false }
    var start = 0
    for _ in 0..<lineCount where start < bytes.count {
      var end = start
      while end < bytes.count, bytes[end] != 10 { end += 1 }
      if records.contains(PDBRecord.word(of: PDBLine(base: base + start, count: end - start))) { return true }
      start = end + 1
    }
    return false
  }

  private static let records = Set(names.map { PDBRecord.word(of: $0) })

  private static let names = [
    "HEADER", "OBSLTE", "TITLE", "SPLIT", "CAVEAT", "COMPND", "SOURCE", "KEYWDS", "EXPDTA", "AUTHOR", "REVDAT", "JRNL",
    "REMARK", "DBREF", "SEQRES", "HET", "HELIX", "SHEET", "CRYST1", "ORIGX1", "SCALE1", "MODEL", "ATOM", "HETATM",
  ]
}

/// The limits of reading a file.
struct ReadingLimits: Equatable, Sendable {
  /// The largest content of a compressed file, in bytes.
  var contentInBytes = Self.standardContentInMebibytes << 20

  /// The default limit of uncompressed content: 1 GiB.
  static let standardContentInMebibytes = 1024
}

/// The content of a gzipped file.
private struct GzippedContent {
  private(set) var bytes: [UInt8]
  /// True if anything other than zero bytes followed the last member and was ignored, as gzip does.
  private(set) var hasTrailingBytes = false

  /// Uncompresses a file.
  ///
  /// - Throws: `compression` if the data are truncated or damaged, `contentTooLarge` above the limit.
  init(_ file: UnsafeRawBufferPointer, limits: ReadingLimits) throws(StructureReadingError) {
    do {
      bytes = try Gzip.uncompress(file, limit: limits.contentInBytes)
    } catch .damaged {
      guard let content = Self.wholeMembers(of: file, limits) else {
        throw .compression(CompressionError.damaged.description)
      }
      bytes = content
      hasTrailingBytes = true
    } catch .tooLarge {
      throw .contentTooLarge(limitInBytes: limits.contentInBytes)
    } catch {
      throw .compression(error.description)
    }
  }

  /// Returns the content of the members before bytes that are not a member; nil if a member itself is damaged.
  private static func wholeMembers(of file: UnsafeRawBufferPointer, _ limits: ReadingLimits) -> [UInt8]? {
    guard let stream = try? GzipStream(limit: limits.contentInBytes) else { return nil }
    var content: [UInt8] = []
    try? stream.push(file) { content.append(contentsOf: $0) }
    // Finishing fails within a member, but not if the bytes after a member are rejected.
    return (try? stream.finish()) == nil ? nil : content
  }
}

/// An error that prevents reading a file as a structure.
enum StructureReadingError: Error, Equatable, CustomStringConvertible {
  case empty
  /// The format is not known.
  ///
  /// - Parameter name: the file's name.
  case unknownFormat(name: String)
  /// The format is known but has no atoms with coordinates; the text explains why.
  case noCoordinates(String)
  /// The file is broken before anything could be read; line and column count from 1.
  case malformed(line: Int, column: Int, String)
  /// Binary content is broken before anything could be read; the offset counts from 0.
  case damaged(byte: Int, String)
  /// The compressed data cannot be read; the text explains why.
  case compression(String)
  /// The uncompressed content is larger than the limit, in bytes.
  case contentTooLarge(limitInBytes: Int)

  /// The position in the uncompressed file.
  var place: FilePlace {
    switch self {
    case .malformed(let line, let column, _): .text(line: line, column: column)
    case .damaged(let byte, _): .byte(byte)
    case .empty, .unknownFormat, .noCoordinates, .compression, .contentTooLarge: .whole
    }
  }

  /// The reason, without the position.
  var reason: String {
    if case .malformed(_, _, let reason) = self { reason } else { description }
  }

  var description: String {
    switch self {
    case .empty: "the file is empty; give a \(Molecule.formats) file"
    case .unknownFormat(let name):
      "the format of '\(name)' is unknown; supported are \(StructureFile.formats.map(\.name).joined(separator: ", "))"
    case .noCoordinates(let reason): "the file has no atom coordinates: \(reason)"
    case .malformed(let line, let column, let reason): "line \(line), column \(column): \(reason)"
    case .damaged(_, let reason): "the file is damaged: \(reason); download it again"
    case .compression(let reason): reason
    case .contentTooLarge(let limit): "the uncompressed content is larger than \(limit >> 20) MiB"
    }
  }
}
