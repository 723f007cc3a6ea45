import PluginAPI

/// A screen whose controller is in a child process.
///
/// Effects that hold functions of the controller arrive with a token. The interface runs them as its own: it asks the
/// child to do the work, and later to apply the outcome. Stale outcomes, progress, errors and cancellation are handled
/// as for every screen.
@MainActor final class IsolatedScreen: Controller {
  private let link: IsolatedScreenLink
  /// The state of an earlier run, for a controller that is made again.
  private var earlier: [UInt8] = []
  private var geometry: ScreenGeometry?
  private var isVisible = false

  /// Makes the controller in the child.
  init(_ link: IsolatedScreenLink) throws {
    self.link = link
    try link.open()
  }

  var title: String { link.face.title }
  var view: any View { IsolatedView(link: link) }
  var status: [StyledText.Run] { link.face.status }
  var wantsText: Bool { link.failure == nil && link.face.wantsText }
  var isLoading: Bool { link.failure == nil && link.face.isLoading }

  func start() -> [Effect] { effects(of: "start") ?? [] }

  func end() { link.close() }

  func handle(_ event: Event) -> [Effect]? {
    switch event {
    case .resize(let geometry): self.geometry = geometry
    case .visible(let isVisible): self.isVisible = isVisible
    case .key, .mouse, .paste, .focus: break
    @unknown default: break
    }
    if link.failure == nil { return effects(of: "event", ["event": event.value]) }
    return event == .key(Key(.enter)) ? restart() : nil
  }

  func perform(_ invocation: ActionInvocation) -> [Effect] {
    // Enter is the key of an action on many screens.
    if link.failure != nil { return restart() }
    return effects(of: "perform", ["invocation": invocation.value]) ?? []
  }

  func receive(_ message: Message) -> [Effect] {
    effects(of: "receive", ["message": message.value]) ?? []
  }

  func saveState() -> [UInt8] {
    guard let response = try? link.request("save") else { return earlier }
    return response["state"].bytes ?? []
  }

  func restore(_ state: [UInt8]) {
    earlier = state
    _ = try? link.request("restore", ["state": .bytes(state)])
  }

  /// Makes the controller again, as the interface does with a new screen.
  private func restart() -> [Effect] {
    do {
      try link.open()
      if !earlier.isEmpty { restore(earlier) }
      var effects: [Effect] = []
      if let geometry { effects += handle(.resize(geometry)) ?? [] }
      effects += start()
      if isVisible { effects += handle(.visible(true)) ?? [] }
      return effects
    } catch {
      // The view shows it.
      return []
    }
  }
}

// MARK: - Effects

extension IsolatedScreen {
  /// Sends a request and returns the effects in its answer; nil if the controller did not handle an event.
  ///
  /// After a failure, the view shows the reason, and there are no actions.
  private func effects(of method: String, _ parameters: Record = Record()) -> [Effect]? {
    do {
      let response = try link.request(method, parameters)
      guard let effects = response["effects"].list else { return nil }
      return try link.understood { try effects.map { try effect($0) } }
    } catch {
      let report = ErrorReport(error)
      return [.status(Diagnostic(.error, code: report.code, report.message, advice: report.advice))]
    }
  }

  private func effect(_ value: Value) throws -> Effect {
    let token = value["token"].integer ?? 0
    switch value["is"].text {
    case "load": return .load(try load(value, token))
    case "line": return question(.line(try PromptRequest(value: value["request"])), token)
    case "choice": return question(.choice(try ChoiceRequest(value: value["request"])), token)
    default: return try Effect(value: value)
    }
  }

  private func load(_ value: Value, _ token: Int) throws -> Load {
    let link = link
    let completion = completion("complete", token)
    var failed: (@Sendable (Load.Failure) -> Load.Completion)?
    if value["handlesFailure"].bool == true {
      let number = link.number
      failed = { [weak self] failure in
        Load.Completion { self?.apply("fail", token, of: number, ["error": failure.report]) ?? [] }
      }
    }
    return Load(
      try EffectID(value: value["id"]), value["label"].text ?? "",
      .concurrent { progress in
        try await link.work(token, progress)
        return completion
      }, failed: failed)
  }

  private func question(_ form: ScreenQuestion.Form, _ token: Int) -> Effect {
    let number = link.number
    return .question(
      ScreenQuestion(form) { [weak self] answer in
        Load.Completion { self?.apply("answer", token, of: number, ["answer": .text(answer)]) ?? [] }
      })
  }

  private func completion(_ method: String, _ token: Int) -> Load.Completion {
    let number = link.number
    return Load.Completion { [weak self] in self?.apply(method, token, of: number) ?? [] }
  }

  /// Lets a controller apply an outcome.
  ///
  /// - Parameter number: The controller; nothing happens if it was made again since.
  private func apply(_ method: String, _ token: Int, of number: Int?, _ parameters: Record = Record()) -> [Effect] {
    guard let number, number == link.number else { return [] }
    var parameters = parameters
    parameters["token"] = .integer(token)
    return effects(of: method, parameters) ?? []
  }
}

extension Load.Failure {
  /// The error; null if the work was canceled.
  fileprivate var report: Value {
    switch self {
    case .failed(let report): report.value
    case .canceled: nil
    @unknown default: nil
    }
  }
}
