import PluginAPI
import Synchronization

/// A screen of a program, which sends standard views by value: the host keeps cursor, filter, scrolling and drawing.
@MainActor final class ProgramScreen: Controller {
  /// The end of the text in place of a view that the program did not send.
  private static let retry = "\n\nEnter tries again"

  private let link: ProgramScreenLink
  private var shown: ProgramView
  /// A Boolean value indicating whether the program has sent a view.
  private var hasView = false
  /// A Boolean value indicating whether the log has a field of a view that was ignored.
  private var hasLoggedIgnored = false
  /// The cursor of an earlier run, until there is a view; null for none.
  private var earlier = Value.null
  private var size = Size(width: 0, height: 0)
  /// Events that the program has not answered yet, oldest first.
  private var waiting: [Value] = []
  private(set) var title: String
  private(set) var status: [StyledText.Run] = []

  init(_ request: ScreenRequest, _ description: ScreenDescription, service: ProgramService) {
    link = ProgramScreenLink(request, service: service)
    title = description.title
    shown = ProgramView(title: description.title, text: "")
  }

  var view: any View { shown.view }
  var wantsText: Bool { shown.wantsText }
  var isLoading: Bool { !waiting.isEmpty }

  func start() -> [Effect] { send(["is": "open"]) }

  func end() { link.close() }

  func handle(_ event: Event) -> [Effect]? {
    if case .resize(let geometry) = event {
      size = geometry.size
      return []
    }
    if !hasView, waiting.isEmpty, event == .key(Key(.enter)) { return send(["is": "open"]) }
    switch shown.handle(event, in: Rect(size)) {
    case .changed?: return []
    case .chosen(let id)?: return send(["is": "chosen", "id": .text(id)])
    case .disclosed(let id)?: return send(["is": "disclosed", "id": .text(id)])
    case nil: return nil
    @unknown default: return []
    }
  }

  func perform(_ invocation: ActionInvocation) -> [Effect] {
    send([
      "is": "action", "action": .text(invocation.action),
      "arguments": .record(invocation.arguments),
      "selected": .optional(shown.selected),
    ])
  }

  func receive(_ message: Message) -> [Effect] {
    send(["is": "message", "message": message.value])
  }

  func saveState() -> [UInt8] {
    let position = hasView ? shown.position : earlier
    return position.isNull ? [] : position.encoded()
  }

  func restore(_ state: [UInt8]) { earlier = (try? Value(decoding: state)) ?? .null }

  /// Sends an event once the program has answered those before it.
  private func send(_ event: Value) -> [Effect] {
    waiting.append(event)
    return waiting.count == 1 ? [next()] : []
  }

  private func next() -> Effect {
    let (link, event) = (link, waiting[0])
    return load(
      "program", "Waiting for \(title)", { _ in try await link.response(to: event) },
      then: { screen, response in screen.take(response) },
      failed: { screen, failure in
        screen.fail(failure.text(ifCanceled: "canceled"))
        return []
      })
  }

  private func fail(_ reason: String) {
    // Events after one without a response may have another meaning by now.
    waiting = []
    if !hasView { shown = ProgramView(title: title, text: reason + Self.retry) }
  }

  /// Writes the first field that was ignored to the log, once for a screen.
  private func logIgnored() {
    guard let ignored = shown.ignored, !hasLoggedIgnored else { return }
    hasLoggedIgnored = true
    link.log(.warning, "a field of the program's view is ignored: \(ignored)")
  }

  private func take(_ response: Value) -> [Effect] {
    waiting.removeFirst()
    if let title = response["title"].text { self.title = title }
    if let texts = response["status"].list {
      status = texts.compactMap { $0.text.map { StyledText.Run($0) } }
    }
    var effects: [Effect] = []
    do {
      if !response["view"].isNull {
        shown = try ProgramView(response["view"], replacing: shown)
        if !hasView, !ProgramView.isSelecting(response["view"]) { shown.move(to: earlier) }
        hasView = true
        logIgnored()
      }
      effects = try (response["effects"].list ?? []).map { try Effect(value: $0) }
    } catch {
      let problem = "the answer of the program: \(error)"
      link.log(.error, problem)
      if !hasView { shown = ProgramView(title: title, text: problem + Self.retry) }
      effects = [.status(Diagnostic(.error, code: "host.plugin-bad-message", problem))]
    }
    return waiting.isEmpty ? effects : effects + [next()]
  }
}

/// The connection of a screen to its program, which may have to start again.
private final class ProgramScreenLink: Sendable {
  private let request: ScreenRequest
  private let service: ProgramService
  /// The session in which the screen was opened, and its number there.
  private let opened = Mutex<(session: ProgramSession, id: Int)?>(nil)
  private static let numbers = Mutex(0)

  init(_ request: ScreenRequest, service: ProgramService) {
    (self.request, self.service) = (request, service)
  }

  /// Sends an event and returns the program's answer; opens the screen if the event is `open` or this program does not
  /// know it.
  func response(to event: Value) async throws -> Value {
    let session = try await started()
    let known = opened.withLock { $0 }
    // The use of an open screen ends with it.
    if known != nil { service.release() }
    if let known, known.session === session {
      if event["is"].text != "open" {
        return try await session.response(
          to: "event", ["screen": .integer(known.id), "event": event],
          label: "screen '\(request.screen)'")
      }
      // It was opened, and responded without a view.
      session.notify("close", ["screen": .integer(known.id)])
    }
    let id = Self.numbers.withLock { number in
      number += 1
      return number
    }
    opened.withLock { $0 = (session, id) }
    let parameters: Value = [
      "screen": .integer(id), "name": .text(request.screen),
      "arguments": .record(request.arguments),
    ]
    return try await session.response(to: "open", parameters, label: "screen '\(request.screen)'")
  }

  private func started() async throws -> ProgramSession {
    do {
      return try await service.session()
    } catch {
      service.release()
      throw error
    }
  }

  /// Writes a problem to the log, where the author of the plugin finds its whole text.
  func log(_ severity: Diagnostic.Severity, _ problem: String) { service.log(severity, problem) }

  func close() {
    let known = opened.withLock { opened in
      defer { opened = nil }
      return opened
    }
    guard let known else { return }
    known.session.notify("close", ["screen": .integer(known.id)])
    service.release()
  }
}
