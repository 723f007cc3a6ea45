import PluginAPI

/// The recorder of the user's steps on the screens, if a recording was begun.
@MainActor final class StepRecording {
  private let plugins: PluginHost
  /// Writes the steps; nil for no recording.
  private var recorder: ScreenRecorder?
  /// A Boolean value indicating whether a recorded event is being handled, in which everything else follows from it.
  private var isHandlingRecorded = false

  init(plugins: PluginHost) {
    self.plugins = plugins
  }

  /// Begins a recording of the screens.
  ///
  /// - Throws: ``HostFileError`` if the file cannot be written.
  func start(
    _ launch: ScreenLaunch, to file: String, size: Size, onFailure: @escaping @MainActor (ErrorReport) -> Void
  ) throws {
    let recorder = try ScreenRecorder(file, launch, size: size, isPersonal: holdsPersonalData(launch.plugin))
    recorder.onFailure = onFailure
    self.recorder = recorder
  }

  /// Ends the recording.
  func end() { recorder?.add(.end) }

  /// Records a new size of the screens.
  func resized(to size: Size) { recorder?.resized(to: size) }

  /// Records a step, unless it follows from an event that is recorded.
  func record(_ step: ScreenStep) {
    if !isHandlingRecorded { recorder?.add(step) }
  }

  /// Records a step on a screen whose events are recorded.
  func record(_ step: ScreenStep, on screen: Screen) {
    if case .events = screen.recording { record(step) }
  }

  /// Records an action of the host, unless its outcome is recorded in its place.
  ///
  /// - Parameter isSplit: True if there are two sides that the focus moves between.
  func record(_ hostKey: HostKey, isSplit: Bool) {
    switch hostKey {
    case .help, .home, .tour: record(.action(hostKey.actionName))
    case .focus: if isSplit { record(.action(hostKey.actionName)) }
    case .palette, .back, .quit, .redraw: break
    }
  }

  /// Records an action of a screen.
  func record(_ invocation: ActionInvocation, on screen: Screen) {
    let actions = screen.keys.bindings.map(\.action)
    if let action = actions.first(where: { $0.id == invocation.action && $0.arguments == invocation.arguments }) {
      record(.action(KeyMap.name(of: action, among: actions)), on: screen)
    }
  }

  /// Passes an event to a controller; what it calls meanwhile is not recorded if the event is.
  func handle(_ event: Event, on screen: Screen) -> [Effect]? {
    guard recorder != nil, case .events = screen.recording else { return screen.controller.handle(event) }
    let outer = isHandlingRecorded
    isHandlingRecorded = true
    defer { isHandlingRecorded = outer }
    return screen.controller.handle(event)
  }

  /// Returns the step for a key or text that a screen handles itself; nil for other events.
  func step(for event: Event, on screen: Screen) -> ScreenStep? {
    guard recorder != nil, case .events = screen.recording else { return nil }
    let isPersonal = holdsPersonalData(screen.plugin)
    switch event {
    case .key(let key):
      guard let character = key.typedCharacter, isPersonal || screen.controller.wantsText else { return .key(key) }
      return .type(isPersonal ? nil : String(character))
    case .paste(let text): return .paste(isPersonal ? nil : text)
    case .mouse, .resize, .focus, .visible: return nil
    @unknown default: return nil
    }
  }

  /// Returns the form in which the answer to a question of a screen is recorded.
  func answerForm(for asking: Screen, isSecret: Bool = false) -> Screen.Recording {
    isSecret || holdsPersonalData(asking.plugin) ? .hiddenAnswer : .answer
  }

  /// Records the answer of a question that is closed.
  func recordOutcome(of screen: Screen, _ value: Value) {
    let isHidden: Bool
    switch screen.recording {
    case .events, .nothing: return
    case .answer: isHidden = false
    case .hiddenAnswer: isHidden = true
    }
    guard let text = value.text else { return record(.action(HostKey.back.actionName)) }
    record(screen.controller is ChoiceController ? .choose(isHidden ? nil : text) : .answer(isHidden ? nil : text))
  }

  private func holdsPersonalData(_ plugin: String?) -> Bool {
    plugin.flatMap { plugins.contributions(of: $0)?.hasPersonalData } ?? false
  }
}
