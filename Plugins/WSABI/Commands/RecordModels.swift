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
    Field("id", \.item.id, "Number of the item; never reused")
    Field("person", \.item.person, "Number of the person")
    Field("index", \.item.index, "Index among the person's items, from 0")
    Field("modality", \.item.modality.title, "Kind of data")
    Field("submodality", \.item.submodality.wireName, "Submodality as in the protocol")
    Field("title", \.item.submodality.title, "Title of the submodality")
    Field("sensor", \.item.device.name, "Name of the sensor")
    Field("address", \.item.device.address, "Address of the sensor")
    Field("pins", \.item.device.trust.pins, "Pins: hashes of the keys that the sensor may have over HTTPS")
    Field("configuration", \.item.device.configuration, "Settings of the sensor")
    Field("parts", { Part.all($0.item) }, "Parts of the body that a capture shows, with their conditions")
    Field("notes", \.item.annotation.notes, "Notes of the operator")
    Field(
      "capture", { record in record.item.capture.map { CapturedRecord($0, of: record.item) } },
      "Newest capture; null if there is none")
    Field(
      "pictures", { record in record.item.pictures.map { CapturedRecord($0, of: record.item) } },
      "All pictures of the newest response of a sensor, in the order of their ids; the first is 'capture'")
    Field("lost", \.item.losses, "Pictures of the same response that were not received")
    Field(
      "undecided", \.undecided,
      "What the last capture left undecided; null if nothing")
    Field("created", \.item.created, "Time the item was added")
    Field("modified", \.item.modified, "Time of the last edit")
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
      Field("part", \.part.title, "Part of the body")
      Field("condition", \.condition, "Condition of the part")
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
        "Outcome of the last capture: unknown, data lost, or data still at the sensor")
      Field("reason", { SanitizedText.line($0.reason, limit: 300) }, "Reason")
    }
  }
}

extension PartCondition: FieldValue {}

extension LostPicture: Model {
  static let typeName = "wsabi.lost-picture"
  static let fields = Fields<LostPicture> {
    Field("captureId", \.captureID.text, "Capture id of the service")
    Field("place", \.place, "Index among the ids, from 0")
    Field("reason", { SanitizedText.line($0.reason, limit: 300) }, "Reason of the loss")
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
    Field("id", \.record.id, "Number of the capture; never reused")
    Field("captureId", \.record.captureID.text, "Capture id of the service")
    Field("address", \.record.address, "Address of the service")
    Field("sizeInBytes", \.record.sizeInBytes, "Size of the data")
    Field("sha256", { Hexadecimal.text($0.record.sha256) }, "SHA-256 of the data, in hexadecimal digits")
    Field("claimedType", \.record.claimedType, "Type according to the service")
    Field("sniffedType", \.record.sniffedType, "Type according to the first bytes; null if unknown")
    Field("received", \.record.received, "Time the last byte was received")
    Field("quality", \.record.quality?.score, "Quality from 0 to 100; null if not scored")
    Field("scorer", \.record.quality?.scorer, "Name of the scorer")
    Field("metadata", \.record.metadata, "Metadata of the service")
    Field("modality", { $0.subject?.modality.title ?? "" }, "Modality at the time of the capture; empty if unknown")
    Field(
      "submodality", { $0.subject?.submodality.wireName ?? "" },
      "Submodality at the time of the capture, as in the protocol; empty if unknown")
    Field("title", { $0.subject?.submodality.title ?? "" }, "Title of that submodality")
    Field("isRenamed", \.isRenamed, "True if the item's submodality has changed since")
    Field("act", \.record.act, "Number of the act of capture; pictures of one response share it")
    Field("place", \.record.place, "Index among the ids of the response, from 0")
  }
}

/// The number of a deleted record.
struct DeletedRecord: Model {
  let number: Int

  static let typeName = "wsabi.deleted"
  static let fields = Fields<DeletedRecord> { Field("deleted", \.number, "Number of the deleted record") }
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
