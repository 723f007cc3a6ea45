import PluginAPI

/// The reasons for which a file cannot be read as a map, or a map cannot be written.
indirect enum MapError: Error, Equatable, ReportableError {
  /// The error of an element, with the position where its start tag ends, from 1.
  case placed(line: Int, column: Int, MapError)
  /// The file violates a rule of XML or JSON, or is truncated.
  case malformed(String)
  /// It has a document type or entities, which its format does not permit.
  case forbidden(String)
  /// It is a web page, which services may send instead of the requested file.
  case webPage
  /// It is nested too deeply.
  case tooDeep(String)
  /// It is not in the expected encoding.
  case encoding(String)
  /// Its compressed content is larger than permitted.
  case tooLarge(limitInBytes: Int)
  /// The compressed data are truncated or damaged.
  case compression(String)
  /// The format is not recognized.
  case unknownFormat(seen: String)
  /// The format is recognized and does not hold maps.
  case noMap(NetworkFormat)
  /// The structure does not match the format.
  case structure(NetworkFormat, String)
  /// The version of the format is not supported.
  case version(NetworkFormat, seen: String, read: String)
  /// The language of the format is not supported.
  case language(seen: String, read: String)
  /// A reference has no target.
  case dangling(from: String, to: String)
  /// Two elements have the same id.
  case duplicate(id: String, what: String)
  /// An element has no id.
  case missingID(what: String)
  /// A text is not a number.
  case number(text: String, of: String)
  /// A text is not one of the permitted words.
  case word(text: String, of: String, known: [String])
  /// Frames contain each other in a cycle.
  case ring([String])
  /// An element has no position, which the format requires.
  case notPlaced(node: String, format: NetworkFormat)
  /// The library that reads XML is missing.
  case xmlLibraryMissing(reason: String)
  /// Another system library is missing, or memory is exhausted.
  case system(String)

  var report: ErrorReport { whole.short }

  private var whole: ErrorReport {
    switch self {
    case .placed(let line, let column, let error): error.report.placed(line: line, column: column)
    case .malformed(let reason):
      FileErrors.notWellFormed("the file is not well-formed: \(reason)", advice: "get a complete copy of the file")
    case .forbidden(let reason):
      FileErrors.forbidden(reason, advice: "remove it from the file; external content is not read")
    case .webPage:
      FileErrors.forbidden("the file is a web page", advice: "download the file itself; the site may need a login")
    case .tooDeep(let reason): FileErrors.beyondLimits(reason, advice: "get the file from its source again")
    case .encoding(let reason): FileErrors.encoding(reason, advice: "save the file as UTF-8")
    case .tooLarge(let limit):
      FileErrors.tooLarge("the compressed file holds more than \(limit) bytes", advice: "decompress and check it first")
    case .compression(let reason): FileErrors.packing(reason)
    case .unknownFormat(let seen):
      Self.unrecognized(
        "the format of the file is not known: it is \(seen)",
        advice: "use one of " + NetworkFormat.allCases.map(\.title).joined(separator: ", "))
    case .noMap(let format):
      Self.withoutMap("the file is \(format.title), which has no drawn map", advice: "lay it out instead")
    case .structure(let format, let reason):
      FileErrors.structure("the file is not valid \(format.title): \(reason)")
    case .version(let format, let seen, let read):
      FileErrors.version("version '\(seen)' of \(format.title) is not supported", advice: "use \(read)")
    case .language(let seen, let read):
      Self.unsupportedLanguage("the map is \(seen), which is not supported", advice: "use \(read)")
    case .dangling(let from, let to):
      FileErrors.danglingReference("\(from) refers to \(to), which does not exist", advice: "correct the file")
    case .duplicate(let id, let what):
      FileErrors.duplicateID("\(what) '\(id)' occurs twice", advice: "rename one of them")
    case .missingID(let what): FileErrors.unusableID("\(what) has no id", advice: "give it one")
    case .number(let text, let of):
      FileErrors.number("'\(text.prefix(40))' of \(of) is not a number", advice: "write digits such as -12.5e3")
    case .word(let text, let of, let known):
      FileErrors.word(
        "'\(text.prefix(40))' is not a value of \(of)", advice: "write one of \(known.joined(separator: ", "))")
    case .ring(let ids):
      FileErrors.cycle(
        "frames contain each other in a cycle: " + ids.prefix(12).joined(separator: " in ")
          + (ids.count > 12 ? " and \(ids.count - 12) more" : ""))
    case .notPlaced(let node, let format):
      Self.withoutPosition("'\(node)' has no position, which \(format.title) needs", advice: "lay out the map first")
    case .xmlLibraryMissing(let reason): FileErrors.xmlLibraryMissing(reason: reason)
    case .system(let reason): Self.systemFailure(reason)
    }
  }

  private static let unrecognized = DeclaredError(
    "pathcase.unknown-format", .unusableInput, "the format of the file is not known")
  private static let withoutMap = DeclaredError(
    "pathcase.no-map", .unusableInput, "the format of the file has no drawn maps")
  private static let unsupportedLanguage = DeclaredError(
    "pathcase.map-language", .unusableInput, "the language of the map is not supported")
  private static let withoutPosition = DeclaredError(
    "pathcase.map-not-placed", .unusableInput,
    "the format needs positions, and a node has none: lay out the map first")
  private static let systemFailure = DeclaredError(
    "pathcase.map-system", .failure, "a system library is missing, or memory is exhausted")

  /// The stable codes of errors and warnings about maps alone; ``FileErrors`` has the others.
  static let errorCodes: [ErrorCodeDescription] =
    [unrecognized, withoutMap, unsupportedLanguage].map(\.catalogueEntry) + [
      .init("pathcase.ref-002", "the end of a line has no target and is not connected"),
      .init("pathcase.more-warnings", "the file has more warnings than are shown"),
      .init("pathcase.map-simplified", "data of a map that cannot be kept is left out"),
    ] + [withoutPosition, systemFailure].map(\.catalogueEntry)
}

extension ErrorReport {
  /// Returns the report with the line and column of its subject.
  func placed(line: Int, column: Int) -> ErrorReport {
    ErrorReport(
      code: code, kind: kind, "\(message) (line \(line), column \(column))", advice: advice,
      details: ["line": .integer(line), "column": .integer(column)])
  }
}
