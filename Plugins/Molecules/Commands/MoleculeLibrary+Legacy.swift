import PluginAPI

extension MoleculeLibrary {
  /// Returns true if a path is a folder, or a database of the original application.
  static func isLegacy(_ path: String) -> Bool {
    if StructureSource.isFolder(path) { return true }
    guard path.lowercased().hasSuffix(".sql"), let bytes = try? StructureSource.bytes(ofFile: path) else {
      return false
    }
    return bytes.starts(with: Array("SQLite format 3\0".utf8))
  }

  /// Imports the Documents folder of the original application: the molecules of its database, and the other structure
  /// files in it; or the molecules of a database alone.
  ///
  /// A molecule with a file is read from the file, and data missing there is taken from the database. A molecule
  /// without a file is rebuilt from the database's atoms and bonds, with deduced names.
  /// - Parameter path: The folder, or a database.
  func importDatabase(_ path: String) async throws -> [ImportedMolecule] {
    let isFolder = StructureSource.isFolder(path)
    let folder = isFolder ? path : String(path.dropLast(path.reversed().prefix { $0 != "/" }.count))
    let database = isFolder ? path + "/molecules.sql" : path
    guard StructureSource.exists(database) else {
      throw MoleculeError.noDatabase(
        "folder '\(path)' has no 'molecules.sql'",
        advice: "give files, or the Documents folder of the original application", details: ["folder": .text(path)])
    }
    let molecules = try await legacyMolecules(database)
    let names = StructureSource.names(inFolder: folder.isEmpty ? "." : folder)
    let prefix = folder.isEmpty || folder.hasSuffix("/") ? folder : folder + "/"
    var imported: [ImportedMolecule] = []
    var used: Set<String> = []
    for molecule in molecules {
      try Task.checkCancellation()
      let name = Self.name(of: molecule.file, among: names)
      if let name { used.insert(name) }
      guard let new = try await legacyMolecule(molecule, file: name.map { prefix + $0 }, database) else { continue }
      imported.append(try await add(new, file: name.map { prefix + $0 } ?? molecule.file))
    }
    for name in names where isFolder && !used.contains(name) && MoleculeFileTypes.isFileName(name) {
      imported.append(try await importFile(prefix + name))
    }
    return imported
  }

  private func legacyMolecules(_ database: String) async throws -> [LegacyMolecule] {
    let bytes: [UInt8]
    do {
      bytes = try StructureSource.bytes(ofFile: database)
    } catch {
      throw MoleculeError.file(error)
    }
    do {
      return try await LegacyDatabase(scratch: context.folders.cache).read(bytes)
    } catch let error as any ReportableError {
      throw MoleculeError.unreadable(
        path: database, reason: "it is not a database of the original application: \(error.report.message)")
    }
  }

  /// Returns the molecule of a row; nil if it has neither a file nor atoms.
  private func legacyMolecule(_ row: LegacyMolecule, file: String?, _ database: String) async throws -> NewMolecule? {
    if let file {
      do {
        var new = try await readNew(file, label: "reading \(file)")
        Self.complete(&new.molecule.structure, with: row)
        return new
      } catch let error as ErrorReport {
        warn(Diagnostic(.warning, code: error.code, error.message, advice: "its database rows are used instead"))
      }
    }
    guard !row.structure.atoms.isEmpty else {
      warn(
        Diagnostic(
          .warning, code: "molecules.legacy-empty",
          "molecule '\(row.file)' in the database has neither a file nor atoms and was left out"))
      return nil
    }
    warn(
      Diagnostic(
        .note, code: "molecules.legacy-rebuilt",
        "molecule '\(row.file)' has no file beside the database; it was rebuilt from its rows, with deduced names"))
    return try await rebuilt(row, database)
  }

  /// Writes a file from the rows of a molecule, and reads the molecule from the file, so that it can be read again at
  /// any time.
  private func rebuilt(_ row: LegacyMolecule, _ database: String) async throws -> NewMolecule {
    let addedAt = context.now()
    return try await computed("rebuilding \(row.file)") { progress in
      var structure = row.structure
      Self.complete(&structure, with: row)
      let molecule = Molecule(
        id: nil, format: "PDB", file: row.file, structure: structure,
        bonds: structure.models.indices.map { BondPerception.bonds(of: structure, model: $0) })
      let text = try? PDBWriter.bytes(of: molecule)
      let bytes = text ?? MMCIFWriter.bytes(of: molecule)
      let stem = row.file.split(separator: ".").first.map(String.init) ?? "molecule"
      let name = stem + (text == nil ? ".cif" : ".pdb")
      let again = try MoleculeReading.molecule(bytes, path: name, bonds: .allModels, limits: limits, progress)
      return NewMolecule(molecule: again, original: bytes, source: database, addedAt: addedAt)
    }
  }

  /// Fills in data missing in a structure.
  private static func complete(_ structure: inout Structure, with row: LegacyMolecule) {
    var metadata = structure.metadata
    let known = row.metadata
    if metadata.title.isEmpty { metadata.title = known.title }
    if metadata.compounds.isEmpty { metadata.compounds = known.compounds }
    if metadata.authors.isEmpty { metadata.authors = known.authors }
    if metadata.citation.title.isEmpty { metadata.citation.title = known.citation.title }
    if metadata.citation.authors.isEmpty { metadata.citation.authors = known.citation.authors }
    if metadata.citation.reference.isEmpty { metadata.citation.reference = known.citation.reference }
    structure.metadata = metadata
    let names = row.sequence.split(whereSeparator: \.isWhitespace).map(String.init)
    if structure.sequences.isEmpty, !names.isEmpty {
      let chain = structure.chains.first?.name ?? ""
      structure.sequences = [PolymerSequence(id: chain, chains: [chain], residueNames: names)]
    }
  }

  /// Returns the file of a row: the same name, or the name with an extension that the original application omitted;
  /// ignores case.
  private static func name(of file: String, among names: [String]) -> String? {
    let wanted = file.lowercased()
    guard !wanted.isEmpty else { return nil }
    for ending in ["", ".pdb.gz", ".gz", ".pdb", ".sdf", ".xyz", ".ent"] {
      if let found = names.first(where: { $0.lowercased() == wanted + ending }) { return found }
    }
    return nil
  }
}
