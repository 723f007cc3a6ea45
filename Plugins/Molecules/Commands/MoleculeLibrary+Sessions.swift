import PluginAPI

/// A session whose molecules were looked for.
struct OpenedSession: Equatable, Sendable {
  /// Where its molecules are, in the order of the session; nil for one that is not there.
  var places: [MoleculePlace?]
  var session: MoleculeSession
  /// What is not as it was.
  var diagnostics: [Diagnostic]
}

extension MoleculeLibrary {
  /// Names a molecule so that it is found again; for code with a thread of its own.
  func sessionEntryAndWait(_ place: MoleculePlace) throws -> MoleculeSession.Entry {
    switch place {
    case .library(let id):
      guard let summary = try store.snapshotAndWait().molecules.first(where: { $0.id == id }) else {
        throw LibraryError.unknownMolecule(id)
      }
      return MoleculeSession.Entry(
        code: summary.code, title: summary.title, digest: try store.digestAndWait(of: id), id: id, path: nil)
    case .file(let path):
      let (molecule, bytes) = try MoleculeReading.molecule(
        file: path, bonds: .firstModel, limits: limits, SilentProgress())
      let metadata = molecule.structure.metadata
      return MoleculeSession.Entry(
        code: metadata.entryID, title: metadata.title, digest: LibraryStore.digest(of: bytes), id: nil,
        path: SessionFile.absolute(path))
    }
  }

  /// Saves what is shown of molecules; for code with a thread of its own.
  ///
  /// - Throws: ``SessionError``, and what naming the molecules throws.
  func saveSessionAndWait(_ places: [MoleculePlace], view: Value, to path: String) throws -> MoleculeSession {
    let session = MoleculeSession(entries: try places.map(sessionEntryAndWait), view: view)
    try SessionFile.write(session, to: path)
    return session
  }

  /// Reads a session and looks for its molecules; for code with a thread of its own.
  ///
  /// - Throws: ``SessionError``; molecules that are not there are told in the diagnostics as long as one is.
  func openSessionAndWait(_ path: String) throws -> OpenedSession {
    let session = try SessionFile.read(path)
    let known = try store.digestsAndWait()
    var opened = OpenedSession(places: [], session: session, diagnostics: [])
    var missing: [String] = []
    for entry in session.entries {
      let place = Self.place(of: entry, known: known, diagnostics: &opened.diagnostics)
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

  /// Where a molecule of a session is: with the same content in the library or at its path; else, and then it is told,
  /// under its old number or path.
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

/// Progress that nobody looks at.
struct SilentProgress: WorkProgress {
  var isCancelled: Bool { false }
  func report(_ progress: Progress) {}
}
