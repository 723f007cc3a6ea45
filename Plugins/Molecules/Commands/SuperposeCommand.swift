import PluginAPI

/// The command that superposes one structure on another, or the models of one on each other.
enum SuperposeCommand {
  static let command = CommandPart(
    CommandDescription(
      "superpose", "lays one molecule on another and tells how well they fit",
      output: .init(.record(SuperpositionValue.fields), typeName: MoleculeValueType.superposition)
    ).taking(arguments, options: options).explained(
      """
      Residues correspond by an alignment of the sequences (Needleman-Wunsch with BLOSUM62) or by number; which did is \
      in 'pairs'. Chains go with those they align best with, unless 'chain' names them. The motion moves the first \
      molecule onto the second: x' = R x + t. With 'models' the models of one molecule are laid on the first and on \
      their mean.
      """,
      examples: [
        .init("superpose 1ake.cif 4ake.cif --chain A", "by the CA atoms of chains A"),
        .init(
          "superpose 1ake.cif 4ake.cif --select 'resi 1-29+68-117+160-214' --cycles 5", "of a part, outliers left out"),
        .init("superpose 1l2y.pdb --models", "an ensemble on its first model and its mean"),
      ]
    ).findable(by: ["align", "fit", "match", "rmsd", "root mean square deviation"])
  ) { call in
    let options = Superposition.Options(call)
    let selection = try SelectionOptions.selection(call)
    let library = try MoleculeLibrary(call)
    if call.flag("models") {
      let structure = try await library.molecule(call.text("molecule")).structure
      try await call.emit(try await ensemble(structure, selection, options.atoms, library))
      return
    }
    guard let second = call["onto"].text else { throw MoleculeError.missingSecond }
    let moving = try await part(call.text("molecule"), "model", 0, selection, call, library)
    let fixed = try await part(second, "onto-model", 1, selection, call, library)
    let result = try await library.computed("superposing") { _ in try superposed(moving, fixed, options) }
    if result.fit.isAmbiguous {
      call.warn(
        Diagnostic(
          .warning, code: "molecules.ambiguous-rotation", "the atoms lie on a line or are one: other turns fit as well",
          advice: "lay on more atoms"))
    }
    try await call.emit(
      SuperpositionValue.value(result, moving.structure, fixed.structure).typed(MoleculeValueType.superposition))
  }

  private static let arguments = [
    MoleculeInputs.molecule,
    Parameter(
      "onto", .document(extensions: MoleculeFileTypes.extensions), "the molecule it is moved onto; none with 'models'"
    ).completedByLibrary(),
  ]

  private static let options =
    SelectionOptions.all + [
      Parameter("chain", .text, "the only chain that counts; of both, or of each, as in A,B"),
      Parameter(
        "pair", .choice(ResiduePairing.Rule.allCases.map(\.rawValue)), "by what residues correspond",
        defaultValue: .text(ResiduePairing.Rule.sequence.rawValue)),
      Parameter(
        "atoms", .choice(Superposition.Atoms.allCases.map(\.rawValue)),
        "which atoms count: CA and P, the backbone, or all but hydrogens",
        defaultValue: .text(Superposition.Atoms.trace.rawValue)),
      Parameter(
        "cycles", .integer(minimum: 0, maximum: 100), "how often pairs too far apart are left out", defaultValue: 0),
      Parameter(
        "cutoff", .number(minimum: 0.1, maximum: 1000), "too far: more than so many times the RMSD", defaultValue: 2),
      MoleculeInputs.model,
      Parameter(
        "onto-model", .integer(minimum: 1, maximum: .max), "which model of the second molecule, counted from 1",
        defaultValue: 1),
      Parameter("models", .flag, "lays the models of one molecule on each other"),
    ]

  private static func part(
    _ word: String, _ option: String, _ place: Int, _ selection: Selection?, _ call: CommandCall,
    _ library: MoleculeLibrary
  ) async throws -> SuperpositionPart {
    let structure = try await library.molecule(word).structure
    let model = (call[option].integer ?? 1) - 1
    guard structure.models.indices.contains(model) else {
      throw MoleculeError.unknownModel(model + 1, count: structure.models.count)
    }
    let chains = call["chain"].text.map { $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init) }
    let chain = chains.map { $0.count == 2 ? $0[place] : $0.joined(separator: ",") }
    let atoms = try await SelectionOptions.atoms(selection, of: structure, models: [model], library)
    return SuperpositionPart(structure: structure, model: model, name: word, selection: atoms, chain: chain)
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

  private static func ensemble(
    _ structure: Structure, _ selection: Selection?, _ atoms: Superposition.Atoms, _ library: MoleculeLibrary
  ) async throws -> Value {
    let result = try await library.computed("superposing models") { _ in
      try aligned(structure, selection?.atoms(of: structure), atoms)
    }
    return SuperpositionValue.value(result, structure).typed(MoleculeValueType.superposition)
  }
}

extension Superposition.Options {
  fileprivate init(_ call: CommandCall) {
    self.init()
    rule = ResiduePairing.Rule(rawValue: call.text("pair")) ?? .sequence
    atoms = Superposition.Atoms(rawValue: call.text("atoms")) ?? .trace
    cycles = call["cycles"].integer ?? 0
    cutoff = call["cutoff"].number ?? 2
  }
}
