import PluginAPI

/// What is kept of a screen: which molecules it showed, and how.
struct MoleculeSession: Equatable, Sendable {
  /// A molecule as a session names it: by its content first, then by number or path.
  struct Entry: Equatable, Sendable {
    var code: String
    var title: String
    /// SHA-256 of the file it was read from, hexadecimal.
    var digest: String
    /// Its number in the library when the session was saved.
    var id: Int?
    /// The path of the file; nil for one of the library.
    var path: String?
  }

  /// The molecules, the one that keys act on first.
  var entries: [Entry]
  /// From where and how they are shown; understood by the viewer.
  var view: Value

  static let format = "workbench-molecules-session"
  /// Files of a later version are not read.
  static let version = 1
}

extension MoleculeSession {
  /// Takes a session from its value form; nil if it is none.
  init?(_ value: Value) {
    guard value["format"].text == Self.format, let molecules = value["molecules"].list, !molecules.isEmpty else {
      return nil
    }
    entries = molecules.map { entry in
      Entry(
        code: entry["code"].text ?? "", title: entry["title"].text ?? "", digest: entry["digest"].text ?? "",
        id: entry["id"].integer, path: entry["path"].text)
    }
    view = value["view"]
  }

  /// The session as a record, the form it has in files.
  var value: Value {
    [
      "format": .text(Self.format), "version": .integer(Self.version),
      "molecules": .list(
        entries.map { entry in
          [
            "code": .text(entry.code), "title": .text(entry.title), "digest": .text(entry.digest),
            "id": .optional(entry.id), "path": .optional(entry.path),
          ]
        }),
      "view": view,
    ]
  }
}

extension MoleculeSession.Entry {
  /// What people call it.
  var name: String { [code, title, path ?? ""].first { !$0.isEmpty } ?? id.map { "molecule \($0)" } ?? "a molecule" }
}
