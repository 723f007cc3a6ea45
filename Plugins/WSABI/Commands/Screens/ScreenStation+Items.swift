import PluginAPI

/// The requests of screens about people, items and their sensors.
extension ScreenStation {
  /// Returns the content of an item's card.
  func card(_ item: Int) async throws -> CardContent {
    let records = records()
    let found = try await records.item(item)
    let items = try await records.items(of: found.person)
    let others = found.modality == .finger ? items.filter { $0.id != item } : []
    let states = MissingFingers(others).states
    let open = (1...10).filter { states[$0 - 1] == .waiting }.map(MissingFingers.title)
    // Captures left open by an earlier run are put to the next user who opens the card.
    let entries = found.capture == nil ? try await records.journal(of: item) : []
    return CardContent(
      item: found, person: try await records.person(found.person), open: open, question: CaptureQuestion(entries),
      next: found.next(in: items))
  }

  /// Returns the open decisions about earlier captures of some items.
  func questions(_ items: [Int]) async throws -> [Int: CaptureQuestion] {
    let records = records()
    var found: [Int: CaptureQuestion] = [:]
    for item in items { found[item] = CaptureQuestion(try await records.journal(of: item)) }
    return found
  }

  /// Stores the result of the walkthrough: a new item, or changed settings of an existing one.
  ///
  /// - Parameter item: The item that is changed; nil for a new one.
  func keep(_ draft: DraftItem, as item: Int?) async throws -> BiometricItem {
    if let item { return try await records().edit(item: item, draft, at: now()) }
    return try await records().addItem(draft, at: now())
  }

  /// Deletes the capture of an item, once the user has proved their identity.
  func clear(_ item: Int, _ key: ScreenKey) async throws -> BiometricItem {
    try await confirm(key)
    return try await records().clear(item, at: now())
  }

  /// Deletes an item permanently, once the user has proved their identity.
  func delete(item: Int, _ key: ScreenKey) async throws {
    try await confirm(key)
    try await records().deleteItem(item)
  }

  /// Deletes a person permanently, once the user has proved their identity.
  func delete(person: Int, _ key: ScreenKey) async throws {
    try await confirm(key)
    try await records().deletePerson(person)
  }

  /// Adds a sensor to the recent ones of a modality.
  ///
  /// - Throws: ``AddressError`` if the address is malformed.
  func remember(_ name: String, at address: String, for modality: Modality) async throws {
    let parsed = try SensorAddress(parsing: address)
    let device = DeviceDefinition(name: name, address: parsed.text, configuration: WireDictionary(), edited: now())
    try await records().rememberSensor(device, for: modality)
  }

  // MARK: Sensors

  /// Returns the address of an item's sensor; nil if it is malformed.
  func address(of item: BiometricItem) -> SensorAddress? { try? item.device.sensorAddress() }

  /// Returns the order to capture an item; nil if its address is not usable.
  func order(_ item: BiometricItem) -> CaptureOrder? {
    address(of: item).map { CaptureOrder(item: item.id, address: $0, configuration: item.device.configuration) }
  }

  /// Returns the reason a text is not a sensor's address; nil if it may be one.
  func addressProblem(_ text: String, trusting trust: SensorTrust) -> String? {
    do throws(AddressError) {
      _ = try SensorAddress(parsing: text, trusting: trust)
      return nil
    } catch {
      let report = error.report
      return [report.message, report.advice].compactMap { $0 }.joined(separator: "; ")
    }
  }

  /// Returns the information that a service publishes about itself.
  func information(at address: String, trusting trust: SensorTrust) async throws -> ServiceInformation {
    try await sensors.information(try SensorAddress(parsing: address, trusting: trust))
  }

  /// Returns the sensor chosen in a walkthrough, configured for its submodality.
  ///
  /// - Throws: ``AddressError`` if the address is malformed.
  func device(_ choice: Walkthrough.Choice, _ submodality: Submodality) throws -> DeviceDefinition {
    let address = try SensorAddress(parsing: choice.address, trusting: choice.trust)
    var configuration = choice.configuration
    configuration["submodality"] = .string(submodality.wireName)
    return DeviceDefinition(
      name: choice.deviceName, address: address.text, configuration: configuration, edited: now(),
      trust: choice.trust)
  }

  /// Cancels a sensor's operation, even one of another client.
  ///
  /// - Throws: ``StationError/saidNo(_:_:message:badFields:)``.
  func interrupt(_ address: SensorAddress) async throws {
    let status = try await sensors.interrupt(address)
    if status != .success { throw StationError.saidNo(.cancel, status, message: "", badFields: []) }
  }

  /// Starts releasing all locks and sessions when the last list of people is closed, and returns at once.
  ///
  /// The close of the store waits for it for a short while. Locks not released by then are in the store, and the next
  /// run releases them.
  ///
  /// - Parameter person: A person to withdraw first if they were left empty; nil for none.
  func leaveSensors(withdrawing person: Int?) {
    let (records, sensors) = (records(), sensors)
    sensors.runInBackground {
      if let person { _ = try? await records.withdrawPerson(person) }
      await sensors.leave()
    }
  }
}

/// The content of a card.
struct CardContent: Sendable {
  var item: BiometricItem
  var person: Person
  /// The person's fingers with an item but no capture yet.
  var open: [String] = []
  /// The open decision about an earlier capture.
  var question: CaptureQuestion?
  /// The item that is captured next.
  var next: BiometricItem?
}
