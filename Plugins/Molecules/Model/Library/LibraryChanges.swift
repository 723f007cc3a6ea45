import PluginAPI

/// The result of an import.
struct ImportedMolecule: Equatable, Sendable {
  /// The file as it was named.
  var file: String
  var id: Int
  var molecule: Molecule
  /// A Boolean value indicating whether the same file was already present.
  var wasKnown: Bool
}

extension ImportedMolecule: Model {
  static let typeName = MoleculeValueType.importReport
  static let fields = Fields<ImportedMolecule> {
    Field("file", \.file, "File as named on the command line")
    Field("id", \.id, "Number in the library")
    Field("code", \.molecule.structure.metadata.entryID, "Entry code")
    Field("title", \.molecule.displayTitle, "Title; without one, the first compound, the code or the file name")
    Field("format", \.molecule.format, "File format: \(Molecule.formats)")
    Field("models", \.molecule.counts.models, "Number of models")
    Field("chains", \.molecule.counts.chains, "Number of chains in the first model")
    Field("residues", \.molecule.counts.residues, "Number of residues in the first model")
    Field("atoms", \.molecule.counts.atoms, "Number of atoms in the first model")
    Field("bonds", \.molecule.counts.bonds, "Number of bonds in the first model")
    Field("wasKnown", \.wasKnown, "True if the library already had the file")
    Field("diagnostics", \.molecule.structure.diagnostics, "Problems in the file")
  }
}

/// A molecule that was deleted from the library.
struct DeletedMolecule: Model {
  let molecule: MoleculeSummary

  static let typeName = MoleculeValueType.deletion
  static let fields = Fields<DeletedMolecule> {
    Field("id", \.molecule.id, "Former number in the library")
    Field("code", \.molecule.code, "Entry code")
    Field("title", \.molecule.displayTitle, "Title; without one, the first compound, the code or the file name")
    Field("file", \.molecule.file, "Name of the removed original file")
  }
}
