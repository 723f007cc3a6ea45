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
      let report = MoleculeError.emptySelection(text: selection.text)
      library.warn(Diagnostic(.warning, code: report.code, report.message, advice: report.advice))
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

/// The molecule, model and selection that a command on parts of a molecule is called with.
struct CalledModel: Sendable {
  let library: MoleculeLibrary
  let molecule: Molecule
  /// The 0-based index of the model.
  let model: Int
  /// The selected atoms; nil for all.
  let atoms: AtomSelection?

  var structure: Structure { molecule.structure }

  /// The bonds of the model.
  ///
  /// - Complexity: O(atoms) if they have to be found.
  var bonds: [Bond] { molecule.bonds(ofModel: model) }

  /// Loads the molecule with its bonds, those of the model unless a scope is given, and evaluates the selection.
  init(_ call: CommandCall, bonds scope: MoleculeReading.BondScope? = nil) async throws {
    let selection = try SelectionOptions.selection(call)
    model = call[MoleculeInputs.model]
    library = try MoleculeLibrary(call)
    molecule = try await library.molecule(
      call[MoleculeInputs.molecule], bonds: scope ?? (model == 0 ? .firstModel : .allModels))
    try MoleculeInputs.check(model, in: molecule)
    atoms = try await SelectionOptions.atoms(selection, of: molecule.structure, models: [model], library)
  }
}
