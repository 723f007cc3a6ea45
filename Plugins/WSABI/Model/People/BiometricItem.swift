import PluginAPI

/// A part of a person to capture, with its sensor and its captures.
struct BiometricItem: Sendable, Hashable {
  /// Never reused.
  var id: Int
  var person: Int
  /// The index among the person's items, from 0, without gaps.
  var index: Int
  var submodality: Submodality
  /// The modality chosen in the walkthrough, which an unknown submodality does not imply.
  var modality: Modality
  var device: DeviceDefinition
  var annotation: Annotation
  /// The current capture: the newest that is completely stored; nil while there is none.
  var capture: CaptureRecord?
  var created: Instant
  var modified: Instant
  /// The other pictures of the same response, in the order of its ids.
  var otherPictures: [CaptureRecord] = []
  /// Pictures of the same response that were not received.
  var losses: [LostPicture] = []

  /// True if the item is still to be captured: it has no capture, and not all of its parts are missing.
  var isOpen: Bool { capture == nil && (annotation.conditions.isEmpty || annotation.conditions.contains(.present)) }

  /// Returns the item of the same person to continue with: the next open one after this, otherwise the first before it.
  ///
  /// - Parameter items: All of the person's, in their order.
  func next(in items: [BiometricItem]) -> BiometricItem? {
    let open = items.filter { $0.isOpen && $0.id != id }
    return open.first { $0.index > index } ?? open.first
  }

  /// All pictures of the newest response, in the order of its ids.
  var pictures: [CaptureRecord] { (capture.map { [$0] } ?? []) + otherPictures }

  /// The subject of a capture made for this item now.
  var subject: CaptureSubject { CaptureSubject(modality: modality, submodality: submodality) }

  /// Returns the submodality that a capture of this item was made as, even if the item was renamed since.
  func made(_ capture: CaptureRecord) -> Submodality { capture.subject?.submodality ?? submodality }

  /// Returns true if a capture was made under another name than the item has now.
  func isRenamed(_ capture: CaptureRecord) -> Bool { made(capture) != submodality }

  /// Returns the submodality that a picture of the newest response shows: the one it was made as or, if the response
  /// has several pictures, the part that the sensor reports.
  func shown(_ picture: CaptureRecord) -> Submodality {
    let made = made(picture)
    guard pictures.count + losses.count > 1, let word = picture.metadata["submodality"]?.plainText else { return made }
    return made.part(saidToBe: word) ?? made
  }

  /// Returns this item with the pictures of a response, as ``shown(_:)`` needs them; pictures not received yet count as
  /// lost.
  func answered(_ report: CaptureReport) -> BiometricItem {
    var item = self
    (item.capture, item.otherPictures) = (report.records.first, Array(report.records.dropFirst()))
    item.losses = report.lost.merging(report.waiting) { first, _ in first }.map {
      LostPicture(act: 0, place: 0, captureID: $0.key, reason: $0.value)
    }
    return item
  }

  /// Returns the conditions of the parts that a picture shows; parts that the item does not have are present.
  func conditions(of shown: Submodality) -> [PartCondition] {
    shown.parts.enumerated().map { number, part in
      let own = submodality.parts.firstIndex { $0.isShown(by: part) }
      let index = own ?? (shown == submodality ? number : -1)
      return annotation.conditions.indices.contains(index) ? annotation.conditions[index] : .present
    }
  }

  /// A description of the pictures missing from the newest response; nil if none is missing.
  var lossWords: String? {
    guard let first = losses.first else { return nil }
    let count = losses.count + pictures.count
    return "\(losses.count) of \(count) pictures of the capture were not received (\(ProblemText.short(first.reason)))"
  }

  var definition: ItemDefinition { ItemDefinition(modality, submodality, device) }

  /// Removes all captures.
  mutating func forgetCaptures() { (capture, otherPictures, losses) = (nil, [], []) }
}

extension BodyPart {
  /// Returns true if a part of another submodality is this one: the same finger, or one side of a pair.
  fileprivate func isShown(by other: BodyPart) -> Bool {
    if let fingerPosition { return other.fingerPosition == fingerPosition }
    return other.fingerPosition == nil && (other.title == title || other.title.hasPrefix(title + " "))
  }
}

/// The operator's remarks on a capture: the condition of each part, and notes.
struct Annotation: Sendable, Hashable {
  /// One per part of the submodality, in its order.
  var conditions: [PartCondition]
  /// Free text.
  var notes: String

  /// True if there is nothing to show.
  var isEmpty: Bool { notes.isEmpty && conditions.allSatisfy { $0 == .present } }
}

/// The reason a part of the body was not captured, or not captured well.
///
/// - Source: ANSI/NIST-ITL 1-2011, field 14.018 (`AMP`), codes XX and UP.
enum PartCondition: String, CaseIterable, Sendable {
  /// All is well.
  case present
  /// Amputated (XX).
  case amputated
  /// There, but no print can be taken of it (UP).
  case unprintable
  /// Bandaged (UP, with a remark in the notes of an export).
  case bandaged

  /// The code of the standard; nil for a part that is present.
  var code: String? {
    switch self {
    case .present: nil
    case .amputated: "XX"
    case .unprintable, .bandaged: "UP"
    }
  }
}

/// The sensor of an item, with its settings.
///
/// Each item has its own copy.
struct DeviceDefinition: Sendable, Hashable {
  /// The operator's name for the sensor.
  ///
  /// Two names may share an address.
  var name: String
  /// The base address, as ``SensorAddress`` writes it.
  var address: String
  /// The configuration sent to the service, submodality included.
  ///
  /// Keys of the service that are absent here stay unchanged.
  var configuration = WireDictionary()
  /// The time of the last edit, by which recent sensors are sorted.
  var edited: Instant
  /// The trust of the sensor.
  var trust = SensorTrust()
}

/// The stored data of a sensor for an item: complete, unchanged, with all metadata.
struct CaptureRecord: Sendable, Hashable {
  /// The store's number; never reused.
  var id: Int
  var item: Int
  /// The service's id of the data.
  var captureID: SensorUUID
  /// Base address of the service that delivered it.
  var address: String
  var sizeInBytes: Int
  /// 32 bytes, taken while the data arrived, checked at every read.
  var sha256: [UInt8]
  /// The type that the service claims; empty if it claims none.
  var claimedType: String
  /// The type by the first bytes; nil if they are unknown.
  var sniffedType: String?
  /// The metadata that the service sent, as received.
  var metadata: WireDictionary
  /// The time when the last byte was received, by this machine's clock.
  var received: Instant
  /// The quality from 0 (worst) to 100, with its scorer; nil if it could not be scored.
  var quality: Quality?
  /// The subject of the capture, even if its item was renamed since; nil if an older version stored the capture without
  /// it.
  var subject: CaptureSubject? = nil
  /// The number of the act of capture, shared by all pictures of one response.
  var act = 0
  /// The index of the id within the response, from 0.
  var place = 0

  /// The pixels per inch that the service states; nil if it states none, or an implausible value.
  ///
  /// - Source: OASIS BIOSERV 1.0, the item `imageDensity` of the finger profile.
  var statedPixelsPerInch: Int? {
    guard let number = metadata["imageDensity"]?.plainText.flatMap({ Double($0) }) else { return nil }
    return (1...100_000).contains(number) ? Int(number.rounded()) : nil
  }

  /// A score with its origin.
  struct Quality: Sendable, Hashable {
    var score: Int
    var scorer: String
  }
}

/// The subject that a capture was made as.
struct CaptureSubject: Sendable, Hashable {
  var modality: Modality
  var submodality: Submodality
}

/// A picture of a response that was not received, while others of the same response were.
struct LostPicture: Sendable, Hashable {
  /// The act of capture, as in ``CaptureRecord/act``.
  var act: Int
  /// The index of the id within the response, from 0.
  var place: Int
  /// The service's id of the data.
  var captureID: SensorUUID
  /// The reason the data is no longer available.
  var reason: String
}

/// An item being set up in the walkthrough, which is stored only once it is complete.
struct DraftItem: Sendable, Hashable {
  /// The person it is for.
  var person: Int
  var modality: Modality
  var submodality: Submodality
  var device: DeviceDefinition

  init(person: Int, modality: Modality, submodality: Submodality, device: DeviceDefinition) {
    self.person = person
    self.modality = modality
    self.submodality = submodality
    self.device = device
  }

  /// Creates a draft with the current properties of an item.
  init(_ item: BiometricItem) {
    self.init(person: item.person, modality: item.modality, submodality: item.submodality, device: item.device)
  }

  var definition: ItemDefinition { ItemDefinition(modality, submodality, device) }
}

/// The properties under which a capture of an item is filed: its subject, and the sensor with its settings.
struct ItemDefinition: Sendable, Hashable {
  var modality: Modality
  var submodality: Submodality
  var address: String
  var trust: SensorTrust
  var configuration: WireDictionary

  init(_ modality: Modality, _ submodality: Submodality, _ device: DeviceDefinition) {
    (self.modality, self.submodality) = (modality, submodality)
    (address, trust, configuration) = (device.address, device.trust, device.configuration)
  }
}
