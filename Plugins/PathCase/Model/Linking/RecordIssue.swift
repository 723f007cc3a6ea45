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
