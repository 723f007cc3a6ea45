/// Where a record was told.
struct RecordPlace: Sendable, Hashable {
  /// The document, by its path or address.
  var document: String
  /// From 1.
  var line: Int
  /// From 1: where the start of the record's element ends.
  var column: Int

  /// As messages have it: `pools.xml:7:12`.
  var text: String { "\(document):\(line):\(column)" }
}

/// Something in a record that is wrong, or odd but usable.
struct RecordIssue: Error, Sendable, Hashable {
  /// What kind of thing it is, by its stable code.
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
  /// A sentence without a full stop that names the record.
  var message: String
  /// Where the record is; nil if that is not known.
  var place: RecordPlace?

  /// The sentence with its place.
  var text: String { place.map { "\($0.text): \(message)" } ?? message }
}
