import PluginAPI

/// A step of the walkthrough.
struct WalkthroughView: View {
  var state: WalkthroughState

  /// Returns the area of a step's list, above the message about a faulty choice.
  static func list(of state: WalkthroughState, in rect: Rect) -> Rect {
    let rest = rect.split(top: isLow(rect.size) ? 1 : 3).rest
    let lines = message(state, width: rect.width).count
    return Rect(x: rest.x, y: rest.y, width: rest.width, height: max(0, rest.height - lines))
  }

  /// Returns the message about a faulty choice, wrapped to as many lines as it needs.
  private static func message(_ state: WalkthroughState, width: Int) -> [String] {
    state.message.isEmpty ? [] : TextWidth.wrapped(state.message, to: max(1, width - 4))
  }

  /// Returns true if blank lines are left out.
  private static func isLow(_ size: Size) -> Bool { size.height < 14 }

  /// Returns the line of the address in the last step; the name is on the line below.
  static func addressLine(in size: Size) -> Int { isLow(size) ? 3 : 5 }

  func draw(into frame: inout TextFrame) {
    frame.put(Self.trail(state, width: frame.size.width - 3), x: 2, y: Self.isLow(frame.size) ? 0 : 1, .heading)
    if state.step == .setup {
      drawSetup(into: &frame)
    } else {
      let list = Self.list(of: state, in: frame.bounds)
      frame.draw(ListView("", state.list), in: list)
      for (index, line) in Self.message(state, width: frame.size.width).enumerated() {
        frame.put(line, x: 2, y: list.y + list.height + index, .error)
      }
    }
  }

  /// Returns the trail of steps before the question; if there is no room for all of it, its beginning is dropped.
  private static func trail(_ state: WalkthroughState, width: Int) -> String {
    var steps = state.trail
    func text(_ mark: String) -> String { mark + (steps + [state.question]).joined(separator: " › ") }
    if TextWidth.columns(text("")) <= width { return text("") }
    while !steps.isEmpty, TextWidth.columns(text("… › ")) > width { steps.removeFirst() }
    return TextWidth.truncated(text("… › "), to: max(1, width))
  }

  private func drawSetup(into frame: inout TextFrame) {
    let width = frame.size.width
    let room = max(1, width - 14)
    let check = state.check.check
    let line = Self.addressLine(in: frame.size)
    frame.put(check.glyph, x: 2, y: line - 2, check.style)
    // A second line would be that of the address.
    let words = TextWidth.wrapped(check.text, to: max(1, width - 6)).prefix(2)
    for (index, text) in words.enumerated() { frame.put(text, x: 4, y: line - 2 + index, check.style) }
    draw(field: "Address", state.address, isActive: !state.isAtName, y: line, room, into: &frame)
    draw(field: "Name", state.name, isActive: state.isAtName, y: line + 1, room, into: &frame)
    var y = line + 3
    if !state.message.isEmpty {
      for line in TextWidth.wrapped(state.message, to: max(1, width - 4)) {
        frame.put(line, x: 2, y: y, .error)
        y += 1
      }
      y += 1
    }
    let hint = "\(doneHint)tab other line · ctrl-r checks again · escape goes back"
    for line in TextWidth.wrapped(hint, to: max(1, width - 4)) {
      frame.put(line, x: 2, y: y, .secondary)
      y += 1
    }
  }

  /// An example of an address.
  private static let form = "for example 'http://192.168.1.20:8000/Service'"

  private var doneHint: String {
    switch state.check.check {
    case .successful: "enter is done · "
    case .notFound: "enter keeps it anyway · "
    case .noAddress: "\(Self.form) · " + (state.isAtName ? "enter the address · " : "")
    // Enter has no effect yet, and on the line of the name it moves to the address.
    case .blank, .checking: state.isAtName ? "enter the address · " : ""
    case .badModality, .badSubmodality:
      "ctrl-s uses it anyway · " + (state.isAtName ? "enter the address · " : "")
    }
  }

  private func draw(
    field label: String, _ line: InputLine, isActive: Bool, y: Int, _ room: Int, into frame: inout TextFrame
  ) {
    frame.put(label, x: 2, y: y, isActive ? .accent : .secondary)
    if isActive {
      line.draw(into: &frame, x: 12, y: y, width: room)
    } else {
      frame.put(TextWidth.truncated(line.text, to: room), x: 12, y: y)
    }
  }

  var outline: Outline {
    let title = (state.trail + [state.question]).joined(separator: " › ")
    guard state.step == .setup else {
      let items = state.list.rows.map { row in
        Outline.Item(
          id: row.id, text: row.detail.isEmpty ? row.title : "\(row.title), \(row.detail)",
          action: ActionInvocation(WalkthroughAction.choose).with(WSABIArgument.id, row.id))
      }
      let look = Outline.Item(id: "look", text: "Search for sensors", action: ActionInvocation(WalkthroughAction.look))
      return Outline(
        title: title, text: state.message.isEmpty ? [] : [state.message],
        items: items + (state.step == .device ? [look] : []))
    }
    let lines = SetupLine.allCases.map { line in
      Outline.Item(
        id: line.rawValue, text: "Type the \(line.rawValue)",
        action: ActionInvocation(WalkthroughAction.type).with(WSABIArgument.line, line))
    }
    let isNoAddress = if case .noAddress = state.check.check { true } else { false }
    let form = isNoAddress ? "Write an address, \(Self.form)." : ""
    let doneWords = state.check.check.saysItCannot ? "Use it anyway" : "Done"
    let done =
      state.check.check.allowsDone || state.check.check.saysItCannot
      ? [Outline.Item(id: "done", text: doneWords, action: ActionInvocation(WalkthroughAction.done))] : []
    return Outline(
      title: title, text: [state.check.check.text, form, state.message].filter { !$0.isEmpty },
      fields: [.init("Name", state.name.text), .init("Address", state.address.text)], items: lines + done)
  }
}

extension SensorCheck {
  /// One column wide.
  fileprivate var glyph: String {
    switch self {
    case .blank: " "
    case .checking: "◌"
    case .notFound: "?"
    case .noAddress, .badModality, .badSubmodality: "▲"
    case .successful: "●"
    }
  }

  fileprivate var style: Style {
    switch self {
    case .blank: .secondary
    case .checking: .accent
    case .noAddress, .notFound, .badModality, .badSubmodality: .warning
    case .successful: .success
    }
  }
}

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
    if keepsSelection, let held, let index = rows.firstIndex(of: held) { list.select(String(index)) }
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
    case .discovered(let sensor): "\(sensor.address) (\(sensor.interface))"
    case .submodality(let submodality): submodality.wireName
    case .modality, .newDevice: ""
    }
  }
}
