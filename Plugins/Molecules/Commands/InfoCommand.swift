import PluginAPI

/// The command that shows everything about one molecule.
enum InfoCommand {
  static let command = CommandPart(
    CommandDescription(
      "info", "tells everything about a molecule of the library or a file", output: .model(MoleculeInfo.self)
    ).taking(MoleculeInputs.molecule).explained(
      """
      Counts and sums are of the first model unless the key says otherwise; chains are counted by author name. What a \
      file does not say is null. Files are read as far as they make sense; what was wrong stands in the diagnostics.
      """,
      examples: [
        .init("info 1bna", "a molecule of the library"), .init("info 4hhb.cif.gz --json", "a file, for scripts"),
      ])
  ) { call in
    let word = call[MoleculeInputs.molecule]
    var molecule = try await MoleculeLibrary(call).molecule(word)
    // For a file the path as given, so that an editor finds the positions of the diagnostics.
    if molecule.id == nil { molecule.file = word }
    try await call.emit(MoleculeInfo(molecule))
  }
}
