import PluginAPI
import PluginTesting

/// Input to a screen that also runs the loads and commands that follow from it, as a user who waits sees them.
///
/// Each function does what the one of the same name does that does not wait.
extension ScreenDriver {
  func press(_ keys: String...) async {
    for key in keys { await settled { $0.press(key) } }
  }

  func type(_ text: String) async {
    for character in text { await settled { $0.type(String(character)) } }
  }

  func click(x: Int, y: Int, clicks: Int = 1) async { await settled { $0.click(x: x, y: y, clicks: clicks) } }

  func resize(_ width: Int, _ height: Int) async { await settled { $0.resize(width, height) } }

  func send(_ event: Event) async { await settled { $0.send(event) } }

  func perform(_ invocation: ActionInvocation) async { await settled { $0.perform(invocation) } }

  func receive(_ message: Message) async { await settled { $0.receive(message) } }

  func answer(_ answer: String?) async { await settled { $0.answer(answer) } }

  /// Advances the time in steps, between which the work ends that timers begin.
  func advance(by seconds: Double) async {
    let step = 0.05
    var rest = seconds
    repeat {
      let part = min(step, rest)
      await settled { $0.advance(by: part) }
      rest -= step
    } while rest > step / 1000
  }

  private func settled(_ body: (ScreenDriver) -> Void) async {
    body(self)
    await settle()
  }

  /// The choice that the screen asked for last; nil if the latest request is something else.
  var choice: ChoiceRequest? {
    if case .question(let question)? = requests.last, case .choice(let request) = question.form { request } else { nil }
  }

  /// The text that the screen asked for last; nil if the latest request is something else.
  var prompt: PromptRequest? {
    if case .question(let question)? = requests.last, case .line(let request) = question.form { request } else { nil }
  }
}

extension TestPlugin {
  /// Opens a screen, and runs the loads that it begins with.
  @MainActor func screen(
    _ name: String, _ arguments: Record = Record(), size: Size = Size(width: 80, height: 24)
  ) async throws -> ScreenDriver {
    let screen = try ScreenDriver(self, ScreenRequest(name, arguments: arguments), size: size)
    (plugin as? ScreensPlugin)?.screens.append(ScreensPlugin.OpenScreen(driver: screen))
    await screen.settle()
    return screen
  }

  /// Delivers notifications, and runs the loads that follow from them on all open screens.
  @MainActor func settle() async {
    context.loop.drain()
    for screen in (plugin as? ScreensPlugin)?.screens ?? [] { await screen.driver?.settle() }
  }
}

extension Load {
  /// Finds the load with a name among effects that are not run.
  init?(_ name: String, among effects: [Effect]) {
    for case .load(let load) in effects where load.id.name == name {
      self = load
      return
    }
    return nil
  }

  /// Runs work that waits, and returns the effects of its completion.
  @MainActor func run(on controller: any Controller) async throws -> [Effect] {
    guard case .concurrent(let work) = work else { return [] }
    return controller.complete(try await work(Steady()))
  }
}

/// Work that is not canceled.
private struct Steady: WorkProgress {
  var isCancelled: Bool { false }
  func report(_ progress: Progress) {}
}
