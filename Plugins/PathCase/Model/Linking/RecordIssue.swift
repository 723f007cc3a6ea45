import PluginAPI

/// The position of a record in a document.
struct RecordPlace: Sendable, Hashable {
  /// The path or address of the document.
  var document: String
  /// The line number, from 1.
  var line: Int
  /// The column at which the start tag of the record's element ends, from 1.
  var column: Int

  /// The position in the form used in messages: `pools.xml:7:12`.
  var text: String { "\(document):\(line):\(column)" }
}

/// A problem in a record, either an error or a warning.
struct RecordIssue: Error, Sendable, Hashable {
  /// The kind of an issue, by its stable code.
  enum Code: String, Sendable, CaseIterable {
    case unknownContent = "str-003"
    case missingAttribute = "str-005"
    case longText = "str-006"
    case trailingBytes = "str-007"
    case danglingReference = "ref-001"
    case differingDuplicate = "id-001"
    case identicalDuplicate = "id-002"
    case unusableIdentifier = "id-003"
    case unusableNumber = "typ-001"
    case unusableBoolean = "typ-002"
    case unknownWord = "typ-003"
    case compartmentCycle = "sem-001"
    case noMovedMatter = "sem-002"
    case selfLoop = "sem-003"
    case oddTransport = "sem-004"
    case repeatedInput = "sem-005"
    case thresholdOrder = "sem-006"
    case layoutLacksNodes = "lay-001"
    case layoutOfOnePoint = "lay-002"
    case layoutOfUnknown = "lay-003"
  }

  var code: Code
  /// A sentence that names the record, without a final stop.
  var message: String
  /// The position of the record; nil if it is unknown.
  var location: RecordPlace?

  /// The sentence, preceded by the position.
  var text: String { location.map { "\($0.text): \(message)" } ?? message }
}

extension RecordIssue {
  /// The maximum number of issues kept.
  static let kept = 100

  /// Returns the error for a list of issues: the first as the message, all of them as details grouped by code.
  ///
  /// - Parameters:
  ///   - issues: The issues that were kept, at least one.
  ///   - total: The number of issues found.
  ///   - whole: The name of the checked data, as it appears in the sentence.
  static func report(of issues: [RecordIssue], total: Int, in whole: String) -> ErrorReport {
    guard let first = issues.first else {
      return FileErrors.structure("\(whole) cannot be used")
    }
    let groups = Code.allCases.compactMap { code -> Record.Field? in
      let texts = issues.filter { $0.code == code }.map { Value.text($0.text) }
      return texts.isEmpty ? nil : .init(code.rawValue, .list(texts))
    }
    let lead = total == 1 ? "\(whole) has an error" : "\(whole) has \(total) errors, the first"
    return ErrorReport(
      code: first.code.errorCode, kind: .unusableInput, "\(lead): \(first.text)", advice: first.code.advice,
      details: Record([.init("errors", .integer(total))] + groups))
  }

  /// The stable error codes of records alone; ``FileErrors`` has the others.
  static let errorCodes: [ErrorCodeDescription] = [
    .init("pathcase.str-005", "a record lacks a required attribute"),
    .init("pathcase.str-006", "a name is very long and is shown truncated"),
    .init("pathcase.str-007", "bytes after the end of the compressed document were ignored"),
    .init("pathcase.id-002", "a record is listed twice with the same content and was used once"),
    .init("pathcase.sem-002", "a process converts nothing; it is drawn but left out of the analysis"),
    .init("pathcase.sem-003", "a process both consumes and produces a pool"),
    .init("pathcase.sem-004", "a transport stays in its compartment or changes the metabolite"),
    .init("pathcase.sem-005", "a process has a pool more than once on one side; the amounts are added"),
    .init("pathcase.lay-001", "a layout has no position for some nodes, which are laid out"),
    .init("pathcase.lay-002", "a layout has all nodes at one point and is not used"),
    .init("pathcase.lay-003", "a layout has positions of nodes that are not in its pathway; they are ignored"),
  ]
}

extension RecordIssue.Code {
  /// The code as shown to users and scripts.
  var errorCode: String { "pathcase.\(rawValue)" }

  /// A Boolean value indicating whether the issue makes a document or database unusable; other issues are warnings.
  var isError: Bool {
    switch self {
    case .missingAttribute, .danglingReference, .differingDuplicate, .unusableIdentifier, .unusableNumber,
      .unusableBoolean, .unknownWord, .compartmentCycle, .thresholdOrder:
      true
    case .unknownContent, .longText, .trailingBytes, .identicalDuplicate, .noMovedMatter, .selfLoop, .oddTransport,
      .repeatedInput, .layoutLacksNodes, .layoutOfOnePoint, .layoutOfUnknown:
      false
    }
  }

  fileprivate var advice: String? { isError ? "correct the document, or use another version of the database" : nil }
}

/// The reasons for which the records of a snapshot do not form a database.
enum LinkingError: Error, Equatable, ReportableError {
  /// Records contradict each other; at most 100 issues are kept, in the order in which they were found.
  case unusable(issues: [RecordIssue], total: Int)

  var report: ErrorReport {
    switch self {
    case .unusable(let issues, let total): RecordIssue.report(of: issues, total: total, in: "the database").short
    }
  }
}

/// The positions of a snapshot's records, in the order of the records.
struct RecordPlaces: Sendable, Hashable {
  private var lists: [ContractType: [RecordPlace]] = [:]

  /// Accesses the positions of the records of a type; empty if unknown.
  subscript(type: ContractType) -> [RecordPlace] {
    get { lists[type] ?? [] }
    set { lists[type] = newValue }
  }

  /// Returns the position of a record by its index, from 0; nil if unknown.
  subscript(type: ContractType, index: Int) -> RecordPlace? {
    guard let list = lists[type], list.indices.contains(index) else { return nil }
    return list[index]
  }

  /// Adds the position of the next record of a type.
  mutating func append(_ location: RecordPlace, to type: ContractType) { lists[type, default: []].append(location) }
}

extension RecordPlaces {
  /// Adds the positions of another document's records.
  mutating func add(_ other: RecordPlaces) {
    for type in ContractType.allCases where !other[type].isEmpty { self[type] += other[type] }
  }
}
