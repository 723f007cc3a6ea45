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
  /// A system library is missing, or memory is exhausted.
  case system(String)

  var report: ErrorReport { whole.short }

  private var whole: ErrorReport {
    switch self {
    case .placed(let line, let column, let error): error.report.placed(line: line, column: column)
    case .malformed(let reason):
      Self.unusable("xml-001", "the file is not well-formed: \(reason)", "get it again, whole")
    case .forbidden(let reason): Self.unusable("xml-002", reason, "remove it from the file: nothing outside it is read")
    case .webPage:
      Self.unusable("xml-002", "the file is a web page", "get the file itself, logged in where that is needed")
    case .tooDeep(let reason): Self.unusable("xml-004", reason, "such a file is not a map")
    case .encoding(let reason): Self.unusable("xml-005", reason, "write the file as UTF-8")
    case .tooLarge(let limit):
      Self.unusable(
        "xml-006", "the compressed file holds more than \(limit) bytes", "uncompress it and look at it first")
    case .compression(let reason): Self.unusable("xml-007", reason, "get the file again, whole")
    case .unknownFormat(let seen):
      Self.unusable(
        "unknown-format", "the file is of no known format: it is \(seen)",
        "give one of " + NetworkFormat.allCases.map(\.title).joined(separator: ", "))
    case .noMap(let format):
      Self.unusable("no-map", "the file is \(format.title), which holds no drawn map", "lay it out instead")
    case .structure(let format, let reason):
      Self.unusable("str-001", "the file is not built as \(format.title) is: \(reason)")
    case .version(let format, let seen, let read):
      Self.unusable("str-002", "the file is \(format.title) of version '\(seen)'", "what is read is \(read)")
    case .language(let seen, let read): Self.unusable("map-language", "the map is \(seen)", "what is read is \(read)")
    case .dangling(let from, let to):
      Self.unusable("ref-001", "\(from) refers to \(to), which is not there", "correct the file")
    case .duplicate(let id, let what): Self.unusable("id-001", "\(what) '\(id)' is there twice", "rename one of them")
    case .missingID(let what): Self.unusable("id-003", "\(what) has no id", "give it one")
    case .number(let text, let of):
      Self.unusable("typ-001", "'\(text.prefix(40))' of \(of) is not a number", "write digits such as -12.5e3")
    case .word(let text, let of, let known):
      Self.unusable(
        "typ-003", "'\(text.prefix(40))' is not a value of \(of)", "write one of \(known.joined(separator: ", "))")
    case .ring(let ids):
      Self.unusable(
        "sem-001",
        "frames lie in each other: " + ids.prefix(12).joined(separator: " in ")
          + (ids.count > 12 ? " and \(ids.count - 12) more" : ""))
    case .notPlaced(let node, let format):
      Self.unusable("map-not-placed", "'\(node)' has no place, which \(format.title) needs", "lay the map out first")
    case .system(let reason): ErrorReport(code: "pathcase.map-system", kind: .failure, reason)
    }
  }

  private static func unusable(_ code: String, _ message: String, _ advice: String? = nil) -> ErrorReport {
    ErrorReport(code: "pathcase." + code, kind: .unusableInput, message, advice: advice)
  }

  /// The stable codes of errors and warnings about maps.
  static let errorCodes: [ErrorCodeDescription] = [
    .init("pathcase.xml-001", "a file breaks a rule of XML or JSON, or ends too early"),
    .init("pathcase.xml-002", "a file declares a document type or entities, which are not read, or is a web page"),
    .init("pathcase.xml-004", "a file is nested deeper than 512 levels, or has too many elements or attributes"),
    .init("pathcase.xml-005", "a file has bytes that its encoding does not have"),
    .init("pathcase.xml-006", "a compressed file holds more than is allowed"),
    .init("pathcase.xml-007", "a compressed file is cut or damaged"),
    .init("pathcase.unknown-format", "the format of a file cannot be told by its content"),
    .init("pathcase.no-map", "the format of a file is known and holds no drawn map"),
    .init("pathcase.str-001", "a file is not built as its format is"),
    .init("pathcase.str-002", "a file is of a version of its format that is not read"),
    .init("pathcase.map-language", "a map is in a language of its format that is not read"),
    .init("pathcase.ref-001", "something in a file refers to what is not there"),
    .init("pathcase.ref-002", "an end of a line refers to nothing and stays free"),
    .init("pathcase.id-001", "two things in a file have one id"),
    .init("pathcase.id-003", "something in a file has no id"),
    .init("pathcase.typ-001", "a text that should be a number is none"),
    .init("pathcase.sem-001", "compartments lie in each other in a ring"),
    .init("pathcase.more-warnings", "a file has more warnings than are kept"),
    .init("pathcase.map-simplified", "something of a map cannot be kept and is left out"),
    .init("pathcase.map-not-placed", "a format needs places, and a node has none: lay it out first"),
    .init("pathcase.map-system", "a library of the system is missing, or memory is"),
  ]
}

extension ErrorReport {
  /// Returns the report with the line and column of its subject.
  func placed(line: Int, column: Int) -> ErrorReport {
    ErrorReport(
      code: code, kind: kind, "\(message) (line \(line), column \(column))", advice: advice,
      details: ["line": .integer(line), "column": .integer(column)])
  }
}
