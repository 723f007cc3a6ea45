import PluginAPI

/// Commands that save the shown molecules to a file, and show them again.
enum SessionCommands {
  static let all = [saving, opening]

  /// The session file in the state folder, which the viewer shows once, at its next start.
  static let nextStart = "next." + SessionFile.fileExtension

  static let saving = CommandPart(
    CommandDescription(
      "session save", "Save molecules and the way they are drawn to a session file",
      output: .model(SavedSession.self), effects: [.reads, .writes]
    ).taking(savedFile, molecules, mode, scheme, MoleculeInputs.model).explained(
      """
      In the viewer, the action 'Save session' saves what is shown. A session identifies molecules by the content of \
      their files, so it finds them even if their numbers have changed. It does not contain the molecules. An existing \
      file is overwritten only if it is a session.
      """,
      examples: [
        .init("session save work.molsession", "The molecule viewed last"),
        .init("session save pair.molsession 1crn 4hhb.cif.gz --mode spacefilling", "Two molecules"),
      ]), save)

  static let opening = CommandPart(
    CommandDescription(
      "session open", "Choose the session that the viewer shows next",
      output: .model(NextSession.self), effects: [.reads, .writes]
    ).taking(session).explained(
      "Missing molecules are left out with a warning. 'workbench open FILE' shows a session at once.",
      examples: [.init("session open work.molsession", "Then run 'workbench run molecules'")]), open)

  private static let savedFile = Argument(
    "file", String.self, kind: .outputFile, "Session file, named *.\(SessionFile.fileExtension)")
  private static let molecules = Argument(
    "molecule", list: String.self, kind: .document(extensions: MoleculeFileTypes.extensions),
    "Molecules of the library, or files; keys rotate the first; by default the molecule viewed last"
  ).completedByLibrary()
  private static let mode = Option("mode", RenderMode.self, "Drawing mode; by default the one that suits the molecules")
  private static let scheme = Option("scheme", ColorScheme.self, "Color scheme")
  private static let session = Argument(
    "file", String.self, kind: .inputFile(extensions: [SessionFile.fileExtension]), "Session file")

  @Sendable private static func save(_ call: CommandCall) async throws {
    let library = try MoleculeLibrary(call)
    var places: [MoleculePlace] = []
    for word in call[molecules] { places.append(try await library.place(word)) }
    if places.isEmpty {
      guard let id = MoleculeLibrary.number(.lastViewed, try await library.opened()) else {
        throw MoleculeError.unknown("", nearest: nil, isEmpty: true)
      }
      places = [.library(id)]
    }
    let (named, path) = (places, call[savedFile])
    let view: Value = [
      "model": .integer(call[MoleculeInputs.model]), "mode": call[mode]?.parameterValue ?? .null,
      "color": call[scheme]?.parameterValue ?? .null,
    ]
    let session = try await library.saveSession(named, view: view, to: path)
    try await call.emit(SavedSession(path: path, molecules: session.entries.map(\.name)))
  }

  @Sendable private static func open(_ call: CommandCall) async throws {
    let library = try MoleculeLibrary(call)
    let path = call[session]
    _ = try await library.opened()
    let next = call.context.folders.state + "/" + nextStart
    let opened = try await library.openSession(path)
    try await library.computed("opening") { _ in try SessionFile.write(opened.session, to: next) }
    for diagnostic in opened.diagnostics { call.warn(diagnostic) }
    let molecules = zip(opened.session.entries, opened.places).map { NextSession.Entry(entry: $0, place: $1) }
    try await call.emit(NextSession(path: path, molecules: molecules))
  }
}

extension SessionCommands {
  /// Returns the session to show instead of a molecule; nil if there is none.
  static func path(_ target: MoleculeTarget, _ context: any PluginContext) -> String? {
    switch target {
    case .word(let word): return SessionFile.isName(word) ? word : nil
    case .lastViewed:
      let next = context.folders.state + "/" + nextStart
      return StructureSource.exists(next) ? next : nil
    case .number, .neighbor: return nil
    }
  }

  /// Returns the name with the extension of sessions, added if missing.
  static func named(_ path: String) -> String {
    SessionFile.isName(path) || path.isEmpty ? path : path + "." + SessionFile.fileExtension
  }
}

/// A session that was saved.
private struct SavedSession: Model {
  let path: String
  let molecules: [String]

  static let typeName = "molecules.saved-session"
  static let fields = Fields<SavedSession> {
    Field("file", \.path, "Path of the session file")
    Field("molecules", \.molecules, "Codes or titles of the molecules")
  }
}

/// The session that the viewer shows at its next start.
private struct NextSession: Model {
  /// A molecule of the session, and its location if it exists.
  struct Entry: Model {
    let entry: MoleculeSession.Entry
    let place: MoleculePlace?

    static let typeName = "molecules.session-entry"
    static let fields = Fields<Entry> {
      Field("code", \.entry.code, "Entry code")
      Field("title", \.entry.title, "Title")
      Field("id", \.place?.number, "Number in the library; null for a file")
      Field("path", \.place?.path, "Path of the file; null for a molecule in the library")
      Field("isThere", { $0.place != nil }, "True if the molecule was found")
    }
  }

  let path: String
  let molecules: [Entry]

  static let typeName = "molecules.next-session"
  static let fields = Fields<NextSession> {
    Field("file", \.path, "Path of the session file")
    Field("molecules", \.molecules, "Molecules of the session")
  }
}

extension MoleculePlace {
  /// The number in the library; nil for a file.
  fileprivate var number: Int? {
    if case .library(let number) = self { number } else { nil }
  }

  /// The path of the file; nil for a molecule of the library.
  fileprivate var path: String? {
    if case .file(let path) = self { path } else { nil }
  }
}

/// A session with its molecules looked up.
struct OpenedSession: Equatable, Sendable {
  /// The locations of its molecules, in the order of the session; nil for a missing one.
  var places: [MoleculePlace?]
  var session: MoleculeSession
  /// The differences from the saved state.
  var diagnostics: [Diagnostic]
}

extension MoleculeLibrary {
  /// Creates an entry that identifies a molecule.
  private func sessionEntry(_ place: MoleculePlace) async throws -> MoleculeSession.Entry {
    switch place {
    case .library(let id):
      let summary = try await store.summary(of: id)
      return MoleculeSession.Entry(
        code: summary.code, title: summary.title, digest: try await store.digest(of: id), id: id, path: nil)
    case .file(let path):
      return try await computed("identifying \(path)") { progress in
        let (molecule, bytes) = try MoleculeReading.molecule(file: path, bonds: .firstModel, limits: limits, progress)
        let metadata = molecule.structure.metadata
        return MoleculeSession.Entry(
          code: metadata.entryID, title: metadata.title, digest: LibraryStore.digest(of: bytes), id: nil,
          path: SessionFile.absolute(path))
      }
    }
  }

  /// Saves a session of the shown molecules.
  ///
  /// - Throws: ``SessionError``, and the errors of identifying the molecules.
  func saveSession(_ places: [MoleculePlace], view: Value, to path: String) async throws -> MoleculeSession {
    var session = MoleculeSession(entries: [], view: view)
    for place in places { session.entries.append(try await sessionEntry(place)) }
    return try await computed("saving") { [session] _ in
      try SessionFile.write(session, to: path)
      return session
    }
  }

  /// Opens a session for a viewer, removing the one for the next start.
  func takeSession(_ path: String) async throws -> OpenedSession {
    let isNext = path == context.folders.state + "/" + SessionCommands.nextStart
    defer { if isNext { SessionFile.remove(path) } }
    return try await openSession(path)
  }

  /// Reads a session and looks up its molecules.
  ///
  /// - Throws: ``SessionError``; missing molecules are reported in the diagnostics if at least one is found.
  func openSession(_ path: String) async throws -> OpenedSession {
    let session = try await computed("opening") { _ in try SessionFile.read(path) }
    let known = try await store.digests()
    return try await computed("opening") { _ in try Self.opened(session, known: known) }
  }

  private static func opened(_ session: MoleculeSession, known: [String: Int]) throws -> OpenedSession {
    var opened = OpenedSession(places: [], session: session, diagnostics: [])
    var missing: [String] = []
    for entry in session.entries {
      let place = place(of: entry, known: known, diagnostics: &opened.diagnostics)
      if place == nil { missing.append(entry.name) }
      opened.places.append(place)
    }
    if opened.places.allSatisfy({ $0 == nil }) { throw SessionError.nothingThere(missing: missing) }
    if !missing.isEmpty {
      let names = missing.map { "'\($0)'" }.joined(separator: ", ")
      opened.diagnostics.append(
        Diagnostic(
          .warning, code: "molecules.session-incomplete",
          "\(missing.count) of \(session.entries.count) molecules of the session are missing: \(names)",
          advice: "import or fetch them, then open the session again"))
    }
    return opened
  }

  /// Returns the location of a session's molecule: by content in the library or at its path; else, with a diagnostic,
  /// by its old number or path.
  private static func place(
    of entry: MoleculeSession.Entry, known: [String: Int], diagnostics: inout [Diagnostic]
  ) -> MoleculePlace? {
    if let id = known[entry.digest] { return .library(id) }
    var changed: MoleculePlace?
    if let path = entry.path, StructureSource.exists(path) {
      if let bytes = try? StructureSource.bytes(ofFile: path), LibraryStore.digest(of: bytes) == entry.digest {
        return .file(path)
      }
      changed = .file(path)
    }
    if changed != nil {
      diagnostics.append(
        Diagnostic(
          .warning, code: "molecules.session-changed", "'\(entry.name)' has changed since the session was saved"))
    }
    return changed
  }
}
