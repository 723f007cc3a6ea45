import PluginAPI
import PluginText

/// An item as commands emit it, with the open result of its last capture.
struct ItemRecord: Model {
  private let item: BiometricItem
  private let undecided: Undecided?

  /// Returns items with the open results of their last captures.
  static func all(_ items: [BiometricItem], _ records: RecordStore) async throws -> [ItemRecord] {
    let entries = try await records.newestEntries(of: items.map(\.id))
    return items.map { item in
      ItemRecord(item: item, undecided: entries[item.id].flatMap { CaptureQuestion([$0]) }.flatMap(Undecided.init))
    }
  }

  /// Creates the record of an item, with the open result of its last capture.
  init(_ item: BiometricItem, _ records: RecordStore) async throws { self = try await Self.all([item], records)[0] }

  private init(item: BiometricItem, undecided: Undecided?) { (self.item, self.undecided) = (item, undecided) }

  static let typeName = WSABIValueType.item
  static let fields = Fields<ItemRecord> {
    Field("id", \.item.id, "the item's number, never given twice")
    Field("person", \.item.person, "the person's number")
    Field("index", \.item.index, "the place among the person's items, from 0")
    Field("modality", \.item.modality.title, "what kind of data")
    Field("submodality", \.item.submodality.wireName, "the word of the protocol")
    Field("title", \.item.submodality.title, "the submodality as people read it")
    Field("sensor", \.item.device.name, "the sensor's name")
    Field("address", \.item.device.address, "the sensor's address")
    Field("pins", \.item.device.trust.pins, "the hashes of keys by which the sensor is known over https")
    Field("configuration", \.item.device.configuration, "what the sensor is set to")
    Field("parts", { Part.all($0.item) }, "what a capture shows, with its condition")
    Field("notes", \.item.annotation.notes, "what the operator says of it")
    Field(
      "capture", { record in record.item.capture.map { CapturedRecord($0, of: record.item) } },
      "the newest capture; null while there is none")
    Field(
      "pictures", { record in record.item.pictures.map { CapturedRecord($0, of: record.item) } },
      "all pictures of the newest answer of a sensor, in the order of its ids; the first is 'capture'")
    Field("lost", \.item.losses, "pictures of the same answer that never came")
    Field(
      "undecided", \.undecided,
      "what the last capture left open, so that it is not captured again unasked; null for nothing")
    Field("created", \.item.created, "when the item was added")
    Field("modified", \.item.modified, "when the item was edited")
  }

  /// A part of the body that a capture shows, with its condition.
  private struct Part: Model {
    let part: BodyPart
    let condition: PartCondition

    static func all(_ item: BiometricItem) -> [Part] {
      zip(item.submodality.parts, item.annotation.conditions).map(Part.init)
    }

    static let typeName = "wsabi.part"
    static let fields = Fields<Part> {
      Field("part", \.part.title, "the part of the body")
      Field("condition", \.condition, "how it is")
    }
  }

  /// The open result of a capture.
  private struct Undecided: Model {
    /// The kind of an open result.
    enum Outcome: String, CaseIterable, FieldValue { case unknown, lost, waiting }

    let outcome: Outcome
    let reason: String

    /// Creates the result of a question; nil for one about a sensor.
    init?(_ question: CaptureQuestion) {
      switch question {
      case .unknown(let reason): (outcome, self.reason) = (.unknown, reason)
      case .lost(let reason): (outcome, self.reason) = (.lost, reason)
      case .waiting(let reason): (outcome, self.reason) = (.waiting, reason)
      case .held, .busy: return nil
      }
    }

    static let typeName = "wsabi.undecided"
    static let fields = Fields<Undecided> {
      Field(
        "outcome", \.outcome,
        "nobody knows whether it was captured; its data cannot be had; its data is at the sensor still")
      Field("reason", { SanitizedText.line($0.reason, limit: 300) }, "why")
    }
  }
}

extension PartCondition: FieldValue {}

extension LostPicture: Model {
  static let typeName = "wsabi.lost-picture"
  static let fields = Fields<LostPicture> {
    Field("captureId", \.captureID.text, "the id the service gave")
    Field("place", \.place, "which of the ids, from 0")
    Field("reason", { SanitizedText.line($0.reason, limit: 300) }, "why it cannot be had any more")
  }
}

/// A stored capture as commands emit it.
struct CapturedRecord: Model {
  private let record: CaptureRecord
  private let subject: CaptureSubject?
  private let isRenamed: Bool

  /// - Parameter item: The captured item; nil if it was not looked up.
  init(_ record: CaptureRecord, of item: BiometricItem? = nil) {
    self.record = record
    subject = record.subject ?? item?.subject
    isRenamed = item?.isRenamed(record) ?? false
  }

  static let typeName = "wsabi.capture"
  static let fields = Fields<CapturedRecord> {
    Field("id", \.record.id, "the capture's number, never given twice")
    Field("captureId", \.record.captureID.text, "the id the service gave it")
    Field("address", \.record.address, "the service that gave it")
    Field("sizeInBytes", \.record.sizeInBytes, "how large it is")
    Field("sha256", { Hexadecimal.text($0.record.sha256) }, "of the data, in hexadecimal digits")
    Field("claimedType", \.record.claimedType, "what the service says it is")
    Field("sniffedType", \.record.sniffedType, "what its first bytes say it is; null if nobody knows them")
    Field("received", \.record.received, "when the last byte was here")
    Field("quality", \.record.quality?.score, "from 0 to 100; null if nobody scored it")
    Field("scorer", \.record.quality?.scorer, "who scored it")
    Field("metadata", \.record.metadata, "what the service says of it")
    Field("modality", { $0.subject?.modality.title ?? "" }, "what kind of data it was made as; empty if nobody knows")
    Field(
      "submodality", { $0.subject?.submodality.wireName ?? "" },
      "what it was made as, in the word of the protocol; empty if nobody knows")
    Field("title", { $0.subject?.submodality.title ?? "" }, "the same as people read it")
    Field("isRenamed", \.isRenamed, "whether the item is called something else since")
    Field("act", \.record.act, "the act of capture: pictures of one answer have the same number")
    Field("place", \.record.place, "which of the answer's ids it is, from 0")
  }
}

/// The number of a deleted record.
struct DeletedRecord: Model {
  let number: Int

  static let typeName = "wsabi.deleted"
  static let fields = Fields<DeletedRecord> { Field("deleted", \.number, "the number of what is no more") }
}

extension WireDictionary: FieldValue {
  static var schema: ValueSchema { .map(.text) }

  /// The plain values as texts, in the order of the keys; other values are only described.
  var fieldValue: Value { .record(Record(items.map { Record.Field($0.key, .text($0.value.shownText)) })) }
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
    case .string, .boolean, .integer, .decimal, .double, .dateTime, .uri, .other: plainText ?? ""
    }
  }
}
