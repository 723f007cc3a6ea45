import PluginAPI

/// A saved screen: its molecules and how they are shown.
struct MoleculeSession: Equatable, Sendable {
  /// A molecule of a session, identified by its content first, then by number or path.
  struct Entry: Equatable, Sendable {
    var code: String
    var title: String
    /// The SHA-256 of its original file, hexadecimal.
    var digest: String
    /// The library's number of the molecule when the session was saved.
    var id: Int?
    /// The path of the file; nil for a molecule of the library.
    var path: String?
  }

  /// The molecules, the active one first.
  var entries: [Entry]
  /// The viewpoint and style, as understood by the viewer.
  var view: Value

  static let format = "workbench-molecules-session"
  /// The format version; files of a later version are not read.
  static let version = 1
}

extension MoleculeSession {
  /// Creates a session from its value form; nil if the value is not a session.
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

  /// The session as a record, its form in files.
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
  /// The display name.
  var name: String { [code, title, path ?? ""].first { !$0.isEmpty } ?? id.map { "molecule \($0)" } ?? "a molecule" }
}
