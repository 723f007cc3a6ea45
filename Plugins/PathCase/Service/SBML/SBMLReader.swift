import PluginAPI
import PluginXML

/// Reads models in SBML, levels 2 and 3.
///
/// The supported packages are flux balance constraints (versions 1 and 2), groups and layout. Ids are kept as written.
/// Units are ignored.
///
/// - Source: SBML Level 3 Version 2 Core, release 2; Flux Balance Constraints version 2, release 1; Groups version 1;
///   Layout version 1; SBML Level 2 Version 5.
enum SBMLReader {
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

/// Reads the events of a file.
enum SBMLSource {
  /// Reads a file.
  ///
  /// - Parameter handler: Receives the events, with the reader that knows the position.
  /// - Throws: ``SBMLError``, and the errors of the handler.
  static func read(_ bytes: [UInt8], _ handler: @escaping (XMLReader, XMLEvent) throws -> Void) throws {
    do {
      var limits = XMLReader.Limits()
      limits.depth = 512
      let holder = ReaderHolder()
      let reader = try XMLReader(limits: limits) { event in
        if let reader = holder.reader { try handler(reader, event) }
      }
      holder.reader = reader
      defer { holder.reader = nil }
      try bytes.withUnsafeBytes { try push($0, into: reader) }
      try reader.finish()
    } catch let error as XMLError {
      throw SBMLError.xml(error)
    }
  }

  private static func push(_ bytes: UnsafeRawBufferPointer, into reader: XMLReader) throws {
    var remaining = bytes[...]
    while !remaining.isEmpty {
      let piece = remaining.prefix(1 << 17)
      try reader.push(UnsafeRawBufferPointer(rebasing: piece))
      remaining = remaining.dropFirst(piece.count)
    }
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
  case broken(SBMLProblem)

  var report: ErrorReport { whole.short }

  private var whole: ErrorReport {
    switch self {
    case .xml(let error): Self.report(of: error)
    case .broken(let problem):
      problem.error(
        problem.description, advice: "correct the file, or export the model as SBML again",
        details: [
          "line": .optional(problem.line > 0 ? problem.line : nil),
          "column": .optional(problem.line > 0 ? problem.column : nil), "rule": .optional(problem.rule),
          "id": .optional(problem.id),
        ])
    }
  }

  private static func report(of error: XMLError) -> ErrorReport {
    let advice = "export the model as SBML again"
    switch error {
    case .notWellFormed, .truncated: return FileErrors.notWellFormed(error.description, advice: advice)
    case .entity: return FileErrors.forbidden(error.description, advice: advice)
    case .tooDeep, .tooManyAttributes, .longName: return FileErrors.beyondLimits(error.description, advice: advice)
    case .tooLarge: return FileErrors.tooLarge(error.description, advice: advice)
    case .outOfMemory: return MapError.system(error.description)
    case .libraryMissing(let reason): return FileErrors.xmlLibraryMissing(reason: reason)
    }
  }

  static let unknownPackage = DeclaredError(
    "pathcase.str-004", .unusableInput, "the file needs an unknown package of SBML, which is ignored")

  /// The stable codes of SBML alone; ``FileErrors`` has the others.
  static let errorCodes = [unknownPackage.catalogueEntry]
}
