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
  var place: RecordPlace?

  /// The sentence, preceded by the position.
  var text: String { place.map { "\($0.text): \(message)" } ?? message }
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
      return ErrorReport(code: "pathcase.str-001", kind: .unusableInput, "\(whole) cannot be used")
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

  /// The stable error codes of records.
  static let errorCodes = Code.allCases.map { ErrorCodeDescription($0.errorCode, $0.summary) }
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

  fileprivate var advice: String? { isError ? "mend the document, or take another state of the database" : nil }

  fileprivate var summary: String {
    switch self {
    case .unknownContent: "elements or attributes that no rule knows were passed over"
    case .missingAttribute: "a record lacks an attribute that it needs"
    case .longText: "a name is so long that it is shown cut"
    case .trailingBytes: "bytes behind the end of the packed document were passed over"
    case .danglingReference: "a record names another one that is not there: both are named"
    case .differingDuplicate: "two different records have one id"
    case .identicalDuplicate: "a record is listed twice with the same content and was used once"
    case .unusableIdentifier: "an id is empty or has a blank in it"
    case .unusableNumber: "a number is not written as one, not finite or out of its range"
    case .unusableBoolean: "a truth value is none of true, false, 1 and 0"
    case .unknownWord: "a word is none of those that may stand there: the message lists them"
    case .compartmentCycle: "compartments contain each other in a cycle"
    case .noMovedMatter: "a process moves no matter: it is drawn, but left out of the analysis"
    case .selfLoop: "a process takes from the pool it gives to"
    case .oddTransport: "a transport stays in its compartment or changes the metabolite"
    case .repeatedInput: "a pool takes part in a process in two roles of the same side"
    case .thresholdOrder: "the thresholds of a pool are not in rising order"
    case .layoutLacksNodes: "a layout has no position for some nodes: they are laid out"
    case .layoutOfOnePoint: "a layout has all nodes at one point and is not used"
    case .layoutOfUnknown: "a layout has positions of nodes that are not in its pathway: they are dropped"
    }
  }
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
  mutating func append(_ place: RecordPlace, to type: ContractType) { lists[type, default: []].append(place) }
}

extension RecordPlaces {
  /// Adds the positions of another document's records.
  mutating func add(_ other: RecordPlaces) {
    for type in ContractType.allCases where !other[type].isEmpty { self[type] += other[type] }
  }
}
