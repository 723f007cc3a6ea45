import PluginAPI

/// The visible state of the walkthrough: its step, its choices, and the typed text.
struct WalkthroughState: Sendable {
  /// The meaning of a list's row.
  enum Row: Sendable, Hashable {
    case keep
    case modality(Modality)
    case submodality(Submodality)
    case recent(DeviceDefinition)
    case newDevice
    case discovered(DiscoveredSensor)
  }

  private(set) var walkthrough: Walkthrough
  private(set) var list = ListState()
  private(set) var rows: [Row] = []
  private(set) var recents: [DeviceDefinition] = []
  /// Sensors that were found; nil before any search.
  private(set) var discovered: [DiscoveredSensor]?
  private(set) var isLooking = false
  var check = AddressCheck()
  var name = InputLine()
  var address = InputLine()
  /// True if typed text goes to the name; otherwise it goes to the address.
  var isAtName = false
  /// The message about a faulty choice or typed text.
  var message = ""

  init(_ walkthrough: Walkthrough = Walkthrough()) {
    self.walkthrough = walkthrough
    fill()
  }

  var step: Walkthrough.Step { walkthrough.step }

  /// The question of the step.
  var question: String {
    switch step {
    case .modality: "What is captured?"
    case .submodality: "How is it captured?"
    case .device: "With which sensor?"
    case .setup: "Where is the sensor?"
    }
  }

  /// The way so far, from the first step to this one.
  var trail: [String] {
    let choice = walkthrough.choice
    let all = [
      choice.modality?.title ?? "", choice.submodality?.title ?? "",
      choice.deviceName.isEmpty ? "New sensor" : choice.deviceName,
    ]
    return Array(all.prefix(step.rawValue))
  }

  /// Adds the sensors used last.
  mutating func take(_ devices: [DeviceDefinition]) {
    recents = devices
    fill()
  }

  /// Starts a search for sensors.
  mutating func look() {
    (isLooking, discovered) = (true, nil)
    fill(keepsSelection: true)
  }

  /// Adds the found sensors; nil if a search was not possible.
  mutating func take(found sensors: [DiscoveredSensor]?) {
    (isLooking, discovered) = (false, sensors)
    fill(keepsSelection: true)
  }

  /// Carries out the action of a row.
  mutating func choose(_ id: String) {
    guard let index = Int(id), rows.indices.contains(index) else { return }
    message = refusal(rows[index]) ?? ""
    guard message.isEmpty else { return list.select(id) }
    switch rows[index] {
    case .keep: _ = walkthrough.keep()
    case .modality(let modality): walkthrough.choose(modality)
    case .submodality(let submodality): walkthrough.choose(submodality)
    case .recent(let device):
      walkthrough.choose(device: device.name, at: device.address, device.configuration, trusting: device.trust)
    case .discovered(let sensor): walkthrough.choose(device: sensor.name, at: sensor.address, WireDictionary())
    case .newDevice: walkthrough.chooseNewDevice()
    }
    recents = []
    arrive()
  }

  /// Returns the reason a row cannot be chosen; nil if it can.
  private func refusal(_ row: Row) -> String? {
    switch row {
    case .modality(let modality): walkthrough.refusal(modality)
    case .submodality(let submodality): walkthrough.refusal(submodality)
    case .keep, .recent, .newDevice, .discovered: nil
    }
  }

  /// Goes back a step; false on the first.
  mutating func back() -> Bool {
    guard walkthrough.back() else { return false }
    arrive()
    return true
  }

  /// Passes the typed text to the walkthrough.
  mutating func setUp() { walkthrough.setUp(name: name.text, address: address.text) }

  mutating func handle(_ event: Event, in rect: Rect) -> ViewOutcome? {
    let outcome = list.handle(event, in: rect)
    if case .changed = outcome { message = "" }
    return outcome
  }

  private mutating func arrive() {
    message = ""
    (discovered, isLooking) = (nil, false)
    if step == .setup {
      name = InputLine(walkthrough.choice.deviceName)
      address = InputLine(walkthrough.choice.address)
      isAtName = false
    }
    fill()
  }

  /// Fills the list with the rows of the step.
  ///
  /// - Parameter keepsSelection: True to keep the selection when sensors are found above it.
  private mutating func fill(keepsSelection: Bool = false) {
    let choice = walkthrough.choice
    let held = list.selectedID.flatMap { Int($0) }.flatMap { rows.indices.contains($0) ? rows[$0] : nil }
    rows = walkthrough.canKeep && step != .setup ? [.keep] : []
    switch step {
    case .modality: rows += Modality.allCases.map(Row.modality)
    case .submodality: rows += (choice.modality?.submodalities ?? []).map(Row.submodality)
    case .device:
      let new = (discovered ?? []).filter { !$0.isAmong(recents) }
      rows += recents.map(Row.recent) + new.map(Row.discovered) + [.newDevice]
    case .setup: break
    }
    list = ListState(
      rows: rows.enumerated().map { index, row in
        ListRow(id: String(index), title: title(row), detail: detail(row), hasDisclosure: true)
      })
    let current = rows.firstIndex {
      $0 == choice.modality.map(Row.modality) || $0 == choice.submodality.map(Row.submodality)
    }
    if rows.first != .keep, let current { list.select(String(current)) }
    if keepsSelection, let held, let place = rows.firstIndex(of: held) { list.select(String(place)) }
  }

  private func title(_ row: Row) -> String {
    switch row {
    case .keep: "Keep the current settings"
    case .modality(let modality): modality.title
    case .submodality(let submodality): submodality.title
    case .recent(let device): device.name.isEmpty ? device.address : device.name
    case .discovered(let sensor): sensor.name
    case .newDevice: "Add a new sensor"
    }
  }

  private func detail(_ row: Row) -> String {
    switch row {
    case .keep:
      switch step {
      case .modality: walkthrough.stored?.modality?.title ?? ""
      case .submodality: walkthrough.stored?.submodality?.title ?? ""
      case .device, .setup: walkthrough.stored?.address ?? ""
      }
    case .recent(let device): device.name.isEmpty ? "" : device.address
    case .discovered(let sensor): "\(sensor.address) (\(sensor.place))"
    case .submodality(let submodality): submodality.wireName
    default: ""
    }
  }
}
