import PluginAPI

/// The walkthrough to an item: the part of the body, the manner, the sensor and its address.
///
/// A new item is not stored before the last step is done. The address is checked after a pause of three seconds in
/// typing. Responses that arrive after the page was left are ignored.
@MainActor final class WalkthroughController: KeyedController {
  /// The title of each action names its step.
  ///
  /// Help lists all of them, and hints in the status line are valid in every step. The keys of a step are described by
  /// the step itself.
  nonisolated static let description = ScreenDescription(
    "walkthrough", title: "Sensor", summary: "Set-up of an item and its sensor",
    actions: [
      ScreenAction(WalkthroughAction.choose, "Continue to the next step; done after the last one", keys: ["enter"]),
      ScreenAction(
        WalkthroughAction.back, "Return to the previous step, in steps that choose from a list", keys: ["left"]),
      ScreenAction(WalkthroughAction.look, "Search for sensors, in the step that chooses the sensor", keys: ["f"]),
      ScreenAction(
        WalkthroughAction.line, "Move to the other line, in the step for the sensor's address", keys: ["tab"]),
      ScreenAction(WalkthroughAction.check, "Check again, in the step for the sensor's address", keys: ["ctrl-r"]),
      ScreenAction(WalkthroughAction.done, "Done, in the step for the address of the sensor", keys: ["ctrl-s"]),
      ScreenAction(WalkthroughAction.type, "Type the address").with(WSABIArgument.line, .address),
      ScreenAction(WalkthroughAction.type, "Type the name").with(WSABIArgument.line, .name),
    ],
    topics: [WSABIScreens.recordsTopic])

  private let station: ScreenStation
  /// The stored item that is edited; nil for a new one.
  private let item: Int?
  private let firstStep: Walkthrough.Step
  private var person: Int?
  private var state = WalkthroughState()
  private var size = Size(width: 0, height: 0)
  /// The ticket of the timer in progress.
  private var ticket = 0
  private var isKeeping = false

  init(_ request: ScreenRequest, _ station: ScreenStation) {
    self.station = station
    item = request.arguments[WSABIArgument.item]
    person = request.arguments[WSABIArgument.person]
    firstStep = request.arguments[WSABIArgument.from]?.step ?? .modality
  }

  var title: String { item == nil ? "New item" : "Sensor" }
  var view: any View { WalkthroughView(state: state) }
  var wantsText: Bool { state.step == .setup || state.list.isFiltering }

  var status: [StyledText.Run] {
    var runs = [StyledText.Run("step \(state.step.rawValue + 1) of 4", .secondary)]
    switch state.step {
    case .setup: break
    case .modality, .submodality: runs.append(.init("enter continues", .secondary))
    case .device:
      // In 80 columns there is room only for the next action.
      if state.discovered?.isEmpty == true, !state.isLooking {
        return [.init("no sensor found", .warning), .init("f searches again", .secondary)]
      }
      runs.append(.init(state.isLooking ? "searching for sensors …" : "enter continues", .secondary))
      if !state.isLooking { runs.append(.init("f searches", .secondary)) }
    }
    return runs
  }

  // MARK: Events

  func start() -> [Effect] {
    guard let item else { return [] }
    let reading = load("item", "reading") { [station] _ in
      try await station.records().item(item)
    } then: {
      $0.edit($1)
    }
    return [reading]
  }

  func handle(_ event: Event) -> [Effect]? {
    switch event {
    case .resize(let geometry):
      size = geometry.size
      return []
    case .key(let key) where state.step == .setup: return type(key, event)
    case .paste where state.step == .setup: return type(nil, event)
    case .key(Key(.escape)) where !state.list.isFiltering && state.list.filter.text.isEmpty: return back()
    case .mouse(let mouse) where state.step == .setup: return handle(mouse)
    default: break
    }
    guard state.step != .setup else { return nil }
    switch state.handle(event, in: WalkthroughView.list(of: state, in: Rect(size))) {
    case .chosen(let id), .disclosed(let id): return choose(id)
    case .changed: return []
    case nil: return nil
    @unknown default: return nil
    }
  }

  func action(of key: Key) -> ActionInvocation? {
    guard state.step == .setup else { return nil }
    return switch key {
    case Key(.enter) where state.check.check.allowsDone, Key(.character("s"), .control):
      ActionInvocation(WalkthroughAction.done)
    case Key(.character("r"), .control): ActionInvocation(WalkthroughAction.check)
    case Key(.escape): ActionInvocation(WalkthroughAction.back)
    default: nil
    }
  }

  private func handle(_ mouse: Mouse) -> [Effect]? {
    guard case .press = mouse.action, mouse.button == .left else { return nil }
    let line = WalkthroughView.addressLine(in: size)
    if mouse.position.y == line { state.isAtName = false }
    if mouse.position.y == line + 1 { state.isAtName = true }
    return []
  }

  private func type(_ key: Key?, _ event: Event) -> [Effect]? {
    switch key {
    case Key(.tab), Key(.up), Key(.down), Key(.tab, .shift):
      state.isAtName.toggle()
      return []
    // The step is not complete yet.
    case Key(.enter):
      state.isAtName = false
      return []
    default: break
    }
    if state.isAtName { return state.name.handle(event) ? [] : nil }
    let before = state.address.text
    guard state.address.handle(event) else { return nil }
    guard state.address.text != before else { return [] }
    state.message = ""
    return obey(edited())
  }

  private func edited() -> [AddressCheck.Order] {
    state.check.edit(state.address.text, problem: problem)
  }

  /// The reason the typed text is not an address; nil if it may be one.
  private var problem: String? {
    station.addressProblem(state.address.text, trusting: state.walkthrough.choice.trust(at: state.address.text))
  }

  func perform(_ invocation: ActionInvocation) -> [Effect] {
    guard let action = WalkthroughAction(rawValue: invocation.action) else { return [] }
    let isSetup = state.step == .setup
    switch action {
    case .choose:
      return isSetup ? [] : (invocation.arguments[WSABIArgument.id] ?? state.list.selectedID).map(choose) ?? []
    case .back: return back()
    case .done: return isSetup ? done() : []
    case .look: return look()
    case .line:
      if isSetup { state.isAtName.toggle() }
      return []
    case .type:
      guard isSetup else { return [] }
      switch invocation.arguments[WSABIArgument.line] ?? .address {
      case .address: return [askAddress()]
      case .name: return [askName()]
      }
    case .check: return isSetup ? obey(state.check.again()) : []
    }
  }

  // MARK: Steps

  private func askName() -> Effect {
    ask(PromptRequest("Name of the sensor", text: state.name.text)) { controller, text in
      controller.state.name = InputLine(text)
      return []
    }
  }

  private func askAddress() -> Effect {
    ask(PromptRequest("Address of the sensor", text: state.address.text)) { controller, text in
      guard controller.state.step == .setup else { return [] }
      (controller.state.address, controller.state.message) = (InputLine(text), "")
      return controller.obey(controller.edited())
    }
  }

  /// Starts with the settings of a stored item.
  private func edit(_ item: BiometricItem) -> [Effect] {
    person = item.person
    state = WalkthroughState(
      Walkthrough(stored: Walkthrough.Choice(item), from: firstStep, isCaptured: item.capture != nil))
    return arrived()
  }

  private func choose(_ id: String) -> [Effect] {
    let leaving = ended()
    state.choose(id)
    // A choice that is not possible changes nothing.
    return state.message.isEmpty ? leaving + arrived() : []
  }

  /// Searches for sensors; never without the user's request.
  private func look() -> [Effect] {
    guard state.step == .device, !state.isLooking, let modality = state.walkthrough.choice.modality else { return [] }
    state.look()
    let looking = load("look", "searching for sensors") { [station] _ in
      try await station.sensors.discover(modality)
    } then: { controller, found -> Void in
      if controller.state.isLooking { controller.state.take(found: found) }
    } failed: { controller, _ in
      controller.state.take(found: nil)
      return []
    }
    return [looking]
  }

  /// Ends a search for sensors.
  private func ended() -> [Effect] { state.isLooking ? [.cancel("look")] : [] }

  private func back() -> [Effect] {
    let leaving = ended() + (state.step == .setup ? obey(state.check.leave()) : [])
    return leaving + (state.back() ? arrived() : [.pop(.null)])
  }

  /// Starts the work that a step needs.
  private func arrived() -> [Effect] {
    switch state.step {
    case .modality, .submodality: return []
    case .device:
      guard let modality = state.walkthrough.choice.modality else { return [] }
      let listing = load("sensors", "reading") { [station] _ in
        try await station.records().recentSensors(for: modality, limit: 5)
      } then: { controller, devices -> Void in
        if controller.state.step == .device { controller.state.take(devices) }
      }
      return [listing]
    case .setup:
      state.check = AddressCheck(state.address.text, problem: problem)
      return obey(state.check.open())
    }
  }

  // MARK: The check

  /// Carries out the check's orders to the clock and the network.
  private func obey(_ orders: [AddressCheck.Order]) -> [Effect] {
    orders.flatMap { order -> [Effect] in
      switch order {
      case .cancel: return [.cancel("rest"), .cancel("ask")]
      case .startTimer(let milliseconds, let ticket):
        self.ticket = ticket
        return [.timer("rest", seconds: Double(milliseconds) / 1000, repeats: false)]
      case .ask(let address, let ticket): return [request(address, ticket)]
      }
    }
  }

  private func request(_ address: String, _ ticket: Int) -> Effect {
    let trust = state.walkthrough.choice.trust(at: address)
    return load("ask", "checking the sensor") { [station] _ in
      try? await station.information(at: address, trusting: trust)
    } then: {
      $0.answered(ticket, $1)
    } failed: { controller, _ in
      controller.answered(ticket, nil)
      return []
    }
  }

  private func answered(_ ticket: Int, _ information: ServiceInformation?) {
    let choice = state.walkthrough.choice
    guard let modality = choice.modality, let submodality = choice.submodality else { return }
    state.check.answered(ticket, information, modality, submodality)
  }

  // MARK: The end

  /// Asks whether to accept a sensor that reports that it cannot do it; its report may be wrong or incomplete.
  private func askAnyway() -> [Effect] {
    let choices = [
      ChoiceRequest.Choice(id: "keep", title: "Use it anyway", detail: "captures may fail"),
      ChoiceRequest.Choice(id: "back", title: "Go back"),
    ]
    let request = ChoiceRequest(state.check.check.text, choices: choices, selected: "back")
    let asking = choose(request) { controller, choice in
      choice == "keep" && controller.state.step == .setup ? controller.done(anyway: true) : []
    }
    return [asking]
  }

  /// - Parameter anyway: True to accept a sensor that reports that it cannot do it.
  private func done(anyway: Bool = false) -> [Effect] {
    if state.check.check.saysItCannot, !anyway { return askAnyway() }
    state.setUp()
    guard !isKeeping, let person, let choice = state.walkthrough.done(state.check.check, anyway: anyway),
      let modality = choice.modality, let submodality = choice.submodality
    else { return [] }
    isKeeping = true
    let keeping = load("keep", "keeping") { [station, item] _ in
      let device = try station.device(choice, submodality)
      let draft = DraftItem(person: person, modality: modality, submodality: submodality, device: device)
      return try await station.keep(draft, as: item).id
    } then: {
      [.pop(["item": .integer($1)])]
    } failed: { controller, failure in
      guard case .failed(let report) = failure else { return [] }
      (controller.isKeeping, controller.state.message) = (false, report.description)
      return controller.obey(controller.state.check.open())
    }
    return obey(state.check.leave()) + [keeping]
  }

  func receive(_ message: Message) -> [Effect] {
    if case .timer = message { obey(state.check.rested(ticket)) } else { [] }
  }
}
