internal import CHost
import Glibc
import PluginAPI
import Synchronization

/// A plugin in a child process: answers the requests of the host.
///
/// Requests are received on the thread that reads; controllers and the making of parts run on the loop.
final class ServedPlugin: Sendable {
  /// The plugin once it is open.
  struct Opened: Sendable {
    var plugin: any Plugin
    var context: ServedContext
    /// The screens; on the loop only.
    var screens: ServedScreens

    var id: String { context.pluginID }
  }

  private struct State {
    var opened: Opened?
    /// The requests that can be canceled, by their ids.
    var running: [Int: any Cancellable] = [:]
    /// The requests for work that has not begun and is not canceled.
    var waiting: Set<Int> = []
    /// The commands and renderers that were made, as ``ActivePlugin`` keeps them.
    var commands: [String: any Command] = [:]
    var renderers: [String: any TextRenderer] = [:]
  }

  /// Cancels work: a plugin's handlers may wait for an answer, which the thread that reads must receive.
  private static let canceling = WorkQueue("workbench.served-cancel", isUrgent: true)

  private let connection: ServedConnection
  private let loop = HostEventLoop()
  private let state = Mutex(State())

  init(_ connection: ServedConnection) { self.connection = connection }

  /// Handles a request or notification of the host.
  func receive(_ message: RPCMessage) {
    switch message {
    case .request(let id, let method, let parameters):
      guard let id = id.integer else { return }
      serve(id, method, parameters)
    case .notification(let method, let parameters): note(method, parameters)
    case .result, .failure: break
    }
  }

  private func note(_ method: String, _ parameters: Value) {
    let opened = state.withLock { $0.opened }
    switch method {
    case "$/cancel":
      guard let id = parameters["id"].integer else { return }
      let running = state.withLock { state in
        state.waiting.remove(id)
        return state.running[id]
      }
      if let running { Self.canceling.async { running.cancel() } }
    case "notified":
      if let notification = try? PluginAPI.Notification(value: parameters) { opened?.context.deliver(notification) }
    case "close": MainQueue.async { opened?.screens.close(parameters["screen"].integer ?? 0) }
    default: break
    }
  }

  private func serve(_ id: Int, _ method: String, _ parameters: Value) {
    if method == "hello" { return MainQueue.async { self.begin(id, hello: parameters) } }
    guard let opened = state.withLock({ $0.opened }) else {
      return connection.respond(to: id, .failure(RPCFailure(code: RPCFailure.badRequest, "hello comes first")))
    }
    switch method {
    case "call": run(id) { try await self.call(id, parameters, opened) }
    case "check": run(id) { try await Self.check(parameters["name"].text ?? "", opened) }
    case "store": run(id) { try await self.store(id, parameters, opened) }
    case "render":
      WorkQueue("workbench.renderer", isUrgent: true).async {
        self.connection.respond(to: id, Result { try self.render(parameters, opened) })
      }
    case "work":
      state.withLock { _ = $0.waiting.insert(id) }
      MainQueue.async { self.work(id, parameters, opened) }
    default:
      // Not through the loop's own queue: work there may change screens without a request of the host.
      MainQueue.async {
        self.connection.respond(to: id, Result { try opened.screens.response(to: method, parameters) })
      }
    }
  }

  /// Runs a request in a task, which the host can cancel.
  private func run(_ id: Int, _ body: @escaping @Sendable () async throws -> Value) {
    state.withLock { state in
      state.running[id] = RunningTask(
        task: Task {
          do {
            let value = try await body()
            end(id, .success(value))
          } catch {
            end(id, .failure(error))
          }
        })
    }
  }

  private func end(_ id: Int, _ result: Result<Value, any Error>) {
    state.withLock { $0.running[id] = nil }
    connection.respond(to: id, result)
  }

  /// Closes the stores and ends the process: the host has closed its end.
  @MainActor func end() {
    let stores = state.withLock { $0.opened }?.context.openStores ?? []
    Task {
      for store in stores { await store.close() }
      // Without the clean-up of the C library, as at the end of the program.
      chost_end(0)
    }
  }
}

/// A task that the host can cancel.
private struct RunningTask: Cancellable {
  let task: Task<Void, Never>

  func cancel() { task.cancel() }
}

// MARK: - Start

extension ServedPlugin {
  @MainActor private func begin(_ id: Int, hello: Value) {
    connection.respond(
      to: id,
      Result {
        let plugin = try Self.plugin(hello)
        let context = ServedContext(plugin, hello: hello, loop: loop, connection)
        let screens = ServedScreens(plugin, context, connection)
        loop.setAfterTurn { screens.reportChanges() }
        // Before the plugin is active, as it may call its own commands at once.
        state.withLock { $0.opened = Opened(plugin: plugin, context: context, screens: screens) }
        do {
          try plugin.activate(context)
        } catch {
          let reason = ErrorReport(wrapping: error, plugin: context.pluginID, command: "activate")
          throw PluginHostError.activationFailed(context.pluginID, reason: reason)
        }
        return ["protocol": .integer(ProgramManifest.protocolVersion)]
      })
  }

  /// Opens the library that the host examined, and no other.
  private static func plugin(_ hello: Value) throws -> any Plugin {
    let library = hello["library"]
    let (id, path) = (hello["plugin"].text ?? "", library["path"].text ?? "")
    let isBundled = library["bundled"].bool ?? false
    let identity = FileIdentity(numbers: (library["identity"].list ?? []).compactMap(\.integer))
    func texts(_ name: String) -> [String] { (library[name].list ?? []).compactMap(\.text) }
    func check() throws {
      guard let identity, (try? FileTrust.checkFile(path, isTrusted: isBundled)) == identity else {
        throw PluginRefusal.changed(id: id, path: path)
      }
    }
    try check()
    let opened = try PluginLibrary.open(
      path, id: id, needs: LibraryNeeds(names: texts("needs"), searchFolders: texts("searched")),
      installation: .current, isBundled: isBundled)
    try check()
    return opened.plugin
  }
}

// MARK: - Commands, renderers, checks and stores

extension ServedPlugin {
  private func call(_ id: Int, _ parameters: Value, _ opened: Opened) async throws -> Value {
    let name = parameters["command"].text ?? ""
    let shape = parameters["presentation"]
    let sides = (shape["pictureSize"].list ?? []).compactMap(\.integer)
    let presentation = CommandCall.Presentation(
      pictureSize: sides.count == 2 ? Size(width: sides[0], height: sides[1]) : nil,
      isInteractive: shape["interactive"].bool ?? false)
    do {
      let command = try await command(name, opened)
      let output = ServedOutput(call: id, connection, takesMoreAfterCancel: parameters["finishes"].bool ?? false)
      let call = CommandCall(
        arguments: parameters["arguments"].record ?? Record(), context: opened.context, presentation: presentation,
        output: output)
      try await ServedCall.$id.withValue(id) { try await command.run(call) }
      return .null
    } catch {
      throw opened.failure(error, in: name)
    }
  }

  /// Returns a command; made once.
  @MainActor private func command(_ name: String, _ opened: Opened) throws -> any Command {
    if let command = state.withLock({ $0.commands[name] }) { return command }
    let made = try opened.plugin.makeCommand(name, opened.context)
    state.withLock { $0.commands[name] = made }
    return made
  }

  private func render(_ parameters: Value, _ opened: Opened) throws -> Value {
    let type = parameters["type"].text ?? ""
    do {
      let known = state.withLock { $0.renderers[type] }
      let renderer = try known ?? opened.plugin.makeTextRenderer(type, opened.context)
      state.withLock { $0.renderers[type] = renderer }
      let detail: TextRequest.Detail =
        switch parameters["detail"].text {
        case "summary": .summary
        case "full": .full
        default: .normal
        }
      let request = TextRequest(
        width: parameters["width"].integer ?? 80,
        colorDepth: parameters["colors"].integer.flatMap(ColorDepth.init(rawValue:)) ?? .none, detail: detail,
        isPlain: parameters["plain"].bool ?? false)
      return try renderer.render(parameters["value"], for: request).value
    } catch {
      throw opened.failure(error, in: type)
    }
  }

  private static func check(_ name: String, _ opened: Opened) async throws -> Value {
    do {
      return .list(try await opened.plugin.runCheck(name, opened.context).map(\.value))
    } catch {
      throw opened.failure(error, in: "check " + name)
    }
  }

  private func store(_ id: Int, _ parameters: Value, _ opened: Opened) async throws -> Value {
    let store = try opened.context.store(parameters["name"].text ?? "")
    let path = parameters["path"].text ?? ""
    let shared = store as? any ShareableStore
    switch parameters["action"].text {
    case "open":
      return [
        "path": .text(store.path), "schemaVersion": .integer(store.schemaVersion), "shareable": .bool(shared != nil),
        "address": .optional(shared?.sharedAddress),
      ]
    case "check": return .list(try await store.check().map(\.value))
    case "backup": try await store.backup(to: path)
    case "restore": try await store.restore(from: path)
    case "export": return try await store.export()
    case "share":
      let reports = ReportLimit(request: id, connection)
      let summary = try await shared?.share(to: parameters["address"].text ?? "") { reports.report($0) }
      return [
        "copied": .optional(summary?.copied), "known": .optional(summary?.known),
        "notCopied": .optional(summary?.notCopied),
      ]
    case "unshare": try await shared?.unshare()
    default: throw RPCFailure(code: RPCFailure.badParameters, "unknown action of a store")
    }
    return .null
  }

  @MainActor private func work(_ id: Int, _ parameters: Value, _ opened: Opened) {
    let load = opened.screens.load(parameters)
    let work = load.map { ServedWork($0.load, of: opened.id, progress: ReportLimit(request: id, connection)) }
    let isWanted = state.withLock { state in
      guard state.waiting.remove(id) != nil, let work else { return false }
      state.running[id] = work
      return true
    }
    guard isWanted, let load, let work else { return connection.respond(to: id, .failure(CancellationError())) }
    work.start { result in
      // The change of state is kept here until the host requests it.
      MainQueue.async {
        switch result {
        case .success(let completion): opened.screens.keep(completion, for: load)
        case .failure: if load.load.failed == nil { opened.screens.forget(load) }
        }
        self.end(id, result.map { _ in .null })
      }
    }
  }
}

extension ServedPlugin.Opened {
  /// Returns the error as the host itself would report it.
  func failure(_ error: any Error, in part: String) -> any Error {
    error is CancellationError ? error : ErrorReport(wrapping: error, plugin: id, command: part)
  }
}
