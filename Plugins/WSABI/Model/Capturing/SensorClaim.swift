import PluginAPI

/// A comparison of a sensor's description of a capture with the order.
///
/// The result changes nothing by itself: a capture stays where it was filed, and the operator decides.
enum SensorClaim {
  /// Returns a description of the part that the sensor reports and the part ordered; nil if the sensor reports none, an
  /// unknown one, or the same one.
  ///
  /// One finger of a slap, or one eye of both, is a part of the order.
  static func otherPart(_ metadata: WireDictionary, wanted: Submodality, _ modality: Modality) -> String? {
    // An order for an unknown part leaves nothing to compare.
    if wanted.wireName == "Unknown" { return nil }
    let parts = values(of: "submodality", metadata).map { (word: $0, part: Submodality(word: $0)) }
    if parts.contains(where: { wanted.isNamed($0.word) || wanted.includes($0.part, named: $0.word) }) { return nil }
    // Unknown words cannot be compared.
    let known = parts.map(\.part).filter { $0.modality != nil && !$0.isUndetermined }
    if let said = known.first {
      return "the sensor reports '\(said.fullTitle)' instead of '\(wanted.fullTitle)'"
    }
    let modalities = values(of: "modality", metadata).compactMap { Modality(word: $0) }
    guard let said = modalities.first, !modalities.contains(modality) else { return nil }
    // A sensor that does not know what it captured reports a part without a name.
    if values(of: "modality", metadata).contains(where: { $0.lowercased() == "unknown" }) { return nil }
    return "the sensor reports '\(said.title)' data instead of '\(wanted.fullTitle)'"
  }

  /// Returns descriptions of anything unusual in the sensor's metadata, which is stored as received.
  static func notes(_ metadata: WireDictionary, wanted: Submodality, received: Instant) -> [String] {
    var notes: [String] = []
    for word in values(of: "submodality", metadata) where !wanted.isNamed(word) {
      guard Submodality(word: word).modality == nil else { continue }
      notes.append("the sensor reports the unknown submodality '\(word.prefix(40))'")
    }
    for word in values(of: "captureDate", metadata) + values(of: "captureTime", metadata) {
      if let note = note(ofDate: word, received) { notes.append(note) }
    }
    return notes
  }

  /// Data may wait at a sensor for a while before it is fetched.
  private static let oldestInSeconds = 30.0 * 86_400
  /// In other time zones a day begins up to 14 hours earlier.
  private static let newestInSeconds = -86_400.0

  private static func note(ofDate text: String, _ received: Instant) -> String? {
    guard let day = CalendarDay(String(text.prefix(10))), let begin = ExactInstant.instant("\(day.text)T00:00:00Z")
    else {
      return "the capture date '\(text.prefix(40))' of the sensor is not a date"
    }
    let age = received.seconds(since: begin)
    if age >= newestInSeconds, age <= oldestInSeconds { return nil }
    return "the sensor reports the capture date \(day.text): its clock differs from this machine's"
  }

  /// Returns the plain values of a key, ignoring its case; for a parameter, its value.
  private static func values(of key: String, _ metadata: WireDictionary) -> [String] {
    metadata.items.filter { $0.key.lowercased() == key.lowercased() }.flatMap { texts($0.value) }
  }

  private static func texts(_ value: WireValue) -> [String] {
    if case .array(let elements, _) = value { return elements.flatMap(texts) }
    if case .parameter(let parameter) = value { return texts(parameter.defaultValue) }
    return value.plainText.map { $0.isEmpty ? [] : [$0] } ?? []
  }
}

extension Submodality {
  /// Returns true if another submodality is a part of this one, or the same in less detail.
  fileprivate func includes(_ other: Submodality, named word: String) -> Bool {
    if part(saidToBe: word) != nil { return true }
    guard modality == .finger else { return Set([wireName, other.wireName]) == ["Face2d", "frontalFace"] }
    if isUndetermined || wireName == "TwoFingerSlap" {
      // Any finger may be one of them, put on in the same manner.
      return other.modality == .finger && wireName.hasSuffix("Rolled") == other.wireName.hasSuffix("Rolled")
    }
    // 'left middle' is any impression of that finger, 'LeftMiddleFlat' is one.
    let (own, said) = (parts.compactMap(\.fingerPosition), other.parts.compactMap(\.fingerPosition))
    return !said.isEmpty && Set(own) == Set(said) && !other.namesManner(word)
  }

  /// Returns true if a word for this submodality states how the finger was placed, which the title of a flat one does
  /// not.
  private func namesManner(_ word: String) -> Bool {
    let letters = word.lowercased().filter(\.isLetter)
    return ["flat", "rolled", "slap"].contains { letters.hasSuffix($0) }
  }

  /// True if the part is declared unknown.
  fileprivate var isUndetermined: Bool { wireName.hasPrefix("Unknown") }

  /// The name shown to people where flat and rolled fingers are listed together.
  fileprivate var fullTitle: String { wireName.hasSuffix("Flat") && modality == .finger ? "\(title) (Flat)" : title }
}
