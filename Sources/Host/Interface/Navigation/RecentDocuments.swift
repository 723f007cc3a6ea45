import PluginAPI

/// The documents opened last, newest first.
struct RecentDocuments {
  /// A document and the plugin that showed it.
  struct Entry: Sendable, Hashable {
    var plugin: String
    var document: String
  }

  private let file: StateFile
  private(set) var entries: [Entry]

  static let most = 12

  /// Reads the list in the state folder; empty if there is none that can be read.
  init(folder: String) {
    file = StateFile(path: folder + "/recent")
    let values = file.read().flatMap { try? Value(decoding: $0).list } ?? []
    entries = values.compactMap { value in
      guard let plugin = value["plugin"].text, let document = value["document"].text else { return nil }
      return Entry(plugin: plugin, document: document)
    }
  }

  /// Puts a document first and writes the list; one that is first already changes nothing.
  mutating func add(_ entry: Entry) {
    guard entries.first != entry else { return }
    entries.removeAll { $0 == entry }
    entries.insert(entry, at: 0)
    entries = Array(entries.prefix(Self.most))
    file.write(
      Value.list(entries.map { ["plugin": .text($0.plugin), "document": .text($0.document)] }).encoded())
  }
}

/// An installed plugin that cannot be used.
struct UnusablePlugin: Sendable, Hashable {
  var id: String
  /// The reason, with advice: `disabled; 'workbench plugin enable tides' enables it`.
  var reason: String
}
