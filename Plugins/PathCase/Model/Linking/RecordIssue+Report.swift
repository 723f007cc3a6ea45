import PluginAPI

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
    default: false
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
    case .identicalDuplicate: "a record is told twice in the same words and was taken once"
    case .unusableIdentifier: "an id is empty or has a blank in it"
    case .unusableNumber: "a number is not written as one, not finite or out of its range"
    case .unusableBoolean: "a truth value is none of true, false, 1 and 0"
    case .unknownWord: "a word is none of those that may stand there: the message lists them"
    case .compartmentCycle: "compartments lie inside each other in a circle"
    case .noMovedMatter: "a process moves no matter: it is drawn, but left out of the analysis"
    case .selfLoop: "a process takes from the pool it gives to"
    case .oddTransport: "a transport stays in its compartment or changes the metabolite"
    case .repeatedInput: "a pool takes part in a process in two roles of the same side"
    case .thresholdOrder: "the thresholds of a pool are not in rising order"
    case .layoutLacksNodes: "a layout has no place for some nodes: they are placed anew"
    case .layoutOfOnePoint: "a layout has all nodes at one point and is not used"
    case .layoutOfUnknown: "a layout has places for nodes that its pathway has not: they are dropped"
    }
  }
}
