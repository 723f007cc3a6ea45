import PluginAPI
import PluginText

/// A stored capture as commands emit it.
struct CapturedRecord: Model {
  let record: CaptureRecord
  /// True if the item's submodality has changed since.
  let isRenamed: Bool
  private let subject: CaptureSubject?

  /// - Parameter item: The captured item; nil if it was not looked up.
  init(_ record: CaptureRecord, of item: BiometricItem? = nil) {
    self.record = record
    subject = record.subject ?? item?.subject
    isRenamed = item?.isRenamed(record) ?? false
  }

  /// The title of the submodality at the time of the capture; empty if unknown.
  var title: String { subject?.submodality.title ?? "" }
  /// The SHA-256 of the data, in hexadecimal digits.
  var sha256: String { Hexadecimal.text(record.sha256) }

  static let typeName = "wsabi.capture"
  static let fields = Fields<CapturedRecord> {
    Field("id", \.record.id, "Number of the capture; never reused")
    Field("captureId", \.record.captureID.text, "Capture id of the service")
    Field("address", \.record.address, "Address of the service")
    Field("sizeInBytes", \.record.sizeInBytes, "Size of the data")
    Field("sha256", \.sha256, "SHA-256 of the data, in hexadecimal digits")
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
    Field("title", \.title, "Title of that submodality")
    Field("isRenamed", \.isRenamed, "True if the item's submodality has changed since")
    Field("act", \.record.act, "Number of the act of capture; pictures of one response share it")
    Field("place", \.record.place, "Index among the ids of the response, from 0")
  }
}

extension WireDictionary: ReadableField {
  static var schema: ValueSchema { .map(.text) }

  /// The plain values as texts, in the order of the keys; other values are only described.
  var fieldValue: Value { .record(Record(items.map { Record.Field($0.key, .text($0.value.shownText)) })) }

  /// Returns the texts of a record; values of another kind are left out.
  static func read(_ value: Value) -> WireDictionary? {
    value.record.map { record in
      WireDictionary(record.fields.compactMap { field in field.value.text.map { Item(field.name, .string($0)) } })
    }
  }

  /// Returns the texts of a record; none if it is missing.
  static func content(of value: Value) -> WireDictionary { read(value) ?? WireDictionary() }
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
