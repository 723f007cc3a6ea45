import PluginAPI
import PluginText

/// An item as commands emit it, with the open result of its last capture.
struct ItemRecord: Model {
  let item: BiometricItem
  private let undecided: Undecided?

  /// Creates the record of an item.
  ///
  /// - Parameter newest: The newest entry of the journal about the item; nil if there is none.
  init(_ item: BiometricItem, newest: JournalEntry?) {
    self.item = item
    undecided = newest.flatMap { CaptureQuestion([$0]) }.flatMap(Undecided.init)
  }

  /// The parts of the body that a capture shows, with their conditions.
  var parts: [Part] { zip(item.submodality.parts, item.annotation.conditions).map(Part.init) }
  /// The newest capture; nil if there is none.
  var capture: CapturedRecord? { item.capture.map { CapturedRecord($0, of: item) } }
  /// All pictures of the newest response of a sensor, in the order of their ids.
  var pictures: [CapturedRecord] { item.pictures.map { CapturedRecord($0, of: item) } }

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
    Field("parts", \.parts, "Parts of the body that a capture shows, with their conditions")
    Field("notes", \.item.annotation.notes, "Notes of the operator")
    Field("capture", \.capture, "Newest capture; null if there is none")
    Field(
      "pictures", \.pictures,
      "All pictures of the newest response of a sensor, in the order of their ids; the first is 'capture'")
    Field("lost", \.item.losses, "Pictures of the same response that were not received")
    Field("undecided", \.undecided, "Open result of the last capture; null if there is none")
    Field("created", \.item.created, "Time the item was added")
    Field("modified", \.item.modified, "Time of the last edit")
  }

  /// A part of the body that a capture shows, with its condition.
  struct Part: Model {
    let part: BodyPart
    let condition: PartCondition

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
      Field("reason", \.reason, as: { SanitizedText.line($0, limit: 300) }, "Reason")
    }
  }
}

extension PartCondition: ReadableField {}

extension LostPicture: Model {
  static let typeName = "wsabi.lost-picture"
  static let fields = Fields<LostPicture> {
    Field("captureId", \.captureID.text, "Capture id of the service")
    Field("place", \.place, "Index among the ids, from 0")
    Field("reason", \.reason, as: { SanitizedText.line($0, limit: 300) }, "Reason of the loss")
  }
}

/// The result of an enrollment.
struct EnrolledItems: Model {
  /// The number of the person.
  let person: Int
  let added: [ItemRecord]
  /// The titles of the submodalities without a sensor.
  let leftOut: [String]

  static let typeName = WSABIValueType.enrolled
  static let fields = Fields<EnrolledItems> {
    Field("person", \.person, "Number of the person")
    Field("added", \.added, "Items that were added, in order")
    Field("leftOut", \.leftOut, "Submodalities that were not added, as no sensor is known for them")
  }
}
