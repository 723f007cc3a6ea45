/// Makes the parts of a structure besides its atoms of the kept categories, whether their file was text or binary.
enum CIFContent {
  /// Fills metadata, sequences, annotations, assemblies and kinds of residues.
  ///
  /// - Parameters:
  ///   - structure: Has its atoms and residues already.
  ///   - tables: The kept categories by name.
  ///   - polymerResidues: Whether each residue is part of a polymer, where the file says so.
  ///   - log: Takes what is wrong.
  static func fill(
    _ structure: inout Structure, tables: [String: CIFTable], polymerResidues: [Bool]?, log: inout DiagnosticLog
  ) {
    CIFMetadata(tables: tables).fill(&structure, log: &log)
    CIFAnnotations(tables: tables).fill(&structure)
    structure.assemblies = CIFAssemblies(tables: tables).assemblies(log: &log)
    structure.ncsOperators = CIFAssemblies(tables: tables).ncsOperators()
    ResidueKinds.assign(to: &structure, polymerResidues: polymerResidues)
    structure.diagnostics = log.finished()
  }
}
