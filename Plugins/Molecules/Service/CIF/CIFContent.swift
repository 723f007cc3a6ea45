/// Builds the parts of a structure other than atoms from the stored categories of a text or binary file.
enum CIFContent {
  /// Fills in metadata, sequences, annotations, assemblies and kinds of residues.
  ///
  /// - Parameters:
  ///   - structure: The structure with its atoms and residues.
  ///   - tables: The stored categories by name.
  ///   - text: The file of the tables; nil if it is binary.
  ///   - polymerResidues: For each residue true if it is part of a polymer; nil if the file does not state it.
  ///   - log: The log of problems.
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

  /// Returns the position of an item in a text file; the whole file if it is binary or has no such item.
  ///
  /// - Complexity: linear in the offset.
  static func place(of position: Int?, in file: UnsafeBufferPointer<UInt8>?) -> FilePlace {
    guard let position, let file else { return .whole }
    return FilePlace(of: position, in: file)
  }
}
