import PluginAPI

/// The screens of a plugin in a child process, by the numbers that the host gave them.
@MainActor final class ServedScreens {
  private let plugin: any Plugin
  private let context: ServedContext
  private let connection: ServedConnection
  private var screens: [Int: ServedScreen] = [:]

  init(_ plugin: any Plugin, _ context: ServedContext, _ connection: ServedConnection) {
    (self.plugin, self.context, self.connection) = (plugin, context, connection)
  }

  /// Answers a request about a screen.
  func response(to method: String, _ parameters: Value) throws -> Value {
    let number = parameters["screen"].integer ?? 0
    if method == "open" { return try open(number, try ScreenRequest(value: parameters["request"])) }
    guard let screen = screens[number] else { throw CancellationError() }
    switch method {
    case "draw":
      return screen.frame(try ScreenGeometry(value: parameters["geometry"]), parameters["isCleared"].bool ?? false)
    case "outline": return screen.controller.view.outline.value
    default: return try screen.response(to: method, parameters)
    }
  }

  private func open(_ number: Int, _ request: ScreenRequest) throws -> Value {
    do {
      let screen = ServedScreen(try plugin.makeController(request, context))
      screens[number] = screen
      return screen.response(effects: nil)
    } catch {
      throw ErrorReport(wrapping: error, plugin: context.pluginID, command: request.screen)
    }
  }

  /// Ends the controller of a screen.
  func close(_ number: Int) { screens.removeValue(forKey: number)?.controller.end() }

  /// Reports all screens as changed, after code that the host did not ask for.
  func reportChanges() {
    for (number, screen) in screens {
      connection.notify("changed", ["screen": .integer(number), "face": ScreenFace(screen.controller).value])
    }
  }

  /// A screen's work, identified by its effect and token.
  struct Work {
    var screen: Int
    var id: EffectID
    var token: Int
    var load: Load
  }

  /// Returns the work that a request names; nil if newer work took its place.
  func load(_ parameters: Value) -> Work? {
    let (number, token) = (parameters["screen"].integer ?? 0, parameters["token"].integer ?? 0)
    guard let load = screens[number]?.load(token) else { return nil }
    return Work(screen: number, id: load.id, token: token, load: load)
  }

  /// Keeps the change of state for a result until the host asks for it.
  func keep(_ completion: Load.Completion, for work: Work) {
    screens[work.screen]?.keep(completion, for: work)
  }

  /// Forgets work whose failure changes nothing.
  func forget(_ work: Work) { screens[work.screen]?.forget(work) }
}

/// A screen in a child process: its controller, and the functions of its effects by token.
@MainActor final class ServedScreen {
  /// Work, with the change of state for its result once there is one.
  private struct Loading {
    var token: Int
    var load: Load
    var completion: Load.Completion?
  }

  /// The maximum number of questions whose answers are awaited: the user may have dismissed those before.
  private static let mostQuestions = 32

  let controller: any Controller
  private var tokens = 0
  /// The latest work of each name, the only one whose outcome the interface delivers.
  private var loads: [EffectID: Loading] = [:]
  private var questions: [(token: Int, question: ScreenQuestion)] = []

  init(_ controller: any Controller) { self.controller = controller }

  /// Returns an answer with effects and the face of the controller; nil effects for an event that was not handled.
  func response(effects: [Effect]?) -> Value {
    [
      "effects": effects.map { .list($0.compactMap(value)) } ?? nil, "face": ScreenFace(controller).value,
    ]
  }

  /// Answers a request that may change the controller.
  func response(to method: String, _ parameters: Value) throws -> Value {
    switch method {
    case "event": return response(effects: controller.handle(try Event(value: parameters["event"])))
    case "start": return response(effects: controller.start())
    case "perform":
      return response(effects: controller.perform(try ActionInvocation(value: parameters["invocation"])))
    case "receive": return response(effects: controller.receive(try Message(value: parameters["message"])))
    case "complete", "fail", "answer":
      let completion = completion(method, parameters)
      return response(effects: completion.map { controller.complete($0) } ?? [])
    case "save": return ["state": .bytes(controller.saveState())]
    case "restore":
      controller.restore(parameters["state"].bytes ?? [])
      return response(effects: nil)
    default: throw RPCFailure(code: RPCFailure.unknownMethod, "a screen has no method '\(method)'")
    }
  }

  /// Returns the frame of the view.
  ///
  /// - Parameter isCleared: True if the view is drawn over spaces, as in a popover.
  func frame(_ geometry: ScreenGeometry, _ isCleared: Bool) -> Value {
    var frame = TextFrame(size: geometry.size, pixelsPerCell: geometry.pixelsPerCell)
    if isCleared { frame.clear(frame.bounds) }
    controller.view.draw(into: &frame)
    return frame.value
  }

  // MARK: Functions of effects

  /// Returns the value form of an effect, with a token in place of its functions.
  private func value(_ effect: Effect) -> Value? {
    switch effect {
    case .load(let load):
      tokens += 1
      loads[load.id] = Loading(token: tokens, load: load)
      return [
        "is": "load", "token": .integer(tokens), "id": load.id.value, "label": .text(load.label),
        "handlesFailure": .bool(load.failed != nil),
      ]
    case .question(let question):
      tokens += 1
      questions = questions.suffix(Self.mostQuestions - 1) + [(tokens, question)]
      switch question.form {
      case .line(let request): return ["is": "line", "token": .integer(tokens), "request": request.value]
      case .choice(let request): return ["is": "choice", "token": .integer(tokens), "request": request.value]
      @unknown default: return nil
      }
    case .run, .cancel, .timer, .push, .detail, .present, .pop, .replace, .notify, .status, .copy, .quit:
      return effect.value
    @unknown default: return nil
    }
  }

  /// Returns the work of a token; nil if newer work took its place.
  func load(_ token: Int) -> Load? { loads.values.first { $0.token == token }?.load }

  func keep(_ completion: Load.Completion, for work: ServedScreens.Work) {
    if loads[work.id]?.token == work.token { loads[work.id]?.completion = completion }
  }

  func forget(_ work: ServedScreens.Work) {
    if loads[work.id]?.token == work.token { loads[work.id] = nil }
  }

  /// Returns the change of state for an outcome or answer, once; nil if newer work took its place.
  private func completion(_ method: String, _ parameters: Value) -> Load.Completion? {
    let token = parameters["token"].integer ?? 0
    if method == "answer" {
      guard let index = questions.firstIndex(where: { $0.token == token }) else { return nil }
      return questions.remove(at: index).question.answered(parameters["answer"].text ?? "")
    }
    guard let loading = loads.values.first(where: { $0.token == token }) else { return nil }
    loads[loading.load.id] = nil
    if method == "complete" { return loading.completion }
    let report = try? ErrorReport(value: parameters["error"])
    return loading.load.failed?(report.map(Load.Failure.failed) ?? .canceled)
  }
}
