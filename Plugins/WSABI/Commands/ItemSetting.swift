import PluginAPI
import PluginText

/// Options that describe an item: the part of the body to capture, and the sensor.
struct ItemSetting: Sendable {
  let call: CommandCall

  /// The options for the part of the body and the sensor.
  static let options: [any CommandInput] =
    [modality, submodality, sensor, sensorName, settings] as [any CommandInput] + SensorTrustOptions.all

  private static let modality = Option(
    "modality", String.self, "what kind of data; it follows from the submodality if that is known")
  private static let submodality = Option(
    "submodality", String.self,
    "which part of the body and how; 'item types' lists them, a sensor's own word needs '--modality' beside it"
  ).described { $0.completed(by: "item types", column: "submodality", summaryColumn: "title") }
  private static let sensor = Option(
    "sensor", String.self, "the sensor's address, such as 'http://host:8000/Service'"
  ).described { $0.completedByRecent() }
  static let sensorName = Option("sensor-name", String.self, "what the sensor is called")
  private static let settings = Option(
    "set", list: String.self, "a setting of the sensor, as KEY=VALUE; an empty value takes it away")

  /// The item's number, as an argument.
  static let item = Argument("item", Int.self, kind: .recordNumber, "the item's number").described {
    $0.completedByItems()
  }

  var modality: Modality? {
    get throws(ErrorReport) {
      guard let word = call[Self.modality], !word.isEmpty else { return nil }
      guard let modality = Modality(word: word) else { throw Self.unknownModality(word) }
      return modality
    }
  }

  var submodality: Submodality? {
    get throws(ErrorReport) {
      guard let word = call[Self.submodality], !word.isEmpty else { return nil }
      return try Self.submodality(word, of: modality)
    }
  }

  var address: SensorAddress? {
    get throws(AddressError) {
      guard let text = call[Self.sensor], !text.isEmpty else { return nil }
      return try SensorAddress(parsing: text)
    }
  }

  /// Returns a choice with the options applied, and warns of an unknown word: once per command.
  func taken(over old: Walkthrough.Choice = .init()) throws -> Walkthrough.Choice {
    let choice = try said(over: old)
    warnOfOwnWord()
    return choice
  }

  /// Returns a choice with the options applied.
  ///
  /// A modality that does not fit the given submodality is refused; for an unknown submodality it is required.
  /// - Parameter information: The sensor's information, which determines the types of settings; nil if it was not
  ///   requested.
  func said(
    over old: Walkthrough.Choice = .init(), _ information: ServiceInformation? = nil
  ) throws -> Walkthrough.Choice {
    var choice = old
    let (modality, set) = (try modality, try submodalityOfSettings)
    let submodality = try submodality ?? set
    if let set, set != submodality { throw StationError.settingOfItem(Self.submodalityKey) }
    if let submodality {
      if let modality, let own = submodality.modality, own != modality {
        throw StationError.otherModality(submodality, modality)
      }
      choice.submodality = submodality
      choice.modality = submodality.modality ?? modality ?? choice.modality
    } else if let modality, modality != choice.modality {
      choice.modality = modality
      choice.submodality = nil
    }
    if let address = try address {
      // Trust in one sensor does not carry over to another.
      if address.text != choice.address { choice.trust = SensorTrust() }
      choice.address = address.text
    }
    choice.trust = try SensorTrustOptions(call: call).said(over: choice.trust)
    if !choice.trust.isEmpty, !choice.address.isEmpty {
      _ = try SensorAddress(parsing: choice.address, trusting: choice.trust)
    }
    if let name = call[Self.sensorName] { choice.deviceName = name }
    for setting in call[Self.settings] {
      let key = setting.prefix { $0 != "=" }
      if ConfigurationCheck.neverSent.contains(String(key)) { throw StationError.notSettable(String(key)) }
      // The submodality is the item's part of the body, and was applied as that.
      if key != Self.submodalityKey { try Self.take(setting, into: &choice.configuration, information) }
    }
    return choice
  }

  private static let submodalityKey = "submodality"

  /// The submodality given as a setting of the sensor, which is equivalent.
  ///
  /// - Throws: ``StationError/settingOfItem(_:)`` if it is removed, or given twice with different values.
  private var submodalityOfSettings: Submodality? {
    get throws(ErrorReport) {
      var said: String?
      for setting in call[Self.settings] where setting.hasPrefix(Self.submodalityKey + "=") {
        let word = String(setting.dropFirst(Self.submodalityKey.count + 1))
        if word.isEmpty || said.map({ $0 != word }) ?? false { throw StationError.settingOfItem(Self.submodalityKey) }
        said = word
      }
      let modality = try modality
      return try said.map { word throws(ErrorReport) in try Self.submodality(word, of: modality) }
    }
  }

  /// Applies a setting given as KEY=VALUE.
  static func take(
    _ text: String, into configuration: inout WireDictionary, _ information: ServiceInformation?
  ) throws(ErrorReport) {
    guard let equals = text.firstIndex(of: "="), equals != text.startIndex else { throw StationError.badSetting(text) }
    let key = String(text[..<equals])
    let value = String(text[text.index(after: equals)...])
    let type = information?.parameter(key)?.type
    configuration[key] = value.isEmpty ? nil : WireValue(setting: value, type: type)
  }

  /// Returns a submodality by a word of people or of the wire, or by a vendor-specific word if its modality is given
  /// too.
  static func submodality(_ word: String, of modality: Modality? = nil) throws(ErrorReport) -> Submodality {
    let found = Submodality(word: word)
    if found.modality != nil || modality != nil && Submodality.isPlausible(word) { return found }
    throw StationError.unknownSubmodality(
      String(word.prefix(100)), nearest: nearest(to: word, Submodality.known.map(\.wireName)))
  }

  /// Warns of an unknown word: it may be vendor-specific, or a typing error.
  private func warnOfOwnWord() {
    guard let said = (try? submodality) ?? (try? submodalityOfSettings), said.modality == nil else { return }
    let nearest = Self.nearest(to: said.wireName, Submodality.known.map(\.wireName))
    call.warn(
      Diagnostic(
        .warning, code: "wsabi.own-word",
        "nobody knows the submodality '\(SanitizedText.line(said.wireName, limit: 100))': it is kept and sent as it is",
        advice: nearest.map { "the nearest that is known is '\($0)'" }))
  }

  static let modalityWords = Modality.allCases.map { $0.title.lowercased() }

  /// Returns the error for a word that is not a modality.
  static func unknownModality(_ word: String) -> ErrorReport {
    StationError.unknownModality(String(word.prefix(100)), nearest: nearest(to: word, modalityWords))
  }

  /// Returns the known word that is probably meant; nil if none is near.
  private static func nearest(to word: String, _ known: [String]) -> String? {
    let lowered = word.lowercased()
    let nearest = known.map { ($0, distance(lowered, $0.lowercased())) }.min { $0.1 < $1.1 }
    return nearest.flatMap { $0.1 <= max(2, word.count / 3) ? $0.0 : nil }
  }

  /// Returns the edit distance of two texts, in letters changed, added or removed; only the first 100 letters count.
  private static func distance(_ left: String, _ right: String) -> Int {
    let (left, right) = (Array(left.utf8.prefix(100)), Array(right.utf8.prefix(100)))
    var row = Array(0...right.count)
    for (index, letter) in left.enumerated() {
      var diagonal = row[0]
      row[0] = index + 1
      for place in right.indices {
        let above = row[place + 1]
        row[place + 1] = min(min(above, row[place]) + 1, diagonal + (right[place] == letter ? 0 : 1))
        diagonal = above
      }
    }
    return row[right.count]
  }
}
