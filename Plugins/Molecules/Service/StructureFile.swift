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
      name: "SDF", extensions: ["sdf", "sd", "mol"], isToldByName: true,
      reference: "https://en.wikipedia.org/wiki/Chemical_table_file",
      detect: SDFReader.isSDF, read: { bytes throws(StructureReadingError) in try SDFReader.read(bytes) }),
    DocumentFormat(
      name: "XYZ", extensions: ["xyz", "extxyz"], isToldByName: true,
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
    try readTold(bytes: bytes, name: name, limits: limits).structure
  }

  /// Reads a file from memory and returns its format too.
  static func readTold(
    bytes: [UInt8], name: String, limits: ReadingLimits
  ) throws(StructureReadingError) -> (structure: Structure, format: DocumentFormat) {
    let result = bytes.withUnsafeBytes { raw in
      Result { () throws(StructureReadingError) in try readTold(raw, name: name, limits: limits) }
    }
    return try result.get()
  }

  /// Reads a file from borrowed memory.
  static func read(_ bytes: UnsafeRawBufferPointer, name: String) throws(StructureReadingError) -> Structure {
    try readTold(bytes, name: name, limits: ReadingLimits()).structure
  }

  private static func readTold(
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
    return formats.first { $0.isToldByName && $0.extensions.contains { name.hasSuffix("." + $0) } }
  }

  private static func readPlain(
    _ bytes: UnsafeBufferPointer<UInt8>, name: String, _ log: inout DiagnosticLog
  ) throws(StructureReadingError) -> (structure: Structure, format: DocumentFormat) {
    guard bytes.contains(where: { $0 > 32 }) else { throw .empty }
    if TextLines.endWithCarriageReturns(bytes) {
      log.add("carriage-returns", at: .whole, severity: .note, "the lines end with carriage returns alone")
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
