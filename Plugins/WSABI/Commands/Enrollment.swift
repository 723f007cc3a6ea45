import PluginAPI

/// The addition of all items of a template to a person at once.
struct Enrollment: Sendable {
  /// The items of an enrollment.
  struct Outcome: Sendable {
    var added: [BiometricItem] = []
    /// Submodalities without an item, as no sensor is known for them.
    var leftOut: [Submodality] = []
  }

  let records: RecordStore
  let time: Instant
  /// The sensors that were named; for other kinds of data the one used last.
  var sensors: [Modality: DeviceDefinition] = [:]

  /// Adds the items that a person lacks, in the order of the template.
  func add(_ template: EnrollmentTemplate, to person: Int) async throws -> Outcome {
    var outcome = Outcome()
    var known = sensors
    for submodality in template.missing(besides: try await records.items(of: person)) {
      guard let modality = submodality.modality else { continue }
      if known[modality] == nil { known[modality] = try await records.recentSensors(for: modality, limit: 1).first }
      guard let device = known[modality] else {
        outcome.leftOut.append(submodality)
        continue
      }
      let choice = Walkthrough.Choice(
        modality: modality, submodality: submodality, deviceName: device.name, address: device.address,
        configuration: device.configuration, trust: device.trust)
      guard let draft = DraftItem(person: person, choice, at: time) else { continue }
      outcome.added.append(try await records.addItem(draft, at: time))
    }
    return outcome
  }

  static let codes: [ErrorCodeDescription] = [
    .init("wsabi.no-sensor-known", "an item was not added, as no sensor is known for it")
  ]

  /// Returns a sentence about the omitted submodalities; nil if there are none.
  static func message(_ leftOut: [Submodality]) -> String? {
    let modalities = Set(leftOut.compactMap(\.modality)).sorted { $0.rawValue < $1.rawValue }
    if modalities.isEmpty { return nil }
    return "no sensor is known yet for: \(modalities.map { $0.title.lowercased() }.joined(separator: ", "))"
  }
}

/// The command that sets a person up by a template.
enum EnrollCommand {
  private static let template = Option(
    "template", "Items to add; 'full' is ten fingers, the face and two irises", default: EnrollmentTemplate.full)
  private static let sensors = Option(
    "sensor", list: String.self,
    "Sensor for a modality, as MODALITY=ADDRESS; the last one used if omitted")

  static let command = WSABICommand(
    CommandDescription(
      "person enroll", "Add the items of a template to a person",
      output: .model(EnrolledItems.self), effects: [.reads, .writes]
    ).taking(PersonCommands.person, template, sensors, StationKey.option).explained(
      """
      Uses the most recent sensor of each modality. Existing items are kept. 'capture --person N --missing --in-turn' \
      then captures one item after the other; screens offer the next item after each capture.
      """,
      examples: [
        .init("person enroll 1", "Ten fingers, face and irises"),
        .init(
          "person enroll 1 --template slaps --sensor finger=http://127.0.0.1:8000/sensor/1",
          "Three slaps with one sensor"
        ),
      ])
  ) { call, station in
    let records = try await StationKey(call: call).openedRecords(station)
    let person = call[PersonCommands.person]
    _ = try await records.person(person)
    var enrollment = Enrollment(records: records, time: call.context.now())
    for text in call[sensors] {
      let (modality, device) = try sensor(text, call)
      enrollment.sensors[modality] = device
    }
    let outcome = try await enrollment.add(call[template], to: person)
    if let message = Enrollment.message(outcome.leftOut) {
      call.warn(
        Diagnostic(
          .warning, code: "wsabi.no-sensor-known", message, advice: "give one with '--sensor MODALITY=ADDRESS'"))
    }
    let added = try await ItemRecord.all(outcome.added, records)
    try await call.emit(EnrolledItems(person: person, added: added, leftOut: outcome.leftOut.map(\.title)))
  }

  /// Returns a sensor as MODALITY=ADDRESS.
  private static func sensor(_ text: String, _ call: CommandCall) throws -> (Modality, DeviceDefinition) {
    guard let equals = text.firstIndex(of: "="), let modality = Modality(word: String(text[..<equals])) else {
      throw StationError.unknownModality(String(text.prefix { $0 != "=" }))
    }
    let address = try SensorAddress(parsing: String(text[text.index(after: equals)...]))
    address.warnIfUnprotected(call)
    let device = DeviceDefinition(
      name: "", address: address.text, configuration: WireDictionary(), edited: call.context.now())
    return (modality, device)
  }
}

extension EnrollmentTemplate: ParameterValue {}
