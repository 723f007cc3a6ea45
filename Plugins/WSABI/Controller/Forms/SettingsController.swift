import PluginAPI

/// The settings: forgets sensors, cancels operations in progress, switches logging.
@MainActor final class SettingsController: Controller {
  static let reading: EffectID = "sensors"
  static let looking: EffectID = "look"
  static let askingOperation: EffectID = "ask-operation"
  static let askingSensor: EffectID = "ask-sensor"
  static let forgetting: EffectID = "forget"
  static let askingModality: EffectID = "ask-modality"
  static let askingAddress: EffectID = "ask-address"
  static let askingName: EffectID = "ask-name"
  static let remembering: EffectID = "remember"
  static let finding: EffectID = "find"
  static let showingPeople: EffectID = "show-people"

  /// The largest number of people listed as users of a sensor.
  nonisolated static let mostPeople = 50

  /// The interval at which the operations in progress are polled, in seconds.
  static let lookInSeconds = 0.5

  nonisolated static let actions: [ScreenAction] = [
    ScreenAction("choose", "Change what is selected", keys: ["enter"]),
    ScreenAction("cancel", "Cancel or forget", keys: ["x", "delete"]),
  ]

  private let station: ScreenStation
  private var settings = SettingsForm()
  private var form = FormState()
  private var size = Size(width: 0, height: 0)
  private var hasStarted = false
  /// The id of the field whose value is requested.
  private var asked: String?
  /// The sensor that is being added.
  private var new: (modality: Modality, address: String)?

  init(_ station: ScreenStation) { self.station = station }

  var title: String { "Settings" }
  var view: any View { FormView("Settings", form, action: "choose") }

  func handle(_ event: Event) -> [Effect]? {
    if case .resize(let geometry) = event {
      size = geometry.size
      if hasStarted { return [] }
      hasStarted = true
      look()
      return station.leaving ?? read() + [.timer(Self.looking, seconds: Self.lookInSeconds, repeats: true)]
    }
    switch form.handle(event, in: Rect(size)) {
    case .chosen(let id), .disclosed(let id): return choose(id)
    case .changed: return []
    case nil: return nil
    @unknown default: return nil
    }
  }

  func perform(_ invocation: ActionInvocation) -> [Effect] {
    guard let id = invocation.arguments["id"]?.text ?? form.selectedField?.id else { return [] }
    if invocation.action == "cancel", id.hasPrefix("switch-") { return [] }
    return choose(id)
  }

  func receive(_ message: Message) -> [Effect] {
    switch message {
    case .finished(Self.reading, let sensors as [SettingsForm.Sensor]):
      settings.sensors = sensors
      fill()
    case .timer(Self.looking): look()
    case .answered(Self.askingOperation, "cancel"?):
      if let number = asked.flatMap({ Int($0.dropFirst("operation-".count)) }) {
        station.sensors.cancelOperation(number)
      }
      asked = nil
      look()
    case .answered(Self.askingSensor, "forget"?): return forget()
    case .answered(Self.askingSensor, "who"?): return find()
    case .answered(let id, let text?) where [Self.askingModality, Self.askingAddress, Self.askingName].contains(id):
      return add(id, text)
    case .answered(Self.showingPeople, let person?): return [.pop(["person": .optional(Int(person))])]
    case .answered: (asked, new) = (nil, nil)
    case .finished(Self.finding, let people as [Person]): return show(people)
    case .finished(Self.forgetting, _), .finished(Self.remembering, _): return read()
    case .failed(_, let report): return station.leaving ?? [.status(Diagnostic(report, .error))]
    case .notification: return station.leaving ?? []
    default: break
    }
    return []
  }

  private func read() -> [Effect] {
    let station = station
    return [
      .compute(Self.reading, label: "reading") { _ in
        try Modality.allCases.flatMap { modality in
          try station.recentSensorsAndWait(for: modality, limit: 20).map {
            SettingsForm.Sensor(modality: modality, device: $0)
          }
        }
      }
    ]
  }

  private func look() {
    settings.operations = station.sensors.operations()
    settings.switches = station.switches.map { .init(name: $0.name, title: $0.title, isOn: $0.isOn()) }
    fill()
  }

  private func fill() {
    let sections = settings.sections
    if sections != form.sections { form.sections = sections }
  }

  private func choose(_ id: String) -> [Effect] {
    if let index = number(id, "switch-"), station.switches.indices.contains(index) { return flip(index) }
    asked = id
    if let number = number(id, "operation-") {
      let choices = [
        ChoiceRequest.Choice(id: "leave", title: "Let it go on"),
        ChoiceRequest.Choice(id: "cancel", title: "Cancel it", detail: "the sensor is told too"),
      ]
      return [.choose(Self.askingOperation, ChoiceRequest("Operation \(number)", choices: choices))]
    }
    if let index = number(id, "sensor-"), settings.sensors.indices.contains(index) {
      let choices = [
        ChoiceRequest.Choice(id: "who", title: "Who uses it"),
        ChoiceRequest.Choice(id: "forget", title: "Forget it", detail: "items that use it keep it"),
        ChoiceRequest.Choice(id: "keep", title: "Keep it"),
      ]
      let name = settings.sensors[index].device.name
      return [.choose(Self.askingSensor, ChoiceRequest(name.isEmpty ? "Sensor" : name, choices: choices))]
    }
    asked = nil
    guard id == "add-sensor" else { return [] }
    let choices = Modality.allCases.map { ChoiceRequest.Choice(id: $0.title, title: $0.title) }
    return [.choose(Self.askingModality, ChoiceRequest("What it captures", choices: choices))]
  }

  // MARK: Adding a sensor, and its users

  /// Handles an answer about the new sensor, and asks the next question.
  private func add(_ id: EffectID, _ text: String) -> [Effect] {
    switch id {
    case Self.askingModality:
      new = Modality(word: text).map { ($0, "") }
      return [.ask(Self.askingAddress, PromptRequest("Address, such as http://host:8000/Service"))]
    case Self.askingAddress where !text.isEmpty:
      new?.address = text
      return [.ask(Self.askingName, PromptRequest("Its name, or nothing"))]
    case Self.askingName:
      guard let (modality, address) = new else { return [] }
      new = nil
      let station = station
      return [
        .compute(Self.remembering, label: "keeping") { _ in
          try station.rememberAndWait(text, at: address, for: modality)
        }
      ]
    default:
      new = nil
      return []
    }
  }

  private func find() -> [Effect] {
    guard let index = asked.flatMap({ number($0, "sensor-") }), settings.sensors.indices.contains(index) else {
      return []
    }
    let (station, device) = (station, settings.sensors[index].device)
    return [
      .compute(Self.finding, label: "looking who uses it") { _ in
        try station.peopleAndWait(using: device, limit: Self.mostPeople)
      }
    ]
  }

  private func show(_ people: [Person]) -> [Effect] {
    asked = nil
    if people.isEmpty {
      return [.status(Diagnostic(.note, code: "wsabi.nobody-uses-it", "no item of anybody has this sensor"))]
    }
    let choices = people.map { ChoiceRequest.Choice(id: "\($0.id)", title: PersonText.name($0), detail: "#\($0.id)") }
    let title = people.count < Self.mostPeople ? "Used for" : "Used for these first \(people.count)"
    return [.choose(Self.showingPeople, ChoiceRequest(title, choices: choices))]
  }

  private func number(_ id: String, _ prefix: String) -> Int? {
    id.hasPrefix(prefix) ? Int(id.dropFirst(prefix.count)) : nil
  }

  private func flip(_ index: Int) -> [Effect] {
    let setting = station.switches[index]
    do {
      try setting.set(!setting.isOn())
    } catch {
      let report =
        (error as? any ReportableError)?.report
        ?? ErrorReport(code: "wsabi.not-switched", kind: .failure, "the setting could not be kept")
      return [.status(Diagnostic(report, .error))]
    }
    look()
    return []
  }

  private func forget() -> [Effect] {
    guard let index = asked.flatMap({ number($0, "sensor-") }), settings.sensors.indices.contains(index) else {
      return []
    }
    asked = nil
    let (station, sensor) = (station, settings.sensors[index])
    return [
      .compute(Self.forgetting, label: "forgetting") { _ in
        try station.forgetAndWait(sensor.device, for: sensor.modality)
      }
    ]
  }
}
