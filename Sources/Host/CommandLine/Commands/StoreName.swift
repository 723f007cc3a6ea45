import PluginAPI

/// A store as the command line names it: `plugin:store`.
struct StoreName: Equatable, Sendable {
  let plugin: String
  let store: String
  /// A summary of its contents.
  let summary: String

  var text: String { plugin + ":" + store }

  private init(plugin: String, _ description: StoreDescription) {
    self.plugin = plugin
    store = description.name
    summary = description.summary
  }

  /// Finds a store by name; the plugin's id suffices if it has only one store.
  ///
  /// - Throws: ``ErrorReport`` if there is no such store.
  @MainActor init(_ text: String, _ interpreter: CommandInterpreter) throws {
    let all = Self.all(interpreter)
    let ofPlugin = all.filter { $0.plugin == text }
    if let exact = all.first(where: { $0.text == text }) ?? (ofPlugin.count == 1 ? ofPlugin.first : nil) {
      self = exact
      return
    }
    let known = all.map(\.text)
    throw ErrorReport(
      code: "host.unknown-store", kind: .notFound, "there is no store '\(text)'",
      advice: Suggestion.nearest(to: text, in: known).map { "did you mean '\($0)'?" }
        ?? (known.isEmpty ? "no plugin has a store" : "stores are \(known.joined(separator: ", "))"))
  }

  /// Returns the stores of all plugins.
  @MainActor static func all(_ interpreter: CommandInterpreter) -> [StoreName] {
    interpreter.session.plugins.contributions.flatMap { plugin in
      plugin.stores.map { StoreName(plugin: plugin.plugin.id, $0) }
    }
  }

  /// Opens the store, which activates its plugin.
  @MainActor func open(_ interpreter: CommandInterpreter) throws -> any Store {
    do {
      return try interpreter.session.plugins.activated(plugin).context.store(store)
    } catch {
      throw ErrorReport(wrapping: error, plugin: plugin, command: "store " + store)
    }
  }
}
