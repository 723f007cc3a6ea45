import PluginAPI

/// The settings: forgets sensors, cancels operations in progress, switches logging.
@MainActor final class SettingsController: Controller {
  nonisolated static let description = ScreenDescription(
    "settings", title: "Settings", summary: "Recent sensors, captures under way, and the interaction log",
    actions: [
      ScreenAction(SettingsAction.choose, "Change the selection", keys: ["enter"]),
      ScreenAction(SettingsAction.cancel, "Cancel or forget", keys: ["x", "delete"]),
    ],
    topics: [WSABIScreens.recordsTopic])

  /// The largest number of people listed as users of a sensor.
  private nonisolated static let mostPeople = 50

  /// The interval at which the operations in progress are polled, in seconds.
  private static let lookInSeconds = 0.5

  private let station: ScreenStation
  private var settings = SettingsForm()
  private var form = FormState()
  private var size = Size(width: 0, height: 0)

  init(_ station: ScreenStation) { self.station = station }

  var title: String { "Settings" }
  var view: any View { FormView("Settings", form, action: SettingsAction.choose.rawValue) }

  func start() -> [Effect] {
    look()
    return [read(), .timer("look", seconds: Self.lookInSeconds, repeats: true)]
  }

  func handle(_ event: Event) -> [Effect]? {
    if case .resize(let geometry) = event {
      size = geometry.size
      return []
    }
    switch form.handle(event, in: Rect(size)) {
    case .chosen(let id), .disclosed(let id): return choose(id)
    case .changed: return []
    case nil: return nil
    @unknown default: return nil
    }
  }

  func perform(_ invocation: ActionInvocation) -> [Effect] {
    guard let id = invocation.arguments[WSABIArgument.id] ?? form.selectedField?.id else { return [] }
    // An unknown name means the screen's main action.
    switch SettingsAction(rawValue: invocation.action) ?? .choose {
    case .choose: return choose(id)
    case .cancel: return id.hasPrefix("switch-") ? [] : choose(id)
    }
  }

  func receive(_ message: Message) -> [Effect] {
    if case .timer = message { look() }
    return []
  }

  private func read() -> Effect {
    load("sensors", "reading") { [station] _ in
      var sensors: [SettingsForm.Sensor] = []
      for modality in Modality.allCases {
        let recent = try await station.records().recentSensors(for: modality, limit: 20)
        sensors += recent.map { SettingsForm.Sensor(modality: modality, device: $0) }
      }
      return sensors
    } then: { controller, sensors -> Void in
      controller.settings.sensors = sensors
      controller.fill()
    }
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
    if let number = number(id, "operation-") { return [askOperation(number)] }
    if let index = number(id, "sensor-"), settings.sensors.indices.contains(index) {
      return [askSensor(settings.sensors[index])]
    }
    return id == "add-sensor" ? [askModality()] : []
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
        ?? ErrorReport(code: "wsabi.not-switched", kind: .failure, "cannot save the setting")
      return [.status(Diagnostic(report, .error))]
    }
    look()
    return []
  }

  private func askOperation(_ number: Int) -> Effect {
    let choices = [
      ChoiceRequest.Choice(id: "leave", title: "Let it continue"),
      ChoiceRequest.Choice(id: "cancel", title: "Cancel it", detail: "also at the sensor"),
    ]
    return choose(ChoiceRequest("Operation \(number)", choices: choices)) { controller, choice in
      guard choice == "cancel" else { return [] }
      controller.station.sensors.cancelOperation(number)
      controller.look()
      return []
    }
  }

  // MARK: A sensor and its users

  private func askSensor(_ sensor: SettingsForm.Sensor) -> Effect {
    let choices = [
      ChoiceRequest.Choice(id: "who", title: "Show people who use it"),
      ChoiceRequest.Choice(id: "forget", title: "Forget it", detail: "items that use it keep it"),
      ChoiceRequest.Choice(id: "keep", title: "Keep it"),
    ]
    let name = sensor.device.name
    return choose(ChoiceRequest(name.isEmpty ? "Sensor" : name, choices: choices)) { controller, choice in
      switch choice {
      case "who": [controller.findUsers(of: sensor.device)]
      case "forget": [controller.forget(sensor)]
      default: []
      }
    }
  }

  private func findUsers(of device: DeviceDefinition) -> Effect {
    load("find", "searching for people") { [station] _ in
      try await station.records().people(using: device, limit: Self.mostPeople)
    } then: {
      $0.show($1)
    }
  }

  private func show(_ people: [Person]) -> [Effect] {
    if people.isEmpty {
      return [.status(Diagnostic(.note, code: "wsabi.nobody-uses-it", "no item uses this sensor"))]
    }
    let choices = people.map { ChoiceRequest.Choice(id: "\($0.id)", title: PersonText.name($0), detail: "#\($0.id)") }
    let title = people.count < Self.mostPeople ? "Used for" : "Used for (first \(people.count))"
    return [choose(ChoiceRequest(title, choices: choices)) { [.pop(["person": .optional(Int($1))])] }]
  }

  private func forget(_ sensor: SettingsForm.Sensor) -> Effect {
    load("forget", "forgetting") { [station] _ in
      try await station.records().forgetSensor(sensor.device, for: sensor.modality)
    } then: { controller, _ in
      [controller.read()]
    }
  }

  // MARK: Adding a sensor

  private func askModality() -> Effect {
    let choices = Modality.allCases.map { ChoiceRequest.Choice(id: $0.title, title: $0.title) }
    return choose(ChoiceRequest("Modality of the sensor", choices: choices)) { controller, title in
      Modality(word: title).map { [controller.askAddress($0)] } ?? []
    }
  }

  private func askAddress(_ modality: Modality) -> Effect {
    ask(PromptRequest("Address, such as http://host:8000/Service")) { $1.isEmpty ? [] : [$0.askName(modality, $1)] }
  }

  private func askName(_ modality: Modality, _ address: String) -> Effect {
    ask(PromptRequest("Name of the sensor (optional)")) { [$0.remember($1, at: address, for: modality)] }
  }

  private func remember(_ name: String, at address: String, for modality: Modality) -> Effect {
    load("remember", "keeping") { [station] _ in
      try await station.remember(name, at: address, for: modality)
    } then: { controller, _ in
      [controller.read()]
    }
  }
}
