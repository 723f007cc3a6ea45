import PluginAPI

/// The arguments and options that commands share.
enum MoleculeInputs {
  /// A molecule of the library or a file.
  static let molecule = Argument(
    "molecule", String.self, kind: .document(extensions: MoleculeFileTypes.extensions),
    "Number, entry code or beginning of the title of a molecule in the library; or a file"
  ).completedByLibrary()

  /// The 0-based index of a model; callers count from 1.
  static let model = modelIndex("model", "Model, counted from 1")

  /// Returns an option for a model, whose content is the 0-based index.
  static func modelIndex(_ name: String, _ summary: String) -> Option<Int> {
    Option(Parameter(name, .integer(minimum: 1, maximum: .max), summary, defaultValue: 1)) { $0.integer.map { $0 - 1 } }
  }

  /// Throws if a molecule does not have a model.
  static func check(_ model: Int, in molecule: Molecule) throws(ErrorReport) {
    let count = molecule.structure.models.count
    guard (0..<count).contains(model) else { throw MoleculeError.unknownModel(model + 1, count: count) }
  }
}

extension CommandInput {
  /// Returns the input completed with the numbers and entry codes of the library's molecules.
  func completedByLibrary() -> Self {
    completed(by: "list", column: "id", summaryColumn: "title", otherColumns: ["code"])
  }
}

/// The file types that this plugin opens.
enum MoleculeFileTypes {
  /// The file name extensions, without the first dot.
  static let extensions = descriptions.flatMap(\.extensions)

  /// The descriptions for the host.
  static let descriptions =
    [
      FileTypeDescription(
        pdbName, extensions: ["pdb", "ent", "pdb1", "pdb.gz", "ent.gz", "pdb1.gz"],
        magic: Array("HEADER".utf8), screen: "viewer"),
      FileTypeDescription(
        "Macromolecular Crystallographic Information File", extensions: ["cif", "mmcif", "cif.gz", "mmcif.gz"],
        magic: Array("data_".utf8), screen: "viewer"),
      FileTypeDescription("BinaryCIF file", extensions: ["bcif", "bcif.gz"], screen: "viewer"),
      FileTypeDescription(
        "Structure-data file (V2000, V3000)", extensions: ["sdf", "sd", "mol", "sdf.gz", "sd.gz", "mol.gz"],
        screen: "viewer"),
      FileTypeDescription("XYZ file", extensions: ["xyz", "extxyz", "xyz.gz", "extxyz.gz"], screen: "viewer"),
    ] + firstRecords.map { FileTypeDescription(pdbName, extensions: [], magic: Array($0.utf8), screen: "viewer") }

  private static let pdbName = "Protein Data Bank file"
  /// The records besides HEADER with which a file without a name, such as standard input, may start.
  private static let firstRecords = ["TITLE ", "REMARK", "CRYST1", "MODEL ", "ATOM  ", "HETATM"]

  /// The session files, which the viewer opens as well.
  static let session = FileTypeDescription(
    "Molecules session", extensions: [SessionFile.fileExtension], screen: "viewer")

  /// Returns true if a word is a file name: it contains a folder, or has one of the extensions.
  static func isFileName(_ word: String) -> Bool {
    word.contains("/") || extensions.contains { word.lowercased().hasSuffix("." + $0) }
  }
}

/// The options for selecting atoms, and their evaluation.
enum SelectionOptions {
  /// The selection of atoms.
  static let select = Option(
    "select", String.self, "Only the atoms of this selection, such as 'chain A and resi 5-10'; all by default")
  /// The named sets.
  static let set = Option(
    "set", list: String.self, "Named selection for use in other selections, such as 'site=within 5 of ligand'")

  /// The explanation of the conformers that commands choose, for their help.
  static let conformers =
    "For alternate locations, the most occupied conformer is used, or the selected one, as in --select 'altloc A'."

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
  /// Reports an empty selection, which is rarely intended, and one by pLDDT where there may be none.
  static func atoms(
    _ selection: Selection?, of structure: Structure, models: [Int], _ library: MoleculeLibrary
  ) async throws -> AtomSelection? {
    guard let selection else { return nil }
    if let model = models.first { checkConfidence([selection], of: structure, model: model, library) }
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

  /// Warns if a selection compares pLDDT, and the B factors of the model may be something else.
  static func checkConfidence(
    _ selections: [Selection?], of structure: Structure, model: Int, _ library: MoleculeLibrary
  ) {
    guard selections.contains(where: { $0?.comparesConfidence == true }),
      let doubt = structure.doubtAboutConfidence(ofModel: model)
    else { return }
    library.warn(
      Diagnostic(.warning, code: "molecules.not-predicted", doubt, advice: "write 'b' to select by B factor"))
  }

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
  private(set) var atoms: AtomSelection?

  var structure: Structure { molecule.structure }

  /// The bonds of the model.
  ///
  /// - Complexity: O(atoms) if they have to be found.
  var bonds: [Bond] { molecule.bonds(ofModel: model) }

  /// Loads the molecule with its bonds, those of the model unless a scope is given, and checks the model.
  init(wholeOf call: CommandCall, bonds scope: MoleculeReading.BondScope? = nil) async throws {
    model = call[MoleculeInputs.model]
    library = try MoleculeLibrary(call)
    molecule = try await library.molecule(
      call[MoleculeInputs.molecule], bonds: scope ?? (model == 0 ? .firstModel : .allModels))
    try MoleculeInputs.check(model, in: molecule)
  }

  /// Loads the molecule with its bonds, those of the model unless a scope is given, and evaluates the selection.
  init(_ call: CommandCall, bonds scope: MoleculeReading.BondScope? = nil) async throws {
    let selection = try SelectionOptions.selection(call)
    try await self.init(wholeOf: call, bonds: scope)
    atoms = try await SelectionOptions.atoms(selection, of: molecule.structure, models: [model], library)
  }
}
