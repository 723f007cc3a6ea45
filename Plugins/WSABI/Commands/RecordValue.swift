import PluginAPI
import PluginText

/// People, items and captures as commands give them.
enum RecordValue {
  /// The fields of a biography: option and key, description, and property.
  static let biography: [(name: String, summary: String, path: any WritableKeyPath<Biography, String> & Sendable)] = [
    ("first-name", "the first name", \.firstName), ("middle-name", "the middle name", \.middleName),
    ("last-name", "the last name", \.lastName), ("other-name", "a name where there is none of these", \.otherName),
    ("gender", "the gender: \(words(Biography.genders))", \.gender),
    ("hair-color", "the colour of the hair: \(words(Biography.hairColors))", \.hairColor),
    ("race", "the race: \(words(Biography.races))", \.race),
    ("eye-color", "the colour of the eyes: \(words(Biography.eyeColors))", \.eyeColor),
    ("height", "the height, with its unit", \.height), ("weight", "the weight, with its unit", \.weight),
    ("notes", "notes", \.notes),
  ]

  private static func words(_ choices: [String]) -> String {
    choices.filter { !$0.isEmpty }.joined(separator: ", ")
  }

  /// The fields of a biography that can be several.
  static let lists: [(name: String, summary: String, path: any WritableKeyPath<Biography, [String]> & Sendable)] = [
    ("alias", "another name the person uses", \.aliases), ("date-of-birth", "as yyyy-mm-dd", \.datesOfBirth),
    ("place-of-birth", "where the person was born", \.placesOfBirth),
  ]

  static let personFields: [ValueSchema.Field] =
    [
      .init("id", .integer, "the person's number, never given twice"),
      .init("name", .optional(.text), "as it is shown"),
    ]
    + biography.map { .init(key($0.name), .text, $0.summary) }
    + lists.map { .init(key($0.name), .list(.text), $0.summary) }
    + [.init("created", .date, "when the person was added"), .init("modified", .date, "when the person was edited")]

  static func person(_ person: Person) -> Value {
    var record: Record = ["id": .integer(person.id), "name": .optional(person.biography.name)]
    for field in biography { record[key(field.name)] = .text(person.biography[keyPath: field.path]) }
    for field in lists { record[key(field.name)] = .list(person.biography[keyPath: field.path].map(Value.text)) }
    record["created"] = .date(person.created)
    record["modified"] = .date(person.modified)
    return .record(record)
  }

  static let itemFields: [ValueSchema.Field] = [
    .init("id", .integer, "the item's number, never given twice"), .init("person", .integer, "the person's number"),
    .init("index", .integer, "the place among the person's items, from 0"),
    .init("modality", .text, "what kind of data"), .init("submodality", .text, "the word of the protocol"),
    .init("title", .text, "the submodality as people read it"), .init("sensor", .text, "the sensor's name"),
    .init("address", .text, "the sensor's address"),
    .init("pins", .list(.text), "the hashes of keys by which the sensor is known over https"),
    .init("configuration", .map(.text), "what the sensor is set to"),
    .init("parts", .list(.record(partFields)), "what a capture shows, with its condition"),
    .init("notes", .text, "what the operator says of it"),
    .init("capture", .optional(.record(captureFields)), "the newest capture; null while there is none"),
    .init(
      "pictures", .list(.record(captureFields)),
      "all pictures of the newest answer of a sensor, in the order of its ids; the first is 'capture'"),
    .init(
      "lost",
      .list(
        .record([
          .init("captureId", .text, "the id the service gave"), .init("place", .integer, "which of the ids, from 0"),
          .init("reason", .text, "why it cannot be had any more"),
        ])), "pictures of the same answer that never came"),
    .init(
      "undecided", .optional(.record(questionFields)),
      "what the last capture left open, so that it is not captured again unasked; null for nothing"),
    .init("created", .date, "when the item was added"), .init("modified", .date, "when the item was edited"),
  ]

  private static let questionFields: [ValueSchema.Field] = [
    .init(
      "outcome", .choice(["unknown", "lost", "waiting"]),
      "nobody knows whether it was captured; its data cannot be had; its data is at the sensor still"),
    .init("reason", .text, "why"),
  ]

  private static let partFields: [ValueSchema.Field] = [
    .init("part", .text, "the part of the body"),
    .init("condition", .choice(PartCondition.allCases.map(\.rawValue)), "how it is"),
  ]

  /// Returns items with the open results of their last captures.
  static func items(_ items: [BiometricItem], _ records: RecordStore) async throws -> [Value] {
    let entries = try await records.newestEntries(of: items.map(\.id))
    return items.map { item in self.item(item, entries[item.id].flatMap { CaptureQuestion([$0]) }) }
  }

  /// Returns an item with the open result of its last capture.
  static func item(_ item: BiometricItem, _ records: RecordStore) async throws -> Value {
    try await items([item], records).first ?? .null
  }

  private static func value(_ question: CaptureQuestion?) -> Value {
    switch question {
    case .unknown(let reason): ["outcome": "unknown", "reason": .text(SanitizedText.line(reason, limit: 300))]
    case .lost(let reason): ["outcome": "lost", "reason": .text(SanitizedText.line(reason, limit: 300))]
    case .waiting(let reason): ["outcome": "waiting", "reason": .text(SanitizedText.line(reason, limit: 300))]
    case .held, .busy, nil: .null
    }
  }

  private static func item(_ item: BiometricItem, _ question: CaptureQuestion?) -> Value {
    [
      "id": .integer(item.id), "person": .integer(item.person), "index": .integer(item.index),
      "modality": .text(item.modality.title), "submodality": .text(item.submodality.wireName),
      "title": .text(item.submodality.title), "sensor": .text(item.device.name),
      "address": .text(item.device.address), "pins": .list(item.device.trust.pins.map(Value.text)),
      "configuration": configuration(item.device.configuration),
      "parts": .list(
        zip(item.submodality.parts, item.annotation.conditions).map { part, condition in
          ["part": .text(part.title), "condition": .text(condition.rawValue)]
        }),
      "notes": .text(item.annotation.notes), "capture": item.capture.map { capture($0, of: item) } ?? .null,
      "pictures": .list(item.pictures.map { capture($0, of: item) }), "lost": .list(item.losses.map(lost)),
      "undecided": value(question), "created": .date(item.created), "modified": .date(item.modified),
    ]
  }

  private static func lost(_ loss: LostPicture) -> Value {
    [
      "captureId": .text(loss.captureID.text), "place": .integer(loss.place),
      "reason": .text(SanitizedText.line(loss.reason, limit: 300)),
    ]
  }

  static let captureFields: [ValueSchema.Field] = [
    .init("id", .integer, "the capture's number, never given twice"),
    .init("captureId", .text, "the id the service gave it"), .init("address", .text, "the service that gave it"),
    .init("sizeInBytes", .integer, "how large it is"), .init("sha256", .text, "of the data, in hexadecimal digits"),
    .init("claimedType", .text, "what the service says it is"),
    .init("sniffedType", .optional(.text), "what its first bytes say it is; null if nobody knows them"),
    .init("received", .date, "when the last byte was here"),
    .init("quality", .optional(.integer), "from 0 to 100; null if nobody scored it"),
    .init("scorer", .optional(.text), "who scored it"),
    .init("metadata", .map(.text), "what the service says of it"),
    .init("modality", .text, "what kind of data it was made as; empty if nobody knows"),
    .init("submodality", .text, "what it was made as, in the word of the protocol; empty if nobody knows"),
    .init("title", .text, "the same as people read it"),
    .init("isRenamed", .bool, "whether the item is called something else since"),
    .init("act", .integer, "the act of capture: pictures of one answer have the same number"),
    .init("place", .integer, "which of the answer's ids it is, from 0"),
  ]

  /// - Parameter item: The captured item; nil if it was not looked up.
  static func capture(_ record: CaptureRecord, of item: BiometricItem? = nil) -> Value {
    let subject = record.subject ?? item?.subject
    return [
      "id": .integer(record.id), "captureId": .text(record.captureID.text), "address": .text(record.address),
      "sizeInBytes": .integer(record.sizeInBytes), "sha256": .text(Hexadecimal.text(record.sha256)),
      "claimedType": .text(record.claimedType), "sniffedType": .optional(record.sniffedType),
      "received": .date(record.received), "quality": record.quality.map { .integer($0.score) } ?? .null,
      "scorer": .optional(record.quality?.scorer), "metadata": configuration(record.metadata),
      "modality": .text(subject?.modality.title ?? ""), "submodality": .text(subject?.submodality.wireName ?? ""),
      "title": .text(subject?.submodality.title ?? ""), "isRenamed": .bool(item?.isRenamed(record) ?? false),
      "act": .integer(record.act), "place": .integer(record.place),
    ]
  }

  /// Returns the plain values of a dictionary as texts; other values are only marked as present.
  static func configuration(_ dictionary: WireDictionary) -> Value {
    var record = Record()
    for item in dictionary.items { record[item.key] = .text(item.value.shownText) }
    return .record(record)
  }

  /// Returns an option's name as a key: `first-name` is `firstName`.
  static func key(_ option: String) -> String {
    let words = option.split(separator: "-")
    return words.enumerated().map { $0 == 0 ? String($1) : $1.prefix(1).uppercased() + $1.dropFirst() }.joined()
  }
}

extension WireValue {
  /// The value in a line, for people.
  var shownText: String {
    switch self {
    case .null: ""
    case .resolution(let resolution):
      "\(resolution.width) × \(resolution.height)" + (resolution.unit.map { " \($0)" } ?? "")
    case .resource(let resource): resource.uri
    case .array(let elements, _): elements.map(\.shownText).joined(separator: ", ")
    case .bytes(let bytes): "\(bytes.count) bytes"
    case .parameter(let parameter): parameter.defaultValue.shownText
    case .range(let range):
      "\(range.minimum?.shownText ?? "…") to \(range.maximum?.shownText ?? "…")"
    case .dictionary(let dictionary): "\(dictionary.items.count) values"
    default: plainText ?? ""
    }
  }
}
