import PluginAPI

extension ScreenStation {
  func itemAndWait(_ id: Int) throws -> BiometricItem {
    let records = records()
    return try Waiting.value { try await records.item(id) }
  }

  func itemsAndWait(of person: Int) throws -> [BiometricItem] {
    let records = records()
    return try Waiting.value { try await records.items(of: person) }
  }

  /// Stores the result of the walkthrough: a new item, or changed settings of an existing one.
  ///
  /// - Parameter item: The item that is changed; nil for a new one.
  func keepAndWait(_ draft: DraftItem, as item: Int?) throws -> BiometricItem {
    let (records, time) = (records(), now())
    return try Waiting.value {
      if let item { return try await records.edit(item: item, draft, at: time) }
      return try await records.addItem(draft, at: time)
    }
  }

  /// Adds the items of a template that a person lacks, with the sensors used last.
  func enrollAndWait(_ template: EnrollmentTemplate, person: Int) throws -> Enrollment.Outcome {
    let enrollment = Enrollment(records: records(), time: now())
    return try Waiting.value { try await enrollment.add(template, to: person) }
  }

  func annotateAndWait(_ item: Int, _ annotation: Annotation) throws -> BiometricItem {
    let (records, time) = (records(), now())
    return try Waiting.value { try await records.annotate(item, annotation, at: time) }
  }

  /// Deletes the capture of an item, once the user has proved their identity.
  func clearAndWait(_ item: Int, _ key: ScreenKey) throws -> BiometricItem {
    try confirmAndWait(key)
    let (records, time) = (records(), now())
    return try Waiting.value { try await records.clear(item, at: time) }
  }

  /// Deletes an item permanently, once the user has proved their identity.
  func deleteAndWait(item: Int, _ key: ScreenKey) throws {
    try confirmAndWait(key)
    let records = records()
    try Waiting.value { try await records.deleteItem(item) }
  }

  /// Returns the sensors used last for a modality, the newest first.
  func recentSensorsAndWait(for modality: Modality, limit: Int = 5) throws -> [DeviceDefinition] {
    let records = records()
    return try Waiting.value { try await records.recentSensors(for: modality, limit: limit) }
  }

  /// Sensors that may capture something and were not typed: those that announce themselves, and cameras.
  func discoverAndWait(for modality: Modality, unless isCancelled: () -> Bool) throws -> [DiscoveredSensor] {
    let sensors = sensors
    return try Waiting.value(unless: isCancelled) { try await sensors.discover(modality) }
  }

  /// Removes a sensor from the recent ones.
  func forgetAndWait(_ device: DeviceDefinition, for modality: Modality) throws {
    let records = records()
    try Waiting.value { try await records.forgetSensor(device, for: modality) }
  }

  /// Adds a sensor to the recent ones of a modality.
  ///
  /// - Throws: ``AddressError`` if the address is malformed.
  func rememberAndWait(_ name: String, at address: String, for modality: Modality) throws {
    let (records, time) = (records(), now())
    let parsed = try SensorAddress(parsing: address)
    let device = DeviceDefinition(name: name, address: parsed.text, configuration: WireDictionary(), edited: time)
    try Waiting.value { try await records.rememberSensor(device, for: modality) }
  }

  /// Returns the people with an item of a sensor, the oldest first.
  ///
  /// - Parameter limit: The largest number of people.
  func peopleAndWait(using device: DeviceDefinition, limit: Int) throws -> [Person] {
    let records = records()
    return try Waiting.value { try await records.people(using: device, limit: limit) }
  }

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
  func informationAndWait(
    at address: String, trusting trust: SensorTrust, unless isCancelled: () -> Bool
  ) throws -> ServiceInformation {
    let (sensors, parsed) = (sensors, try SensorAddress(parsing: address, trusting: trust))
    return try Waiting.value(unless: isCancelled) { try await sensors.information(parsed) }
  }
}

extension ScreenStation {
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
}
