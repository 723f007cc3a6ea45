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

  static let most = 50

  /// Reads the list in the state folder; empty if there is none that can be read.
  init(folder: String) {
    file = StateFile(path: folder + "/recent")
    entries = Self.read(file)
  }

  private static func read(_ file: StateFile) -> [Entry] {
    let values = file.read().flatMap { try? Value(decoding: $0).list } ?? []
    return values.prefix(most).compactMap { value in
      guard let plugin = value["plugin"].text, let document = value["document"].text else { return nil }
      return Entry(plugin: plugin, document: document)
    }
  }

  /// Puts a document first and writes the list; one that is first already changes nothing.
  mutating func add(_ entry: Entry) {
    guard entries.first != entry else { return }
    change { entries in
      entries.removeAll { $0 == entry }
      entries.insert(entry, at: 0)
    }
  }

  /// Removes documents and writes the list.
  mutating func remove(_ gone: Set<Entry>) {
    change { $0.removeAll(where: gone.contains) }
  }

  /// Changes the list as it is now: other runs of the program may have changed it in the meantime.
  private mutating func change(_ edit: (inout [Entry]) -> Void) {
    entries = Self.read(file)
    edit(&entries)
    entries = Array(entries.prefix(Self.most))
    file.write(
      Value.list(entries.map { ["plugin": .text($0.plugin), "document": .text($0.document)] }).encoded())
  }
}

extension RecentDocuments {
  /// True if a session keeps and shows documents at all: not in safe mode, nor against the user's setting.
  @MainActor static func areKept(in session: HostSession) -> Bool {
    !session.options.isSafeMode && HostSettings.keepsRecentDocuments(session.settings)
  }
}

extension StoredContributions {
  /// A Boolean value indicating whether names of documents may be kept in the clear.
  ///
  /// A plugin for personal data declares parameters as personal. Its documents are then persons, unless it declares
  /// parameters for documents that are not personal.
  var hasHarmlessDocuments: Bool {
    var isPersonal = false
    for command in commands {
      for parameter in command.arguments + command.options {
        if parameter.isPersonal {
          isPersonal = true
        } else if case .document = parameter.kind {
          return true
        }
      }
    }
    return !isPersonal
  }
}
