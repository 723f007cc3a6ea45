import PluginAPI

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
      guard let summary = try await store.snapshot().molecules.first(where: { $0.id == id }) else {
        throw LibraryError.unknownMolecule(id)
      }
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
          "the session lacks \(missing.count) of \(session.entries.count) molecules: \(names)",
          advice: "import or fetch them, then open it again"))
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
          .warning, code: "molecules.session-changed", "'\(entry.name)' is not as it was when the session was saved"))
    }
    return changed
  }
}
