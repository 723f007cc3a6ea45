import PluginAPI

/// Texts about a capture.
enum CaptureText {
  /// Returns the type of the data: by its first bytes, otherwise as the service claims.
  static func type(_ capture: CaptureRecord) -> String {
    capture.sniffedType ?? (capture.claimedType.isEmpty ? "unknown data" : capture.claimedType)
  }

  /// Returns the name a capture was made under, and the part a picture shows, unless the item's name says the same.
  static func names(_ capture: CaptureRecord, of item: BiometricItem) -> [Outline.Field] {
    let (made, shown) = (item.made(capture), item.shown(capture))
    return (item.isRenamed(capture) ? [Outline.Field("Captured as", made.title)] : [])
      + (shown == made ? [] : [Outline.Field("Shows", shown.title)])
  }

  /// Returns the number of pictures received in the same response, and those lost.
  static func answer(_ item: BiometricItem) -> [Outline.Field] {
    (item.otherPictures.isEmpty ? [] : [Outline.Field("Pictures", "\(item.pictures.count) of one capture")])
      + (item.lossWords.map { [Outline.Field("Lost", $0)] } ?? [])
  }

  static func size(_ bytes: Int) -> String {
    switch bytes {
    case ..<1000: "\(bytes) bytes"
    case ..<1_000_000: "\(tenths(bytes, of: 1000)) kB"
    default: "\(tenths(bytes, of: 1_000_000)) MB"
    }
  }

  private static func tenths(_ bytes: Int, of unit: Int) -> String {
    let tenths = bytes / unit * 10 + (bytes % unit * 10 + unit / 2) / unit
    return "\(tenths / 10).\(tenths % 10)"
  }

  /// Returns a description of the part that the sensor reports, if it is not the item's; nil otherwise.
  static func otherPart(_ item: BiometricItem) -> String? {
    item.capture.flatMap { SensorClaim.otherPart($0.metadata, wanted: item.made($0), item.modality) }
  }

  /// Returns the facts of a capture, without the service's metadata.
  static func fields(_ capture: CaptureRecord) -> [Outline.Field] {
    var fields = [
      Outline.Field("Received", PersonText.time(capture.received)), Outline.Field("Type", type(capture)),
      Outline.Field("Size", size(capture.sizeInBytes)),
    ]
    if let sniffed = capture.sniffedType, !capture.claimedType.isEmpty, sniffed != capture.claimedType {
      fields.append(Outline.Field("Claimed", capture.claimedType))
    }
    // It is stored as received, but must not appear to have been checked.
    if capture.sniffedType == nil { fields.append(Outline.Field("Content", "unknown format")) }
    if let quality = capture.quality {
      fields.append(Outline.Field("Quality", "\(quality.score) of 100 (\(quality.scorer))"))
    }
    return fields
  }

  /// Returns the service's metadata of a capture, one field each; fields already on the card are left out.
  static func metadata(_ capture: CaptureRecord, of item: BiometricItem) -> [Outline.Field] {
    let known = [
      "modality": item.modality.title, "submodality": item.made(capture).wireName, "contentType": type(capture),
      "imageContentType": type(capture),
    ]
    return capture.metadata.items.compactMap { entry in
      guard let text = entry.value.plainText, !text.isEmpty, known[entry.key] != text else { return nil }
      return Outline.Field(label(entry.key), moment(text) ?? text)
    }
  }

  /// Returns the label of a key: `captureDate` becomes "Capture date"; any other text is returned unchanged.
  static func label(_ key: String) -> String {
    guard key.utf8.allSatisfy({ $0 | 0x20 >= 0x61 && $0 | 0x20 <= 0x7A }) else { return key }
    var words: [String] = []
    for letter in key {
      let startsWord = letter.isUppercase && !(words.last?.last?.isUppercase ?? false)
      if words.isEmpty || startsWord { words.append(String(letter)) } else { words[words.count - 1].append(letter) }
    }
    return words.enumerated().map { index, word in
      let isAcronym = word.count > 1 && word.allSatisfy(\.isUppercase)
      if isAcronym { return word }
      return index == 0 ? word.prefix(1).uppercased() + word.dropFirst() : word.lowercased()
    }.joined(separator: " ")
  }

  /// Returns a service's date and time in readable form: to the second, with its zone; nil for any other text.
  ///
  /// - Source: XML Schema 1.1 part 2, section 3.3.7: `yyyy-mm-ddThh:mm:ss`, a fraction, and `Z` or `±hh:mm`.
  static func moment(_ text: String) -> String? {
    let bytes = Array(text.utf8)
    let pattern = Array("0000-00-00T00:00:00".utf8)
    guard bytes.count >= pattern.count, zip(bytes, pattern).allSatisfy(matches) else { return nil }
    var rest = text.dropFirst(pattern.count)
    if rest.first == "." {
      rest = rest.dropFirst().drop { $0.isASCII && $0.isNumber }
    }
    let isZone =
      rest.utf8.count == 6 && ["+", "-"].contains(rest.prefix(1))
      && zip(rest.dropFirst().utf8, "00:00".utf8).allSatisfy(matches)
    guard rest.isEmpty || rest == "Z" || isZone else { return nil }
    let zone = rest.isEmpty ? "" : rest == "Z" ? " UTC" : " \(rest)"
    return "\(text.prefix(10)) \(text.dropFirst(11).prefix(8))\(zone)"
  }

  /// Returns true if a byte matches a pattern, in which `0` stands for any digit.
  private static func matches(_ byte: UInt8, _ pattern: UInt8) -> Bool {
    pattern == UInt8(ascii: "0") ? (0x30...0x39).contains(byte) : byte == pattern
  }
}

/// Texts about a person.
enum PersonText {
  static func name(_ person: Person) -> String { person.biography.name ?? "no name yet" }

  /// Returns the time when the person was added, to the minute.
  static func added(_ person: Person) -> String { time(person.created) }

  /// Returns the details that distinguish people of the same name.
  static func details(_ person: Person) -> String {
    let biography = person.biography
    let born = [biography.datesOfBirth.first, biography.placesOfBirth.first].compactMap { $0 }.filter { !$0.isEmpty }
    let parts = [
      "#\(person.id)", biography.name == nil ? "press e to enter a name" : "", biography.gender,
      born.isEmpty ? "" : "born \(born.joined(separator: ", "))",
      biography.aliases.isEmpty ? "" : "also \(biography.aliases.joined(separator: ", "))", biography.notes,
    ]
    return parts.filter { !$0.isEmpty }.joined(separator: " · ").split(whereSeparator: \.isNewline).joined(
      separator: " ")
  }

  /// Returns the time of an instant to the second, in universal time.
  static func clock(_ instant: Instant) -> String { "\(instant.description.dropFirst(11).prefix(8)) UTC" }

  /// Returns an instant to the minute, in universal time.
  static func time(_ instant: Instant) -> String { instant.dateText + " " + instant.timeText }
}
