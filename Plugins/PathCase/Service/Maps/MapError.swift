import PluginAPI
import PluginJSON
import PluginText
import PluginXML

/// The reasons for which a file cannot be read as a map, or a map cannot be written.
enum MapError {
  /// The file violates a rule of XML or JSON, or is truncated.
  static func malformed(_ reason: String) -> ErrorReport {
    FileErrors.notWellFormed("the file is not well-formed: \(reason)", advice: "get a complete copy of the file").short
  }
  /// It has a document type or entities, which its format does not permit.
  static func forbidden(_ reason: String) -> ErrorReport {
    FileErrors.forbidden(reason, advice: "remove it from the file; external content is not read").short
  }
  /// It is a web page, which services may send instead of the requested file.
  static let webPage = FileErrors.forbidden(
    "the file is a web page", advice: "download the file itself; the site may need a login")
  /// It is nested too deeply.
  static func tooDeep(_ reason: String) -> ErrorReport {
    FileErrors.beyondLimits(reason, advice: "get the file from its source again").short
  }
  /// It is not in the expected encoding.
  static func encoding(_ reason: String) -> ErrorReport {
    FileErrors.encoding(reason, advice: "save the file as UTF-8").short
  }
  /// Its compressed content is larger than permitted.
  static func tooLarge(limitInBytes limit: Int) -> ErrorReport {
    FileErrors.tooLarge("the compressed file holds more than \(limit) bytes", advice: "decompress and check it first")
  }
  /// The compressed data are truncated or damaged.
  static func compression(_ reason: String) -> ErrorReport { FileErrors.packing(reason).short }
  private static let unknownFormat = DeclaredError(
    "pathcase.unknown-format", .unusableInput, "the format of the file is not known")
  static func unknownFormat(seen: String) -> ErrorReport {
    unknownFormat(
      "the format of the file is not known: it is \(seen)",
      advice: "use one of " + NetworkFormat.allCases.map(\.title).joined(separator: ", ")
    ).short
  }
  private static let noMap = DeclaredError(
    "pathcase.no-map", .unusableInput, "the format of the file has no drawn maps")
  static func noMap(_ format: NetworkFormat) -> ErrorReport {
    noMap("the file is \(format.title), which has no drawn map", advice: "lay it out instead").short
  }
  /// The structure does not match the format.
  static func structure(_ format: NetworkFormat, _ reason: String) -> ErrorReport {
    FileErrors.structure("the file is not valid \(format.title): \(reason)").short
  }
  /// The version of the format is not supported.
  static func version(_ format: NetworkFormat, seen: String, read: String) -> ErrorReport {
    FileErrors.version("version '\(seen)' of \(format.title) is not supported", advice: "use \(read)").short
  }
  private static let language = DeclaredError(
    "pathcase.map-language", .unusableInput, "the language of the map is not supported")
  static func language(seen: String, read: String) -> ErrorReport {
    language("the map is \(seen), which is not supported", advice: "use \(read)").short
  }
  /// A reference has no target.
  static func dangling(from: String, to: String) -> ErrorReport {
    FileErrors.danglingReference("\(from) refers to \(to), which does not exist", advice: "correct the file").short
  }
  /// Two elements have the same id.
  static func duplicate(id: String, what: String) -> ErrorReport {
    FileErrors.duplicateID("\(what) '\(id)' occurs twice", advice: "rename one of them").short
  }
  /// An element has no id.
  static func missingID(what: String) -> ErrorReport {
    FileErrors.unusableID("\(what) has no id", advice: "give it one").short
  }
  /// A text is not a number.
  static func number(text: String, of: String) -> ErrorReport {
    FileErrors.number("'\(text.prefix(40))' of \(of) is not a number", advice: "write digits such as -12.5e3").short
  }
  /// A text is not one of the permitted words.
  static func word(text: String, of: String, known: [String]) -> ErrorReport {
    FileErrors.word(
      "'\(text.prefix(40))' is not a value of \(of)", advice: "write one of \(known.joined(separator: ", "))"
    ).short
  }
  /// Frames contain each other in a cycle.
  static func ring(_ ids: [String]) -> ErrorReport {
    FileErrors.cycle(
      "frames contain each other in a cycle: " + ids.prefix(12).joined(separator: " in ")
        + (ids.count > 12 ? " and \(ids.count - 12) more" : "")
    ).short
  }
  private static let notPlaced = DeclaredError(
    "pathcase.map-not-placed", .unusableInput, "the format needs positions, and a node has none: lay out the map first")
  static func notPlaced(node: String, format: NetworkFormat) -> ErrorReport {
    notPlaced("'\(node)' has no position, which \(format.title) needs", advice: "lay out the map first").short
  }
  /// The library that reads XML is missing.
  static func xmlLibraryMissing(reason: String) -> ErrorReport { FileErrors.xmlLibraryMissing(reason: reason).short }
  private static let systemFailure = DeclaredError(
    "pathcase.map-system", .failure, "a system library is missing, or memory is exhausted")
  static func system(_ reason: String) -> ErrorReport { systemFailure(reason).short }

  /// The stable codes of errors and warnings about maps alone; ``FileErrors`` has the others.
  static let errorCodes: [ErrorCodeDescription] =
    [unknownFormat, noMap, language].map(\.catalogueEntry) + [
      .init("pathcase.ref-002", "the end of a line has no target and is not connected"),
      .init("pathcase.more-warnings", "the file has more warnings than are shown"),
      .init("pathcase.map-simplified", "data of a map that cannot be kept is left out"),
    ] + [notPlaced, systemFailure].map(\.catalogueEntry)
}

extension MapError {
  /// Returns the error for one of a JSON document.
  static func of(_ error: JSONError) -> ErrorReport {
    let message = error.report.message
    return switch error {
    case .tooDeep: tooDeep(message)
    case .notUTF8, .otherEncoding: encoding(message)
    case .tooLarge(let limit): tooLarge(limitInBytes: limit)
    case .outOfMemory, .libraryMissing: system(message)
    case .syntax, .trailing, .truncated, .tooLong, .loneSurrogate, .noNumber: malformed(message)
    }
  }

  /// Returns the error for one of an XML reader; errors of its handler stay as they are.
  static func of(reading error: any Error) -> ErrorReport {
    switch error {
    case let error as ErrorReport: error
    case let error as XMLError:
      switch error {
      case .entity(let name, let line): forbidden("the file has the entity '\(name)' in line \(line)")
      case .tooDeep: tooDeep(error.description)
      case .tooLarge(let limit): tooLarge(limitInBytes: limit)
      // The messages of libxml2.
      case .notWellFormed(_, _, let reason) where ByteSearch.contains("UTF-8".utf8, in: reason.utf8):
        encoding(error.description)
      case .outOfMemory: system(error.description)
      case .libraryMissing(let reason): xmlLibraryMissing(reason: reason)
      case .notWellFormed, .truncated, .longName, .tooManyAttributes: malformed(error.description)
      }
    default: system("\(error)")
    }
  }

  /// Calls a function; adds a position to its error unless the error has one.
  ///
  /// - Parameters:
  ///   - line: The line, from 1; 0 if unknown.
  ///   - column: The column, from 1.
  static func placing<Result>(
    line: Int, column: Int, _ work: () throws(ErrorReport) -> Result
  ) throws(ErrorReport) -> Result {
    do {
      return try work()
    } catch {
      throw line > 0 && !error.isPlaced ? error.placed(line: line, column: column).short : error
    }
  }
}

extension ErrorReport {
  /// Returns the report with the line and column of its subject.
  func placed(line: Int, column: Int) -> ErrorReport {
    ErrorReport(
      code: code, kind: kind, "\(message) (line \(line), column \(column))", advice: advice,
      details: ["line": .integer(line), "column": .integer(column)])
  }

  /// True if ``placed(line:column:)`` made it.
  var isPlaced: Bool { details["line"] != nil }
}
