/// Makes the parts of a structure besides its atoms of the kept categories, whether their file was text or binary.
enum CIFContent {
  /// Fills metadata, sequences, annotations, assemblies and kinds of residues.
  ///
  /// - Parameters:
  ///   - structure: Has its atoms and residues already.
  ///   - tables: The kept categories by name.
  ///   - text: The file that the tables are of; nil if that is binary.
  ///   - polymerResidues: Whether each residue is part of a polymer, where the file says so.
  ///   - log: Takes what is wrong.
  static func fill(
    _ structure: inout Structure, tables: [String: CIFTable], text: UnsafeBufferPointer<UInt8>?,
    polymerResidues: [Bool]?, log: inout DiagnosticLog
  ) {
    CIFMetadata(tables: tables, file: text).fill(&structure, log: &log)
    CIFAnnotations(tables: tables).fill(&structure)
    structure.assemblies = CIFAssemblies(tables: tables, file: text).assemblies(log: &log)
    structure.ncsOperators = CIFAssemblies(tables: tables, file: text).ncsOperators()
    structure.metadata.depositedFrame = CIFAssemblies(tables: tables, file: text).depositedFrame()
    ResidueKinds.assign(to: &structure, polymerResidues: polymerResidues)
    structure.diagnostics = log.finished()
  }

  /// The place of an item in a file of lines; the whole file where it is binary or has no such item.
  ///
  /// - Complexity: linear in the position.
  static func place(of position: Int?, in file: UnsafeBufferPointer<UInt8>?) -> FilePlace {
    guard let position, let file else { return .whole }
    return FilePlace(of: position, in: file)
  }
}
