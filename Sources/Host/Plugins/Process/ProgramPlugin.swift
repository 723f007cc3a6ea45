import PluginAPI
import Synchronization

/// A plugin that is a program, as the rest of the host sees it.
final class ProgramPlugin: Plugin {
  let contributions: Contributions
  private let source: ProgramService.Source
  private let made = Mutex<ProgramService?>(nil)

  init(_ source: ProgramService.Source) {
    self.source = source
    contributions = source.contributions
  }

  private func service(_ context: any PluginContext) -> ProgramService {
    made.withLock { made in
      let service = made ?? ProgramService(source, context: context)
      made = service
      return service
    }
  }

  func makeCommand(_ name: String, _ context: any PluginContext) throws -> any Command {
    guard let declaration = contributions.commands.first(where: { $0.name == name }) else {
      throw MissingPart.command(name)
    }
    return ProgramCommand(declaration: declaration, service: service(context))
  }

  func makeTextRenderer(_ typeName: String, _ context: any PluginContext) throws -> any TextRenderer {
    guard contributions.textRenderers.contains(typeName) else { throw MissingPart.textRenderer(typeName) }
    return ProgramRenderer(typeName: typeName, service: service(context))
  }

  func makeStore(_ name: String, _ context: any PluginContext) throws -> any Store {
    guard contributions.stores.contains(where: { $0.name == name }) else { throw MissingPart.store(name) }
    return ProgramStore(name, data: context.folders.data, service: service(context))
  }

  @MainActor func makeController(_ request: ScreenRequest, _ context: any PluginContext) throws -> any Controller {
    guard let description = contributions.screens.first(where: { $0.name == request.screen }) else {
      throw MissingPart.screen(request.screen)
    }
    return ProgramScreen(request, description, service: service(context))
  }

  func runCheck(_ name: String, _ context: any PluginContext) async throws -> [Diagnostic] {
    try await service(context).runCheck(name)
  }
}

extension ProgramService {
  /// Runs a check of the plugin.
  func runCheck(_ name: String) async throws -> [Diagnostic] {
    defer { release() }
    let findings = try await session().response(to: "check", ["name": .text(name)], label: "check '\(name)'")
    return try (findings.list ?? []).map { try Diagnostic(value: $0) }
  }
}

/// A command of a program.
struct ProgramCommand: Command {
  let declaration: CommandDescription
  let service: ProgramService

  func run(_ call: CommandCall) async throws {
    defer { service.release() }
    let session = try await service.session()
    try Task.checkCancellation()
    let limits = service.source.limits
    let mailbox = CallMailbox()
    var parameters: Record = [
      "command": .text(declaration.name), "arguments": .record(call.arguments),
      "presentation": [
        "interactive": .bool(call.presentation.isInteractive),
        "pictureSize": call.presentation.pictureSize.map { [.integer($0.width), .integer($0.height)] } ?? .null,
      ],
    ]
    // The child emits values of a canceled call that finishes its work.
    if service.source.form == .frames { parameters["finishes"] = .bool(declaration.finishesWhenInterrupted) }
    let label = "command '\(declaration.name)'"
    guard
      let id = session.request(
        "call", .record(parameters), label: label, mailbox: mailbox, completion: { mailbox.put(.ended($0)) })
    else {
      _ = try await mailbox.end()
      return
    }
    let seconds = declaration.finishesWhenInterrupted ? limits.finishingSeconds : limits.cancelSeconds
    let cancel: @Sendable () -> Void = { session.cancel(id, withinSeconds: seconds) }
    try await withTaskCancellationHandler {
      try await receive(mailbox, call, session, cancel)
    } onCancel: {
      cancel()
    }
  }

  /// Passes the program's messages to the caller until the call ends.
  private func receive(
    _ mailbox: CallMailbox, _ call: CommandCall, _ session: ProgramSession, _ cancel: @escaping @Sendable () -> Void
  ) async throws {
    var failure: (any Error)?
    var result: Result<Value, any Error>?
    try await withThrowingDiscardingTaskGroup { group in
      while result == nil {
        for message in await mailbox.take() {
          switch message.event {
          case .emitted(let value):
            do {
              if failure == nil { try await call.emit(value) }
            } catch {
              failure = error
              cancel()
            }
          case .progress(let progress): call.report(progress)
          case .warned(let diagnostic): call.warn(diagnostic)
          case .requested(let id, let method, let parameters):
            group.addTask {
              do {
                session.respond(to: id, .success(try await response(to: method, parameters, call)))
              } catch {
                session.respond(to: id, .failure(error))
              }
            }
          case .ended(let ended): result = ended
          }
          session.handled(bytes: message.bytes)
        }
      }
      group.cancelAll()
    }
    if let failure { throw failure }
    _ = try result?.get()
  }

  private func response(to method: String, _ parameters: Value, _ call: CommandCall) async throws -> Value {
    switch method {
    case "call":
      guard let command = parameters["command"].text else {
        throw ProgramError.badMessage("'command' of the request 'call' is not a text")
      }
      return try await call.context.call(command, parameters["arguments"].record ?? Record())
    default: return try await call.request(try CommandRequest(value: parameters["request"]))
    }
  }
}

/// A text renderer of a program.
struct ProgramRenderer: TextRenderer {
  let typeName: String
  let service: ProgramService

  func render(_ value: Value, for request: TextRequest) throws -> StyledText {
    let detail =
      switch request.detail {
      case .summary: "summary"
      case .normal: "normal"
      case .full: "full"
      @unknown default: "normal"
      }
    var parameters: Record = [
      "type": .text(typeName), "value": value, "width": .integer(request.width), "plain": .bool(request.isPlain),
      "detail": .text(detail),
    ]
    // Programs write text without colors of their own.
    if service.source.form == .frames { parameters["colors"] = .integer(request.colorDepth.rawValue) }
    defer { service.release() }
    let response = try service.awaitedSession().wait(
      "render", .record(parameters), label: "renderer of '\(typeName)'",
      withinSeconds: service.source.limits.renderSeconds)
    return try response.text.map { StyledText($0) } ?? StyledText(value: response)
  }
}
