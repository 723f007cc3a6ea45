import PluginAPI

/// The options by which a command takes a selection, and the selection they mean.
enum SelectionOptions {
  /// Which atoms.
  static let select = Parameter(
    "select", .text, "only the atoms of this selection, as in 'chain A and resi 5-10'; all unless it is given")
  /// Named sets.
  static let set = Parameter(
    "set", .text, "names a selection for use in others, as in 'site=within 5 of ligand'", isRepeatable: true)

  static let all = [select, set]

  /// The selection of a call; nil if it has none.
  ///
  /// - Throws: ``MoleculeError/selection(_:_:)``.
  static func selection(_ call: CommandCall) throws -> Selection? {
    let sets = try sets(call)
    guard let text = call["select"].text else { return nil }
    return try selection(text, sets)
  }

  /// The named sets of a call.
  static func sets(_ call: CommandCall) throws -> SelectionSets {
    var sets = SelectionSets()
    for text in call.texts("set") {
      do {
        try sets.define(text)
      } catch {
        throw MoleculeError.selection(text, error)
      }
    }
    return sets
  }

  /// The atoms of models that a selection means, found on a thread of its own; nil without a selection.
  ///
  /// Tells if there are none, which may be meant, but seldom is.
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
