import PluginAPI
import PluginCompression
import PluginXML

/// Reads models in SBML, levels 2 and 3, plain or compressed with gzip.
///
/// The supported packages are flux balance constraints (versions 1 and 2), groups and layout. Ids are kept as written.
/// Units are ignored.
///
/// - Source: SBML Level 3 Version 2 Core, release 2; Flux Balance Constraints version 2, release 1; Groups version 1;
///   Layout version 1; SBML Level 2 Version 5.
enum SBMLReader {
  /// The maximum uncompressed file size in bytes.
  static let sizeLimitInBytes = 1 << 30

  /// Reads a model.
  ///
  /// - Throws: ``SBMLError``.
  static func model(_ bytes: [UInt8]) throws -> SBMLDocument {
    let builder = SBMLBuilder()
    do {
      try SBMLSource.read(bytes) { reader, event in try builder.take(event, reader) }
      return try SBMLLinker.document(of: builder)
    } catch let problem as SBMLRefusal {
      throw SBMLError.broken(problem.problem)
    }
  }
}

/// Reads the events of a file, plain or compressed.
enum SBMLSource {
  /// Reads a file.
  ///
  /// - Parameter handler: Receives the events, with the reader that knows the position.
  /// - Throws: ``SBMLError``, and the errors of the handler.
  static func read(_ bytes: [UInt8], _ handler: @escaping (XMLReader, XMLEvent) throws -> Void) throws {
    try bytes.withUnsafeBytes { try read($0, handler) }
  }

  private static func read(
    _ bytes: UnsafeRawBufferPointer, _ handler: @escaping (XMLReader, XMLEvent) throws -> Void
  ) throws {
    do {
      var limits = XMLReader.Limits()
      limits.depth = 512
      let holder = ReaderHolder()
      let reader = try XMLReader(limits: limits) { event in
        if let reader = holder.reader { try handler(reader, event) }
      }
      holder.reader = reader
      defer { holder.reader = nil }
      if Gzip.isGzip(bytes) { try unpack(bytes, into: reader) } else { try push(bytes, into: reader) }
      try reader.finish()
    } catch let error as XMLError {
      throw SBMLError.xml(error)
    } catch let error as CompressionError {
      throw SBMLError.compressed(error)
    }
  }

  private static func push(_ bytes: UnsafeRawBufferPointer, into reader: XMLReader) throws {
    var rest = bytes[...]
    while !rest.isEmpty {
      let piece = rest.prefix(1 << 17)
      try reader.push(UnsafeRawBufferPointer(rebasing: piece))
      rest = rest.dropFirst(piece.count)
    }
  }

  private static func unpack(_ bytes: UnsafeRawBufferPointer, into reader: XMLReader) throws {
    let stream = try GzipStream(limit: SBMLReader.sizeLimitInBytes)
    var failure: (any Error)?
    var rest = bytes[...]
    // The file is read in pieces, so that an error at the beginning ends the work.
    while !rest.isEmpty {
      let piece = rest.prefix(1 << 15)
      try stream.push(UnsafeRawBufferPointer(rebasing: piece)) { content in
        if failure != nil { return }
        do { try reader.push(content) } catch { failure = error }
      }
      if let failure { throw failure }
      rest = rest.dropFirst(piece.count)
    }
    try stream.finish()
  }

  /// Holds the reader for the closure with which it is created.
  private final class ReaderHolder {
    var reader: XMLReader?
  }
}

/// A problem that ends the reading.
struct SBMLRefusal: Error {
  var problem: SBMLProblem
}

/// The reasons for which an SBML file cannot be read.
enum SBMLError: Error, Equatable, ReportableError {
  case xml(XMLError)
  case compressed(CompressionError)
  case broken(SBMLProblem)

  var report: ErrorReport { whole.short }

  private var whole: ErrorReport {
    switch self {
    case .xml(let error):
      ErrorReport(
        code: Self.code(of: error), kind: .unusableInput, error.description, advice: "export the model as SBML again")
    case .compressed(let error):
      ErrorReport(
        code: error == .truncated ? "pathcase.xml-007" : "pathcase.xml-006", kind: .unusableInput, error.description,
        advice: "get a complete copy of the file")
    case .broken(let problem):
      ErrorReport(
        code: problem.code, kind: .unusableInput, problem.description,
        advice: "correct the file, or export the model as SBML again",
        details: [
          "line": .optional(problem.line > 0 ? problem.line : nil),
          "column": .optional(problem.line > 0 ? problem.column : nil), "rule": .optional(problem.rule),
          "id": .optional(problem.id),
        ])
    }
  }

  private static func code(of error: XMLError) -> String {
    switch error {
    case .entity: "pathcase.xml-002"
    case .tooDeep, .tooManyAttributes, .longName: "pathcase.xml-004"
    case .tooLarge: "pathcase.xml-006"
    default: "pathcase.xml-001"
    }
  }

  static let errorCodes = [
    ErrorCodeDescription("pathcase.str-004", "the file needs an unknown package of SBML, which is ignored")
  ]
}
