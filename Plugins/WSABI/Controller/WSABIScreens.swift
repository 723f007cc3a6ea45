import PluginAPI

/// The screens of this plugin; `workbench run wsabi` shows the first.
enum WSABIScreens {
  /// The notification after every change of the store.
  static let recordsTopic = "wsabi.records-changed"
  /// The payload of ``recordsTopic`` for a change by another process, which may concern any person.
  static let anybody = Station.anybody

  /// Returns true if a reported change concerns a person.
  static func isOf(_ person: Int?, _ notification: Notification) -> Bool {
    guard let person, let changed = notification.payload.integer else { return false }
    return changed == person || changed == anybody
  }

  /// The notification of every event at a sensor.
  static let sensorTopic = "wsabi.sensor-noted"
  /// The notification of a card whose sensor is to be changed; the list cleans up and opens the walkthrough.
  static let walkthroughTopic = "walkthrough-asked"

  static let topics = [
    TopicDescription(
      walkthroughTopic, "Request to set up the sensor of an item again, from a step",
      payload: .record([
        .init("item", .integer, "Number of the item"), .init("from", .text, "First step of the walkthrough"),
      ]))
  ]

  /// The error codes of the screens themselves.
  static let errorCodes = [
    ErrorCodeDescription("wsabi.locked-now", "the store was locked"),
    ErrorCodeDescription("wsabi.key-file-made", "the key file of a new store was created"),
    ErrorCodeDescription("wsabi.gone", "the capture on the screen was deleted"),
    ErrorCodeDescription("wsabi.nothing-selected", "no person or item is selected"),
    ErrorCodeDescription("wsabi.capturing-now", "the action must wait until the capture ends"),
    ErrorCodeDescription("wsabi.item-cleared", "a capture was cleared"),
    ErrorCodeDescription("wsabi.deleted", "a person or an item was deleted"),
    ErrorCodeDescription("wsabi.lock-taken", "the lock of a sensor was stolen, or the sensor refused it"),
    ErrorCodeDescription("wsabi.not-switched", "a setting could not be saved"),
    ErrorCodeDescription("wsabi.nobody-uses-it", "no item uses the sensor"),
    ErrorCodeDescription("wsabi.nothing-to-undo", "nothing to undo in the form"),
    ErrorCodeDescription("wsabi.nothing-to-capture", "all items of a person are captured already, or under way"),
    ErrorCodeDescription("wsabi.date-expected", "the date is not in the form year-month-day"),
  ]

  /// Returns the screens.
  ///
  /// - Parameter station: Makes the screens' access to the store and the sensors.
  static func parts(_ station: @escaping @Sendable (any PluginContext) -> ScreenStation) -> [ScreenPart] {
    func part(
      _ description: ScreenDescription,
      _ make: @escaping @MainActor @Sendable (ScreenRequest, ScreenStation) -> any Controller
    ) -> ScreenPart {
      ScreenPart(description) { request, context in
        let station = station(context)
        return WatchedController(make(request, station), request, station)
      }
    }
    return [
      part(PeopleController.description) { PeopleController($1) },
      part(UnlockController.description) { UnlockController($1) },
      part(CardController.description) { CardController($0, $1) },
      part(LightboxController.description) { LightboxController($0, $1) },
      part(WalkthroughController.description) { WalkthroughController($0, $1) },
      part(BiographyController.description) { BiographyController($0, $1) },
      part(DateController.description) { DateController($0, $1) },
      part(NotesController.description) { NotesController($0, $1) },
      part(LogController.description) { LogController($1) },
      part(SettingsController.description) { SettingsController($1) },
    ]
  }
}

extension Controller {
  /// Makes the effect of a confirmed deletion: asks in a sheet, then for the key once more.
  ///
  /// - Parameter action: Deletes, with the key that was entered.
  func confirm(
    _ question: String, _ choice: ChoiceRequest.Choice, key: String,
    then action: @escaping @MainActor @Sendable (Self, ScreenKey) -> [Effect]
  ) -> Effect {
    let choices = [ChoiceRequest.Choice(id: "keep", title: "Keep it"), choice]
    let request = ChoiceRequest(question, choices: choices, selected: "keep", isDestructive: true)
    return choose(request) { controller, answer in
      guard answer == choice.id else { return [] }
      let prompt = PromptRequest(key, isSecret: true)
      return [controller.ask(prompt) { $1.isEmpty ? [] : action($0, .typed($1)) }]
    }
  }

  /// Makes an effect that has the store report who has a permission that its user lacks.
  func refuse(_ permission: Permission, _ station: ScreenStation) -> Effect {
    load("refuse", "asking") { _ in
      try await station.check(permission)
    } then: { _, _ in
    }
  }
}

/// A screen where some keys are commands even while text is typed, such as Enter to submit the text.
@MainActor protocol KeyedController: Controller {
  /// Returns the action of a key; nil if the key is text or has no meaning.
  func action(of key: Key) -> ActionInvocation?
}

/// A screen whose actions concern the records selected on it.
@MainActor protocol TargetedController: Controller {
  /// Returns the record that an action concerns now, such as `item 7`; empty for none. Never a name.
  func target(of invocation: ActionInvocation) -> String
}

/// A screen whose use is tracked, and which gives way to the unlock screen when the store is locked.
///
/// The store is locked after a time without use. The log records each action, its record and its outcome, never values.
@MainActor final class WatchedController: Controller {
  /// A command whose outcome is not known yet.
  private struct Command {
    var event: String
    var target: String
  }

  /// A question that is shown, and the command that asked it.
  private struct Question {
    var command: Command?
    var isText: Bool
  }

  let watched: any Controller
  private let name: String
  private let target: String
  private let station: ScreenStation
  /// Actions that only scroll or change the selection.
  private static let moves: Set = [
    PeopleAction.item.rawValue, PeopleAction.page.rawValue, PeopleAction.select.rawValue,
    WalkthroughAction.line.rawValue, LightboxAction.move.rawValue,
  ]
  private var hasText = false
  /// True if the screen asked to be closed; its later requests are ignored.
  private var isLeaving = false
  /// Commands with work in progress, by the name of the work.
  private var begun: [EffectID: Command] = [:]
  /// The questions that were neither answered nor found to be dismissed, by number.
  private var questions: [Int: Question] = [:]
  private var questionCount = 0

  init(_ controller: any Controller, _ request: ScreenRequest, _ station: ScreenStation) {
    watched = controller
    name = request.screen
    self.station = station
    target =
      [WSABIArgument.item, WSABIArgument.person].lazy.compactMap { argument in
        request.arguments[argument].map { "\(argument.name) \($0)" }
      }.first ?? ""
  }

  var title: String { watched.title }
  var view: any View { watched.view }
  var status: [StyledText.Run] { watched.status }
  var wantsText: Bool { watched.wantsText }
  var isLoading: Bool { watched.isLoading }

  /// The effects of a screen with records when the store is locked; nil while it is open.
  ///
  /// No content remains visible.
  private var leaving: [Effect]? {
    station.isLocked && name != UnlockController.description.name
      ? [.replace(ScreenRequest(UnlockController.description.name))] : nil
  }

  func start() -> [Effect] { watch(leaving ?? watched.start()) }

  func end() {
    // The screen was left before they ended; the audit log has their results.
    for command in begun.values { note(command, "") }
    for command in questions.values.compactMap(\.command) { note(command, "") }
    watched.end()
  }

  func handle(_ event: Event) -> [Effect]? {
    switch event {
    case .visible(let isVisible):
      if !isVisible { endText() }
      note(isVisible ? .presenting : .dismissing, isVisible ? "presented" : "dismissed")
      let effects = watched.handle(event).map { watch($0) }
      if isVisible { noteText() }
      return effects
    case .mouse(let mouse):
      noteUse()
      if case .scroll = mouse.action { note(.scrolling, "scroll") }
    case .key(let key):
      if let invocation = (watched as? any KeyedController)?.action(of: key) { return perform(invocation) }
      noteUse()
      if [.pageUp, .pageDown, .home, .end].contains(key.code), !watched.wantsText { note(.scrolling, key.description) }
    case .paste: noteUse()
    default: break
    }
    defer { noteText() }
    return watched.handle(event).map { watch($0) }
  }

  func perform(_ invocation: ActionInvocation) -> [Effect] {
    noteUse()
    let command = Command(
      event: invocation.action, target: (watched as? any TargetedController)?.target(of: invocation) ?? target)
    defer { noteText() }
    guard !Self.moves.contains(invocation.action) else {
      note(.scrolling, command.event, target: command.target)
      return watch(watched.perform(invocation))
    }
    return watch(watched.perform(invocation), of: command)
  }

  func receive(_ message: Message) -> [Effect] {
    defer { noteText() }
    if case .notification = message, let leaving { return watch(leaving) }
    return watch(watched.receive(message))
  }

  func complete(_ completion: Load.Completion) -> [Effect] {
    defer { noteText() }
    return watched.complete(completion)
  }

  func saveState() -> [UInt8] { watched.saveState() }
  func restore(_ state: [UInt8]) { watched.restore(state) }

  // MARK: Effects

  /// Returns effects that report the ends of work and questions to this controller.
  ///
  /// - Parameters:
  ///   - command: The command whose effects they are; its outcome is that of the first work or question among them.
  ///   - nothing: The outcome of a command without effects.
  private func watch(_ effects: [Effect], of command: Command? = nil, nothing: String = "ok") -> [Effect] {
    var command = command
    if let known = command, !effects.contains(where: Self.isAwaited) {
      let code = effects.lazy.compactMap { if case .status(let diagnostic) = $0 { diagnostic.code } else { nil } }.first
      note(known, code ?? (effects.isEmpty ? nothing : "ok"))
      command = nil
    }
    return effects.map { effect in
      switch effect {
      case .load(let load):
        begin(load.id, command.take())
        return .load(watch(load))
      case .question(let question): return .question(watch(question, command.take()))
      case .pop, .replace:
        isLeaving = true
        endText()
      default: break
      }
      return effect
    }
  }

  private static func isAwaited(_ effect: Effect) -> Bool {
    switch effect {
    case .load, .question: true
    default: false
    }
  }

  private func watch(_ load: Load) -> Load {
    let id = load.id
    let finished: @Sendable (Load.Completion) -> Load.Completion = { [weak self] completion in
      Load.Completion { self?.finish(id, completion) ?? [] }
    }
    let work: Load.Work =
      switch load.work {
      case .concurrent(let work): .concurrent { finished(try await work($0)) }
      case .blocking(let work): .blocking { finished(try work($0)) }
      @unknown default: load.work
      }
    return Load(id, load.label, work) { [weak self] failure in
      let completion = load.failed?(failure)
      return Load.Completion { self?.fail(id, failure, completion) ?? [] }
    }
  }

  private func finish(_ id: EffectID, _ completion: Load.Completion) -> [Effect] {
    if let command = begun.removeValue(forKey: id) { note(command, "ok") }
    return watch(completion())
  }

  private func fail(_ id: EffectID, _ failure: Load.Failure, _ completion: Load.Completion?) -> [Effect] {
    let (command, effects) = (begun.removeValue(forKey: id), completion?() ?? [])
    guard case .failed(let report) = failure else {
      if let command { note(command, "cancelled") }
      return watch(effects)
    }
    note(command ?? Command(event: id.name, target: target), report.code)
    return watch(leaving ?? effects)
  }

  private func watch(_ question: ScreenQuestion, _ command: Command?) -> ScreenQuestion {
    questionCount += 1
    let number = questionCount
    let isText = if case .line = question.form { true } else { false }
    questions[number] = Question(command: command, isText: isText)
    // The text is entered outside this controller.
    if isText { note(.textEntry, "begin") }
    return ScreenQuestion(question.form) { [weak self] answer in
      let completion = question.answered(answer)
      return Load.Completion { self?.answer(number, completion) ?? [] }
    }
  }

  private func answer(_ number: Int, _ completion: Load.Completion) -> [Effect] {
    station.onUse()
    let question = questions.removeValue(forKey: number)
    let isText = question?.isText ?? false
    if isText { note(.textEntry, "end") }
    return watch(completion(), of: question?.command, nothing: isText ? "ok" : "left")
  }

  // MARK: Commands

  private func begin(_ id: EffectID, _ command: Command?) {
    // An earlier command with the same work is finished.
    if let command, let before = begun.updateValue(command, forKey: id) { note(before, "cancelled") }
  }

  /// Notes a use of the screen; questions still open were dismissed, or they would have received the event.
  private func noteUse() {
    station.onUse()
    for (_, question) in questions.sorted(by: { $0.key < $1.key }) {
      if question.isText { note(.textEntry, "end") }
      if let command = question.command { note(command, "cancelled") }
    }
    questions = [:]
  }

  private func note(_ command: Command, _ outcome: String) {
    note(.command, command.event, target: command.target, outcome: outcome)
  }

  // MARK: Text

  private func noteText() {
    guard !isLeaving, watched.wantsText != hasText else { return }
    hasText.toggle()
    note(.textEntry, hasText ? "begin" : "end")
  }

  private func endText() {
    if hasText { note(.textEntry, "end") }
    hasText = false
  }

  private func note(
    _ kind: ScreenEvent.Kind, _ event: String, target: String? = nil, outcome: String = ""
  ) {
    station.onEvent(
      ScreenEvent(kind: kind, view: name, event: event, target: target ?? self.target, outcome: outcome))
  }
}
