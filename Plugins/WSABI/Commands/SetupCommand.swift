import PluginAPI
import PluginText

/// Options that describe an item: the part of the body to capture, and the sensor.
struct ItemSetting: Sendable {
  let call: CommandCall

  /// The options for the part of the body and the sensor.
  static let options: [any CommandInput] =
    [modality, submodality, sensor, sensorName, settings] as [any CommandInput] + SensorTrustOptions.all

  private static let modality = Option(
    "modality", String.self, "Modality; follows from a known submodality")
  private static let submodality = Option(
    "submodality", String.self,
    "Submodality from 'item types', or a vendor-specific value together with '--modality'"
  ).completed(by: "item types", column: "submodality", summaryColumn: "title")
  private static let sensor = Option(
    "sensor", String.self, "Address of the sensor, such as 'http://host:8000/Service'"
  ).completedByRecent()
  static let sensorName = Option("sensor-name", String.self, "Name of the sensor")
  private static let settings = Option(
    "set", list: String.self, "Setting of the sensor as KEY=VALUE; an empty value removes it")

  /// The item's number, as an argument.
  static let item = Argument("item", Int.self, kind: .recordNumber, "Number of the item").completedByItems()

  var modality: Modality? {
    get throws(ErrorReport) {
      guard let word = call[Self.modality], !word.isEmpty else { return nil }
      guard let modality = Modality(word: word) else { throw StationError.unknownModality(word) }
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
  func checkedChoice(over old: Walkthrough.Choice = .init()) throws -> Walkthrough.Choice {
    let choice = try choice(over: old)
    warnOfUnknownWord()
    return choice
  }

  /// Returns a choice with the options applied.
  ///
  /// A modality that does not fit the given submodality is refused; for an unknown submodality it is required.
  /// - Parameter information: The sensor's information, which determines the types of settings; nil if it was not
  ///   requested.
  func choice(
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
    choice.trust = try SensorTrustOptions(call: call).trust(over: choice.trust)
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
      var given: String?
      for setting in call[Self.settings] where setting.hasPrefix(Self.submodalityKey + "=") {
        let word = String(setting.dropFirst(Self.submodalityKey.count + 1))
        if word.isEmpty || given.map({ $0 != word }) ?? false { throw StationError.settingOfItem(Self.submodalityKey) }
        given = word
      }
      let modality = try modality
      return try given.map { word throws(ErrorReport) in try Self.submodality(word, of: modality) }
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
    throw StationError.unknownSubmodality(word)
  }

  /// Warns of an unknown word: it may be vendor-specific, or a typing error.
  private func warnOfUnknownWord() {
    guard let given = (try? submodality) ?? (try? submodalityOfSettings), given.modality == nil else { return }
    call.warn(
      Diagnostic(
        .warning, code: "wsabi.own-word",
        "unknown submodality '\(SanitizedText.line(given.wireName, limit: 100))'; it is stored and sent as given",
        advice: Suggestion.advice(for: given.wireName, in: Submodality.known.map(\.wireName))))
  }

  static let modalityWords = Modality.allCases.map { $0.title.lowercased() }
}

/// The walkthrough as a command: step by step with questions, or by options alone.
enum SetupCommand {
  private static let person = Option(
    "person", Int.self, kind: .recordNumber, "Number of the person, for a new item"
  ).completedByPeople()
  private static let item = Option(
    "item", Int.self, kind: .recordNumber, "Number of the item to change"
  ).completedByItems()

  static let command = WSABICommand(
    CommandDescription(
      "sensor setup", "Set up an item and its sensor step by step",
      output: .model(ItemRecord.self),
      effects: [.reads, .writes, .network]
    ).taking(
      [person, item] + ItemSetting.options + [discover, anyway, PersonCommands.yes, StationKey.option]
    ).explained(
      """
      Asks for each value that no option gives; a changed item keeps its other values. It offers recent sensors, and \
      those of 'sensor discover' with '--discover' or the reply 'f'. It checks that the sensor can capture the \
      submodality. A sensor that cannot is rejected unless '--anyway' is given; one that does not respond is accepted, \
      as it may be switched off. The item is stored at the end.
      """,
      examples: [
        .init("sensor setup --person 1", "Ask for everything"),
        .init("sensor setup --person 1 --discover", "Offer discovered sensors"),
        .init(
          "sensor setup --person 1 --submodality LeftIris --sensor http://127.0.0.1:8000/sensor/3 --sensor-name Iris",
          "Ask for nothing"),
      ])
  ) { call, station in
    let records = try await StationKey(call: call).openedRecords(station)
    let stored: BiometricItem?
    if let id = call[Self.item] { stored = try await records.item(id) } else { stored = nil }
    guard let person = stored?.person ?? call[Self.person] else { throw StationError.missing("person") }
    if stored == nil { _ = try await records.person(person) }
    let steps = SetupSteps(call: call, station: station, records: records, stored: stored.map(Walkthrough.Choice.init))
    let choice = try await steps.choice()
    let draft = try draft(choice, person: person, call)
    let now = call.context.now()
    let item: BiometricItem
    if let stored {
      item = try await ItemCommands.edited(stored.id, draft, call, records)
    } else {
      item = try await records.addItem(draft, at: now)
    }
    try await call.emit(ItemRecord(item, records))
  }

  fileprivate static let discover = Option(
    flag: "discover", "Search for sensors on the local network and for cameras, and offer them")

  fileprivate static let anyway = Option(
    flag: "anyway", "Accept a sensor that cannot capture the submodality, or does not say so")

  /// Returns the item of a choice.
  ///
  /// - Throws: ``StationError/missing(_:)`` for a missing part of the choice.
  static func draft(_ choice: Walkthrough.Choice, person: Int, _ call: CommandCall) throws(ErrorReport) -> DraftItem {
    if choice.submodality == nil { throw StationError.missing("submodality") }
    guard let draft = DraftItem(person: person, choice, at: call.context.now()) else {
      throw StationError.missing("sensor")
    }
    return draft
  }
}

/// The steps of the walkthrough, each answered by an option, by the stored item, or by the user.
private struct SetupSteps {
  let call: CommandCall
  let station: Station
  let records: RecordStore
  let stored: Walkthrough.Choice?
  private let setting: ItemSetting

  init(call: CommandCall, station: Station, records: RecordStore, stored: Walkthrough.Choice?) {
    (self.call, self.station, self.records, self.stored) = (call, station, records, stored)
    setting = ItemSetting(call: call)
  }

  /// Runs the setup and returns the final choice.
  func choice() async throws -> Walkthrough.Choice {
    var walk = Walkthrough(stored: stored)
    try await chooseBody(&walk)
    try await chooseSensor(&walk)
    let information = try await check(try setting.choice(over: walk.choice))
    return try setting.choice(over: walk.choice, information)
  }

  private func chooseBody(_ walk: inout Walkthrough) async throws {
    let given = try setting.checkedChoice()
    if let modality = given.modality {
      walk.choose(modality)
    } else if !walk.keep() {
      let word = try await answer("modality", "Modality (\(ItemSetting.modalityWords.joined(separator: ", ")))")
      guard let modality = Modality(word: word) else { throw StationError.unknownModality(word) }
      walk.choose(modality)
    }
    if let submodality = given.submodality {
      walk.choose(submodality)
    } else if !walk.keep() {
      let known = walk.choice.modality?.submodalities ?? []
      let word = try await answer("submodality", "Submodality (\(known.map(\.wireName).joined(separator: ", ")))")
      let submodality = try ItemSetting.submodality(word)
      if let modality = walk.choice.modality, submodality.modality != modality {
        throw StationError.otherModality(submodality, modality)
      }
      walk.choose(submodality)
    }
  }

  private func chooseSensor(_ walk: inout Walkthrough) async throws {
    let name = call[ItemSetting.sensorName]
    if let address = try setting.address {
      let configuration = stored?.configuration ?? WireDictionary()
      let trust = address.text == stored?.address ? stored?.trust : nil
      return walk.choose(
        device: name ?? stored?.deviceName ?? "", at: address.text, configuration, trusting: trust ?? SensorTrust())
    }
    // A user who asks for other sensors does not mean the stored one.
    if !call[SetupCommand.discover], walk.keep() { return }
    guard let modality = walk.choice.modality else { return }
    let recent = try await records.recentSensors(for: modality)
    var found = call[SetupCommand.discover] ? try await discovered(modality, besides: recent) : nil
    var word = try await answer("sensor", Self.question(recent, found))
    while word == Self.looks {
      found = try await discovered(modality, besides: recent)
      word = try await answer("sensor", Self.question(recent, found))
    }
    if let number = Int(word), recent.indices.contains(number - 1) {
      let device = recent[number - 1]
      return walk.choose(device: name ?? device.name, at: device.address, device.configuration, trusting: device.trust)
    }
    if let found, let number = Int(word), number > recent.count, number - recent.count <= found.count {
      let sensor = found[number - recent.count - 1]
      return walk.choose(device: name ?? sensor.name, at: sensor.address, WireDictionary())
    }
    let address = try SensorAddress(parsing: word)
    let typed: String
    if let name {
      typed = name
    } else {
      typed = try await call.ask(PromptRequest("Name of the sensor (optional)")) ?? ""
    }
    walk.choose(device: typed, at: address.text, WireDictionary())
  }

  /// The answer that searches for sensors, equal to the key of the screen.
  private static let looks = "f"

  /// - Parameter found: The sensors found besides the recent ones; nil if there was no search.
  private static func question(_ recent: [DeviceDefinition], _ found: [DiscoveredSensor]?) -> String {
    let all = recent.map { ($0.name, $0.address) } + (found ?? []).map { ($0.name, $0.address) }
    var parts = all.enumerated().map { "\($0 + 1) \($1.0) \($1.1)" }
    if let found {
      parts += (found.isEmpty ? ["no other sensor found"] : []) + ["\(looks) to search again"]
    } else {
      parts.append("\(looks) to search for sensors")
    }
    return "Sensor (\((parts + ["or an address"]).joined(separator: "; ")))"
  }

  /// Returns the sensors found by a search; empty if a search is not possible, which is not an error.
  private func discovered(
    _ modality: Modality, besides recent: [DeviceDefinition]
  ) async throws -> [DiscoveredSensor] {
    call.report(Progress("searching for sensors"))
    do {
      let found = try await SensorFinding().sensors(for: modality, call.context, station.cameras)
      return found.filter { !$0.isAmong(recent) }
    } catch let error as DiscoveryError {
      call.warn(Diagnostic(error.report, .warning))
      return []
    }
  }

  /// Requests the sensor's information, as the walkthrough does before it may end.
  private func check(_ choice: Walkthrough.Choice) async throws -> ServiceInformation? {
    guard let modality = choice.modality, let submodality = choice.submodality else { return nil }
    let address = try SensorAddress(parsing: choice.address, trusting: choice.trust)
    address.warnIfUnprotected(call)
    call.report(Progress("checking the sensor"))
    let connection = station.connection(address, call.context)
    let information: ServiceInformation
    do throws(SensorFault) {
      information = try await connection.serviceInformation(deadlineInSeconds: 10)
    } catch {
      call.warn(
        Diagnostic(
          .warning, code: "wsabi.sensor-unchecked", "the sensor was not reached: \(error.report.message)",
          advice: "the item is stored; try again with 'sensor check'"))
      return nil
    }
    let check = SensorCheck.judging(information, modality, submodality)
    if check.saysItCannot, call[SetupCommand.anyway] {
      call.warn(
        Diagnostic(
          .warning, code: "wsabi.sensor-unsuited", check.message,
          advice: "the item is stored, but captures may fail"))
    } else if !check.allowsDone {
      throw StationError.unsuitable(check.message)
    }
    return information
  }

  private func answer(_ option: String, _ question: String) async throws -> String {
    guard let answer = try await call.ask(PromptRequest(question)), !answer.isEmpty else {
      throw StationError.missing(option)
    }
    return answer
  }
}
