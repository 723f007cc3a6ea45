import PluginAPI

/// The command that superposes one structure on another, or the models of one on each other.
enum SuperposeCommand {
  static let command = CommandPart(
    CommandDescription(
      "superpose", "Superpose one molecule on another and show the RMSD",
      output: .model(SuperpositionReport.self)
    ).taking(
      MoleculeInputs.molecule, onto, SelectionOptions.select, SelectionOptions.set, chain, rule, atoms, cycles, cutoff,
      MoleculeInputs.model, ontoModel, isOfModels
    ).explained(
      """
      Residues are paired by aligning the sequences (Needleman-Wunsch with BLOSUM62) or by number. '--json' lists \
      the pairs. Each chain is paired with the chain it aligns best with, unless '--chain' names the chains. The motion \
      moves the first molecule onto the second: x' = R x + t. With '--models', the models of one molecule are superposed \
      on the first model and on their mean.
      """,
      examples: [
        .init("superpose 1ake.cif 4ake.cif --chain A", "Chain A of both, by CA atoms"),
        .init(
          "superpose 1ake.cif 4ake.cif --select 'resi 1-29+68-117+160-214' --cycles 5",
          "Part of the molecules, without outliers"),
        .init("superpose 1l2y.pdb --models", "An ensemble, on its first model and its mean"),
      ]
    ).findable(by: ["align", "fit", "match", "rmsd", "root mean square deviation"])
  ) { call in
    let options = Superposition.Options(
      rule: call[rule], atoms: call[atoms], cycles: call[cycles], cutoff: call[cutoff])
    let selection = try SelectionOptions.selection(call)
    let library = try MoleculeLibrary(call)
    if call[isOfModels] {
      let structure = try await library.molecule(call[MoleculeInputs.molecule]).structure
      let result = try await library.computed("superposing models") { _ in
        try aligned(structure, selection?.atoms(of: structure), options.atoms)
      }
      try await call.emit(SuperpositionReport(result))
      return
    }
    guard let second = call[onto] else {
      throw MoleculeError.missingSecond(
        "the second molecule is missing",
        advice: "name it, or superpose the models of one molecule with '--models'")
    }
    let moving = try await part(
      call[MoleculeInputs.molecule], call[MoleculeInputs.model], chainName(call, 0), selection, library)
    let fixed = try await part(second, call[ontoModel], chainName(call, 1), selection, library)
    let result = try await library.computed("superposing") { _ in try superposed(moving, fixed, options) }
    if result.fit.isAmbiguous {
      call.warn(
        Diagnostic(
          .warning, code: "molecules.ambiguous-rotation",
          "the rotation is ambiguous: the atoms are on a line or at one point",
          advice: "superpose more atoms"))
    }
    try await call.emit(SuperpositionReport(result, moving.structure, fixed.structure))
  }

  private static let onto = Argument(
    "onto", optional: String.self, kind: .document(extensions: MoleculeFileTypes.extensions),
    "Molecule to superpose onto; omit it with --models"
  ).completedByLibrary()
  private static let chain = Option("chain", String.self, "Chain to use in both molecules, or one for each, as in A,B")
  private static let rule = Option("pair", "Method of pairing residues", default: ResiduePairing.Rule.sequence)
  private static let atoms = Option(
    "atoms", "Atoms to superpose: CA and P, the backbone, or all but hydrogens", default: Superposition.Atoms.trace)
  private static let cycles = Option(
    "cycles", in: 0...100, "Maximum number of cycles that reject distant pairs", default: 0)
  private static let cutoff = Option(
    "cutoff", in: 0.1...1000, "Distance beyond which a cycle rejects a pair, as a multiple of the RMSD", default: 2)
  private static let ontoModel = MoleculeInputs.modelIndex(
    "onto-model", "Model of the second molecule, counted from 1")
  private static let isOfModels = Option(flag: "models", "Superpose the models of one molecule")

  /// Returns the name of the only chain of the first or the second molecule; nil for all chains.
  private static func chainName(_ call: CommandCall, _ index: Int) -> String? {
    guard let text = call[chain] else { return nil }
    let chains = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    return chains.count == 2 ? chains[index] : text
  }

  private static func part(
    _ word: String, _ model: Int, _ chain: String?, _ selection: Selection?, _ library: MoleculeLibrary
  ) async throws -> SuperpositionPart {
    let molecule = try await library.molecule(word)
    try MoleculeInputs.check(model, in: molecule)
    let atoms = try await SelectionOptions.atoms(selection, of: molecule.structure, models: [model], library)
    return SuperpositionPart(structure: molecule.structure, model: model, name: word, selection: atoms, chain: chain)
  }

  private static func superposed(
    _ moving: SuperpositionPart, _ fixed: SuperpositionPart, _ options: Superposition.Options
  ) throws -> Superposition {
    do {
      return try Superposition(moving, onto: fixed, options)
    } catch {
      throw MoleculeError.superposition(error)
    }
  }

  private static func aligned(
    _ structure: Structure, _ selection: AtomSelection?, _ atoms: Superposition.Atoms
  ) throws -> EnsembleAlignment {
    do {
      return try EnsembleAlignment(structure, selection: selection, atoms: atoms)
    } catch {
      throw MoleculeError.superposition(error)
    }
  }
}
