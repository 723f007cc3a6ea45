import PluginAPI

/// The options for selecting atoms, and their evaluation.
enum SelectionOptions {
  /// The selection of atoms.
  static let select = Option(
    "select", String.self, "only the atoms of this selection, as in 'chain A and resi 5-10'; all unless it is given")
  /// The named sets.
  static let set = Option(
    "set", list: String.self, "names a selection for use in others, as in 'site=within 5 of ligand'")

  /// Returns the selection of a call; nil if it has none.
  ///
  /// - Throws: ``MoleculeError/selection(_:_:)``.
  static func selection(_ call: CommandCall) throws -> Selection? {
    let sets = try sets(call)
    guard let text = call[select] else { return nil }
    return try selection(text, sets)
  }

  /// Returns the named sets of a call.
  static func sets(_ call: CommandCall) throws -> SelectionSets {
    var sets = SelectionSets()
    for text in call[set] {
      do {
        try sets.define(text)
      } catch {
        throw MoleculeError.selection(text, error)
      }
    }
    return sets
  }

  /// Returns the selected atoms of models, found on a separate thread; nil without a selection.
  ///
  /// Reports an empty selection, which is rarely intended.
  static func atoms(
    _ selection: Selection?, of structure: Structure, models: [Int], _ library: MoleculeLibrary
  ) async throws -> AtomSelection? {
    guard let selection else { return nil }
    let atoms = try await library.computed("selecting") { _ in
      models.reduce(into: AtomSelection(atomCount: structure.atoms.count)) { atoms, model in
        atoms.formUnion(selection.atoms(of: structure, model: model))
      }
    }
    if atoms.isEmpty {
      library.warn(
        Diagnostic(
          .warning, code: "molecules.empty-selection", "the selection '\(selection.text)' has no atoms",
          advice: "chain names are case-sensitive; 'chains' and 'atoms' show what there is"))
    }
    return atoms
  }

  /// Reads a selection.
  static func selection(_ text: String, _ sets: SelectionSets) throws -> Selection {
    do {
      return try Selection(text, sets: sets)
    } catch {
      throw MoleculeError.selection(text, error)
    }
  }
}
