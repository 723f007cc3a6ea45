import PluginAPI
import PluginText

/// The details of a person as a form: its sections, and the fields that are picked rather than typed.
struct BiographyForm: Sendable {
  static let sections: [(heading: String, fields: [BiographyField])] = [
    ("Basic", [.firstName, .middleName, .lastName, .otherName, .alias, .dateOfBirth, .placeOfBirth]),
    ("Gender", [.gender]), ("Descriptive", [.hairColor, .race, .eyeColor, .height, .weight]), ("Notes", [.notes]),
  ]

  /// Returns the field with the id of a line of the form.
  static func field(_ id: String) -> BiographyField? { BiographyField.allCases.first { $0.label == id } }

  /// Returns the text of a field.
  static func text(_ field: BiographyField, of biography: Biography) -> String {
    switch field.property {
    case .text(let path): biography[keyPath: path]
    case .list(let path): biography[keyPath: path].joined(separator: "; ")
    }
  }

  /// Returns a biography with another text in a field.
  static func setting(_ field: BiographyField, to text: String, in old: Biography) -> Biography {
    var new = old
    switch field.property {
    case .text(let path): new[keyPath: path] = text
    case .list(let path): new[keyPath: path] = list(text)
    }
    return new
  }

  /// Returns true if a text is valid in a field: dates are written as year, month and day.
  static func accepts(_ text: String, in field: BiographyField) -> Bool {
    field != .dateOfBirth || list(text).allSatisfy { CalendarDay($0) != nil }
  }

  /// Returns a biography with one field of another one; other changes stay.
  static func copying(_ field: BiographyField, from other: Biography, to biography: Biography) -> Biography {
    var new = biography
    switch field.property {
    case .text(let path): new[keyPath: path] = other[keyPath: path]
    // Values of lists as they were, also those with a semicolon in them.
    case .list(let path): new[keyPath: path] = other[keyPath: path]
    }
    return new
  }

  /// Returns a biography with another first day of birth; an empty one removes it, and others stay.
  static func setting(firstDayOfBirth day: String, in old: Biography) -> Biography {
    var new = old
    new.datesOfBirth = (day.isEmpty ? [] : [day]) + old.datesOfBirth.dropFirst()
    return new
  }

  /// Returns the form of a biography.
  static func sections(of biography: Biography) -> [FormSection] {
    sections.map { section in
      FormSection(
        section.heading,
        section.fields.map { FormSection.Field($0.label, text($0, of: biography), id: $0.label) })
    }
  }

  private static func list(_ text: String) -> [String] {
    text.split(separator: ";").map { $0.trimmed() }.filter { !$0.isEmpty }
  }
}

/// The settings: sensors by modality, operations in progress, and logging.
struct SettingsForm: Sendable {
  /// A sensor that was used for a modality.
  struct Sensor: Sendable, Hashable {
    var modality: Modality
    var device: DeviceDefinition
  }

  /// A thing that is on or off.
  struct Switch: Sendable, Hashable {
    var name: String
    var title: String
    var isOn: Bool
  }

  var sensors: [Sensor] = []
  var operations: [PendingOperation] = []
  var switches: [Switch] = []

  /// The sections of the form; ids are `sensor-0`, `operation-3` (its number) and `switch-0`.
  var sections: [FormSection] {
    var sections: [FormSection] = []
    for modality in Modality.allCases {
      let fields = sensors.enumerated().filter { $0.element.modality == modality }.map { index, sensor in
        FormSection.Field(
          sensor.device.name.isEmpty ? "unnamed" : sensor.device.name, sensor.device.address,
          id: "sensor-\(index)")
      }
      if !fields.isEmpty { sections.append(FormSection("Sensors: \(modality.title)", fields)) }
    }
    let add = FormSection.Field("Add a sensor", "for new items", id: "add-sensor")
    sections.append(FormSection(sensors.isEmpty ? "Sensors" : "", [add]))
    let pending = operations.map { operation in
      FormSection.Field(
        Self.what(operation), "\(Self.stage(operation.stage)) · \(operation.address.text)",
        id: "operation-\(operation.number)")
    }
    sections.append(FormSection("Under way", pending.isEmpty ? [.init("none", "", id: "no-operations")] : pending))
    if !switches.isEmpty {
      sections.append(
        FormSection(
          "Interaction log",
          switches.enumerated().map { .init($1.title, $1.isOn ? "on" : "off", id: "switch-\($0)") }))
    }
    return sections
  }

  private static func what(_ operation: PendingOperation) -> String {
    operation.item.map { "item \($0)" } ?? "link"
  }

  private static func stage(_ stage: PendingOperation.Stage) -> String {
    switch stage {
    case .queued: "queued"
    case .asking(let step): step.rawValue
    case .waiting(let status): "waiting (\(status.word))"
    case .downloading: "downloading"
    case .canceling: "cancelling"
    }
  }
}
