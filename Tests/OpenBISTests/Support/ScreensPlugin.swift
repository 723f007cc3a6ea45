import PluginAPI
import PluginTesting
import Synchronization

@testable import OpenBIS
@testable import OpenBISSimulator

/// The plugin's screens with a cache of a test, and with commands that only record their calls.
final class ScreensPlugin: Plugin {
  /// A recorded call.
  struct Call: Sendable, Equatable {
    var name: String
    var arguments: Record
  }

  private struct State {
    var calls: [Call] = []
    var answers: [String: @Sendable (Record) async throws -> [Value]] = [:]
    var openingError: ErrorReport?
  }

  let identity = PluginIdentity(id: "openbis", name: "OpenBIS", version: "0.1.0", summary: "screens")
  let folder = CacheFolder()
  let cache: EntityStore
  private let laboratory = Laboratory()
  private let state = Mutex(State())

  init() {
    cache = folder.store()
  }

  /// The commands, with the options that screens give them.
  private static let commands: [(name: String, parameters: [Parameter])] = [
    ("sync", [flag("full"), flag("if-due")]), ("drill", [text("perm-id"), number("limit")]),
    ("detail", [text("perm-id")]), ("search", [text("text"), flag("remote"), number("limit"), text("domain")]),
    ("image", [text("perm-id"), number("number"), flag("known-details")]), ("files", [text("data-set")]),
    ("preview", [text("data-set"), text("path")]), ("download", [text("data-set"), text("path"), text("output")]),
    ("servers", [text("use")]), ("login", [text("url"), text("user"), text("trust"), flag("native")]),
    ("logout", [flag("forget")]), ("export", [text("perm-id"), text("format"), text("output")]),
  ]

  private static func text(_ name: String) -> Parameter { Parameter(name, .text, "a text") }
  private static func flag(_ name: String) -> Parameter { Parameter(name, .flag, "a flag") }
  private static func number(_ name: String) -> Parameter {
    Parameter(name, .integer(minimum: 0, maximum: .max), "a number")
  }

  var parts: PluginParts {
    var parts = PluginParts(
      commands: Self.commands.map { command($0.name, $0.parameters) },
      screens: OpenBISScreens.parts { [self] _ in lab })
    parts.topics = [TopicDescription("cache-changed", "what is kept changed", payload: .any)]
    return parts
  }

  private func command(_ name: String, _ parameters: [Parameter]) -> CommandPart {
    let options = parameters + [Self.text("account")]
    let declaration = CommandDescription(name, "does it", output: .init(.any, isStream: true)).taking(options: options)
    return CommandPart(declaration) { [self] call in
      // Missing options are not recorded: tests compare those that screens give.
      let given = call.arguments.fields.filter { !$0.value.isNull && $0.value.bool != false }
      let answer = state.withLock { state in
        state.calls.append(Call(name: name, arguments: Record(given)))
        return state.answers[name]
      }
      for value in try await answer?(call.arguments) ?? [] { try await call.emit(value) }
    }
  }

  private var lab: ScreenLab {
    ScreenLab { [self] account in
      if let error = state.withLock({ $0.openingError }) { throw error }
      return OpenLab(
        accountID: account.isEmpty ? "lab" : account, title: "anna@lab", cache: cache, laboratory: laboratory)
    }
  }

  // MARK: For tests

  /// The calls so far.
  var calls: [Call] { state.withLock { $0.calls } }

  /// Returns the number of refreshes begun since the last call of this function.
  func newRefreshes() -> Int {
    state.withLock { state in
      defer { state.calls.removeAll { $0.name == "sync" } }
      return state.calls.count { $0.name == "sync" }
    }
  }

  /// Returns the names and entities of the calls since the last call of this function, without refreshes.
  func newCalls() -> [String] {
    state.withLock { state in
      defer { state.calls = [] }
      return state.calls.filter { $0.name != "sync" }.map { call in
        ([call.name] + [call.arguments["perm-id"]?.text].compactMap { $0 }).joined(separator: " ")
      }
    }
  }

  /// Sets the response of a command.
  func answer(_ name: String, _ answer: @escaping @Sendable (Record) async throws -> [Value]) {
    state.withLock { $0.answers[name] = answer }
  }

  func setSearchKinds(_ kinds: [ClientPreferences.SearchDomain]) async throws {
    var state = SyncState()
    state.preferences.searchDomains = kinds
    try await cache.saveState(state.encoded)
  }

  func setReachable(_ isReachable: Bool) { laboratory.setReachable(isReachable, "lab") }
  func failOpening(_ report: ErrorReport?) { state.withLock { $0.openingError = report } }
}

extension Controller {
  /// Starts the screen and performs its loads, before any command.
  ///
  /// - Returns: The other effects, in order.
  func startLoaded(_ size: Size) async throws -> [Effect] {
    try await runLoads((handle(.resize(ScreenGeometry(size: size))) ?? []) + start())
  }

  /// Performs loads and those that follow from them, before any command.
  ///
  /// - Returns: The other effects, in order.
  func runLoads(_ effects: [Effect]) async throws -> [Effect] {
    var (waiting, others) = (effects, [Effect]())
    while !waiting.isEmpty {
      switch waiting.removeFirst() {
      case .load(let load):
        switch load.work {
        case .concurrent(let work): waiting += complete(try await work(Unheard()))
        case .blocking(let work): waiting += complete(try work(Unheard()))
        @unknown default: break
        }
      case let effect: others.append(effect)
      }
    }
    return others
  }

  /// The text of the screen in a size.
  func text(_ size: Size) -> String {
    var frame = TextFrame(size: size)
    view.draw(into: &frame)
    return frame.plainText
  }
}

/// The progress of a load in a test, which is not reported.
private struct Unheard: WorkProgress {
  var isCancelled: Bool { false }
  func report(_ progress: Progress) {}
}

/// A small laboratory: two navigation entities, plates, wells, a circle, a child that was never loaded.
enum SmallLab {
  static func fill(_ cache: EntityStore) async throws {
    try await cache.take(
      [
        EntityRow("PLATES", "Plates", category: "Navigation", children: ["P1", "P2"]),
        EntityRow("PEOPLE", "Pëople", category: "Navigation", children: []),
      ], .navigation)
    var wells = EntityRow("P1", "Plate 1", category: "plate", children: ["W1", "W10", "W2", "X7"])
    wells.summary = "384 wells"
    var plate = EntityRow("P2", "Plate 2", category: "plate", children: ["P1"])
    plate.summary = "empty"
    var first = EntityRow("W1", "Well 1", category: "well", children: [])
    first.properties = [
      Property(key: "OD", label: "OD 600", value: "0.4"),
      Property(key: "T", label: "Table", value: "<table><tr><td>a</td><td>b</td></tr></table>"),
    ]
    first.identifier = "/LAB/W1"
    try await cache.take(
      [
        wells, plate, first, EntityRow("W2", "Well 2", category: "well", children: ["P1"]),
        EntityRow("W10", "Well 10", category: "zell", children: []),
      ], .roots(of: "PLATES"))
  }
}
