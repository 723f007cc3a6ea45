import PluginAPI

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
          sensor.device.name.isEmpty ? "without a name" : sensor.device.name, sensor.device.address,
          id: "sensor-\(index)")
      }
      if !fields.isEmpty { sections.append(FormSection("Sensors: \(modality.title)", fields)) }
    }
    let add = FormSection.Field("Add a sensor", "it is offered for new items", id: "add-sensor")
    sections.append(FormSection(sensors.isEmpty ? "Sensors" : "", [add]))
    let pending = operations.map { operation in
      FormSection.Field(
        Self.what(operation), "\(Self.stage(operation.stage)) · \(operation.address.text)",
        id: "operation-\(operation.number)")
    }
    sections.append(FormSection("Under way", pending.isEmpty ? [.init("nothing", "", id: "no-operations")] : pending))
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
