import PluginAPI
import PluginTesting
import Synchronization

@testable import OpenBIS

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
    var isReachable = true
    var searchKinds: [ClientPreferences.SearchDomain] = []
    var searchKind: String?
    var openingError: ErrorReport?
  }

  let folder = CacheFolder()
  let cache: EntityStore
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

  var contributions: Contributions {
    var all = Contributions(
      plugin: PluginIdentity(id: "openbis", name: "OpenBIS", version: "0.1.0", summary: "screens"))
    all.screens = OpenBISScreens.all
    all.topics = [TopicDescription("cache-changed", "what is kept changed", payload: .any)]
    all.commands = Self.commands.map { name, parameters in
      CommandDescription(name, "does it", output: .init(.any, isStream: true))
        .taking(options: parameters + [Self.text("account")])
    }
    return all
  }

  func makeCommand(_ name: String, _ context: any PluginContext) throws -> any Command {
    guard let declaration = contributions.commands.first(where: { $0.name == name }) else {
      throw MissingPart.command(name)
    }
    return Remembering(declaration: declaration) { call in
      // Missing options are not recorded: tests compare those that screens give.
      let given = call.arguments.fields.filter { !$0.value.isNull && $0.value.bool != false }
      let answer = self.state.withLock { state in
        state.calls.append(Call(name: name, arguments: Record(given)))
        return state.answers[name]
      }
      for value in try await answer?(call.arguments) ?? [] { try await call.emit(value) }
    }
  }

  @MainActor func makeController(_ request: ScreenRequest, _ context: any PluginContext) throws -> any Controller {
    try OpenBISScreens.controller(request, context, lab)
  }

  private var lab: ScreenLab {
    ScreenLab { [self] account in
      if let error = state.withLock({ $0.openingError }) { throw error }
      return OpenLab(
        accountID: account.isEmpty ? "lab" : account, title: "anna@lab", reading: CacheReading(cache: cache),
        isReachable: { self.state.withLock { $0.isReachable } },
        searchKinds: SearchKinds(
          offered: { self.state.withLock { $0.searchKinds } }, chosen: { self.state.withLock { $0.searchKind } },
          choose: { key in self.state.withLock { $0.searchKind = key } }))
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

  func setSearchKinds(_ kinds: [ClientPreferences.SearchDomain]) { state.withLock { $0.searchKinds = kinds } }
  func setReachable(_ isReachable: Bool) { state.withLock { $0.isReachable = isReachable } }
  func failOpening(_ report: ErrorReport?) { state.withLock { $0.openingError = report } }
}

/// A command that calls a closure.
private struct Remembering: Command {
  let declaration: CommandDescription
  let body: @Sendable (CommandCall) async throws -> Void

  func run(_ call: CommandCall) async throws { try await body(call) }
}

/// A small laboratory: two navigation entities, plates, wells, a circle, a child that was never loaded.
enum SmallLab {
  static func fill(_ cache: EntityStore) throws {
    try cache.take(
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
    try cache.take(
      [
        wells, plate, first, EntityRow("W2", "Well 2", category: "well", children: ["P1"]),
        EntityRow("W10", "Well 10", category: "zell", children: []),
      ], .roots(of: "PLATES"))
  }
}
