import PluginAPI
import PluginText

/// The details of a person as a form: its sections, and the fields that are picked rather than typed.
struct BiographyForm: Sendable {
  /// A field of the form.
  enum Field: String, CaseIterable, Sendable {
    case firstName = "First name"
    case middleName = "Middle name"
    case lastName = "Last name"
    case otherName = "Other name"
    case alias = "Alias"
    case dateOfBirth = "Date of birth"
    case placeOfBirth = "Place of birth"
    case gender = "Gender"
    case hairColor = "Hair"
    case race = "Race"
    case eyeColor = "Eyes"
    case height = "Height"
    case weight = "Weight"
    case notes = "Notes"

    /// The values to pick from; nil for a typed field.
    var choices: [String]? {
      switch self {
      case .gender: Biography.genders
      case .hairColor: Biography.hairColors
      case .race: Biography.races
      case .eyeColor: Biography.eyeColors
      case .firstName, .middleName, .lastName, .otherName, .alias, .dateOfBirth, .placeOfBirth, .height, .weight,
        .notes:
        nil
      }
    }

    /// True if the field may have several values, separated by semicolons.
    var isList: Bool {
      if case .list = property { true } else { false }
    }

    /// The property of a biography that a field shows.
    fileprivate enum Property {
      case text(WritableKeyPath<Biography, String>)
      case list(WritableKeyPath<Biography, [String]>)
    }

    fileprivate var property: Property {
      switch self {
      case .firstName: .text(\.firstName)
      case .middleName: .text(\.middleName)
      case .lastName: .text(\.lastName)
      case .otherName: .text(\.otherName)
      case .alias: .list(\.aliases)
      case .dateOfBirth: .list(\.datesOfBirth)
      case .placeOfBirth: .list(\.placesOfBirth)
      case .gender: .text(\.gender)
      case .hairColor: .text(\.hairColor)
      case .race: .text(\.race)
      case .eyeColor: .text(\.eyeColor)
      case .height: .text(\.height)
      case .weight: .text(\.weight)
      case .notes: .text(\.notes)
      }
    }
  }

  static let sections: [(heading: String, fields: [Field])] = [
    ("Basic", [.firstName, .middleName, .lastName, .otherName, .alias, .dateOfBirth, .placeOfBirth]),
    ("Gender", [.gender]), ("Descriptive", [.hairColor, .race, .eyeColor, .height, .weight]), ("Notes", [.notes]),
  ]

  /// Returns the text of a field.
  static func text(_ field: Field, of biography: Biography) -> String {
    switch field.property {
    case .text(let path): biography[keyPath: path]
    case .list(let path): biography[keyPath: path].joined(separator: "; ")
    }
  }

  /// Returns a biography with another text in a field.
  static func setting(_ field: Field, to text: String, in old: Biography) -> Biography {
    var new = old
    switch field.property {
    case .text(let path): new[keyPath: path] = text
    case .list(let path): new[keyPath: path] = list(text)
    }
    return new
  }

  /// Returns true if a text is valid in a field: dates are written as year, month and day.
  static func accepts(_ text: String, in field: Field) -> Bool {
    field != .dateOfBirth || list(text).allSatisfy { CalendarDay($0) != nil }
  }

  /// Returns a biography with one field of another one; other changes stay.
  static func copying(_ field: Field, from other: Biography, to biography: Biography) -> Biography {
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
        section.fields.map { FormSection.Field($0.rawValue, text($0, of: biography), id: $0.rawValue) })
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
