/// A molecular structure: the contents of a coordinate file, as columns, without reference to the file.
///
/// The hierarchy is by index. `models[m]` names contiguous ranges of `chains`, `residues` and `atoms`;
/// `residues[r].atoms` is a contiguous range of `atoms`; `residues[r].chain` and `atoms.residue[a]` are the reverse
/// references. A chain may consist of several runs of residues (polymer first, its ligands and waters later in the
/// file): `chains[c].residueRuns`. Atoms and residues are in file order; models may differ in their atoms. Nothing is
/// keyed by atom name: one residue may have a name twice. All indices are 0-based and count over the whole structure,
/// not within a model.
struct Structure: Equatable, Sendable {
  /// Texts of all atom and residue names, each once.
  var names = NameTable()
  /// The atoms of all models, column by column.
  var atoms = AtomTable()
  /// The residues of all models in file order.
  var residues: [Residue] = []
  /// The chains of all models, one per author name and model, in order of first appearance.
  var chains: [Chain] = []
  /// The models in file order; never empty after reading.
  var models: [StructureModel] = []
  /// Title, compounds, citation, cell and the other header data.
  var metadata = StructureMetadata()
  /// Full sequences as deposited (SEQRES, _entity_poly_seq), residues without coordinates included.
  var sequences: [PolymerSequence] = []
  var helices: [Helix] = []
  var sheets: [Sheet] = []
  /// Stated links between residues (SSBOND, LINK, _struct_conn).
  var connections: [Connection] = []
  /// Stated bonds between atoms (CONECT, SDF), atom indices, each pair once, by ascending first atom.
  ///
  /// Those of the first model apply to all models of the same atoms that have none of their own.
  var statedBonds: [StatedBond] = []
  /// A Boolean value indicating whether the stated bonds are complete, so that none is inferred by distance.
  var statesAllBonds = false
  /// Bonds of the file's own residue dictionary (_chem_comp_bond).
  var componentBonds: [ComponentBond] = []
  /// Biological assemblies and how to build them.
  var assemblies: [Assembly] = []
  /// Non-crystallographic operators as stated (MTRIX, _struct_ncs_oper), the identity included.
  var ncsOperators: [NCSOperator] = []
  /// Stated cis peptide bonds (CISPEP, _struct_mon_prot_cis).
  var cisPeptides: [CisPeptide] = []
  /// Stated modified residues (MODRES, _pdbx_struct_mod_residue).
  var modifiedResidues: [ModifiedResidue] = []
  /// The runs of residues with one label name (_atom_site.label_asym_id) or segment (PDB columns 73-76), ascending.
  var labelRuns: [LabelRun] = []
  /// Problems of the file and how they were handled.
  var diagnostics: [StructureDiagnostic] = []

  /// The non-crystallographic operators whose copies are not in the file, without the identity.
  var pendingNCSTransforms: [Transform] {
    ncsOperators.filter { !$0.isGiven && $0.transform != .identity }.map(\.transform)
  }

  /// Returns the name of an atom without padding, as in `CA`.
  func atomName(_ atom: Int) -> String { names[atoms.name[atom]] }

  /// Returns the name of a residue, as in `ALA`.
  func residueName(_ residue: Int) -> String { names[residues[residue].name] }

  /// Returns the author name of a residue's chain; may be empty.
  func chainName(ofResidue residue: Int) -> String { chains[Int(residues[residue].chain)].name }

  /// Returns the identity of a residue as written by users.
  func address(ofResidue residue: Int) -> ResidueAddress {
    let row = residues[residue]
    return ResidueAddress(
      chain: chains[Int(row.chain)].name, number: row.number, insertionCode: row.insertionCode, name: names[row.name])
  }

  /// Returns the atoms of consecutive residues; none for an empty range.
  func atoms(ofResidues residues: Range<Int>) -> Range<Int> {
    guard let first = residues.first, let last = residues.last else { return 0..<0 }
    return Int(self.residues[first].firstAtom)..<Int(self.residues[last].endAtom)
  }

  /// Returns the residues of a run of labels.
  func residues(ofLabelRun run: Int) -> Range<Int> {
    let end = run + 1 < labelRuns.count ? Int(labelRuns[run + 1].firstResidue) : residues.count
    return Int(labelRuns[run].firstResidue)..<end
  }

  /// Returns the label name or segment of a residue; nil if the file names none.
  ///
  /// - Complexity: logarithmic in the runs of labels.
  func segment(ofResidue residue: Int) -> String? {
    let next = labelRuns.partitioningIndex { Int($0.firstResidue) > residue }
    return next == 0 ? nil : labelRuns[next - 1].label
  }

  /// Returns the index of the residue with this identity within a model, or nil.
  ///
  /// An empty name in the address matches any name.
  /// - Complexity: linear in the residues of the chain.
  func residue(at address: ResidueAddress, model: Int = 0) -> Int? {
    guard models.indices.contains(model) else { return nil }
    for chain in models[model].chains where chains[chain].name.utf8.elementsEqual(address.chain.utf8) {
      for run in chains[chain].residueRuns {
        for index in run {
          let row = residues[index]
          if row.number == address.number, row.insertionCode == address.insertionCode,
            address.name.isEmpty || names[row.name] == address.name
          {
            return index
          }
        }
      }
    }
    return nil
  }

  /// Returns true if a residue is one atom, in any number of alternate locations.
  func isOfOneAtom(_ residue: Residue) -> Bool {
    residue.atoms.allSatisfy { atoms.name[$0] == atoms.name[residue.atoms.lowerBound] }
  }

  /// Returns true if an atom is a virtual site: a charge of a water model without an atom, as MW of TIP4P.
  ///
  /// - Source: names of virtual sites in the force fields of GROMACS (MW, LP1, LP2) and AMBER (EPW, EP1, EP2).
  func isVirtualSite(_ atom: Int) -> Bool {
    guard atoms.element[atom] == .unknown, residues[Int(atoms.residue[atom])].kind == .water else { return false }
    let name = atomName(atom)
    return ["M", "EP", "LP"].contains { name.hasPrefix($0) }
  }

  /// Returns a sentence that explains why the B factors of a model may not be pLDDT; nil if they seem to be.
  ///
  /// The files of predicted structures state a theoretical method, or none and a prediction in the title, as those of
  /// AlphaFold and ESMFold do. Confidences are 0 to 100.
  ///
  /// - Parameter model: Model index, 0-based.
  /// - Source: EXPDTA of the PDB format 3.3; `_exptl.method` of the PDBx/mmCIF dictionary.
  func doubtAboutConfidence(ofModel model: Int) -> String? {
    func has(_ starts: [String], in text: String) -> Bool {
      text.uppercased().split { !$0.isLetter }.contains { word in starts.contains { word.hasPrefix($0) } }
    }
    let (method, title) = (metadata.method, metadata.title)
    if method.isEmpty, !has(["PREDICT"], in: title) {
      return "the B factors may not be pLDDT: the file does not say that the structure is predicted"
    }
    if !method.isEmpty, !has(["MODEL", "PREDICT", "THEORETICAL"], in: method) {
      return "the B factors are not pLDDT: the structure was determined by '\(method)'"
    }
    guard models.indices.contains(model) else { return nil }
    let isOutside = models[model].atoms.contains { !(0...100).contains(atoms.bFactor[$0]) }
    return isOutside ? "some B factors are outside 0 to 100, the range of pLDDT" : nil
  }
}

/// A chain of one model, by its author name.
struct Chain: Equatable, Sendable {
  /// The author name; may be empty and of any length.
  var name: String
  /// The label names of its parts (_atom_site.label_asym_id), or segments of a PDB file, in order of appearance.
  var labels: [String] = []
  /// Runs of consecutive residue indices that belong to it, ascending.
  var residueRuns: [Range<Int>] = []

  /// The number of residues, waters and ligands included.
  var residueCount: Int { residueRuns.reduce(0) { $0 + $1.count } }
}

/// A run of residues of one label name or segment, up to the next run or the last residue; an empty label means none.
struct LabelRun: Equatable, Sendable {
  /// Residue index, 0-based.
  var firstResidue: Int32
  var label: String
}

/// One model: the ranges of chains, residues and atoms that belong to it.
struct StructureModel: Equatable, Sendable {
  /// The model number in the file (1 if there is none); numbers may repeat and need not ascend.
  var number: Int
  var chains: Range<Int>
  var residues: Range<Int>
  var atoms: Range<Int>
}

/// One residue: a monomer of a polymer, a ligand or a water.
struct Residue: Equatable, Sendable {
  /// The role of a residue.
  enum Kind: UInt8, Equatable, Sendable {
    case polymer, water, ligand
  }

  var name: NameID
  /// The author's residue number; may be negative.
  var number: Int32
  /// The insertion code as an ASCII code, 0 if there is none.
  var insertionCode: UInt8
  var kind: Kind
  /// Chain index, 0-based.
  var chain: Int32
  /// First atom index and one past the last.
  var firstAtom: Int32
  var endAtom: Int32

  /// Indices of its atoms, 0-based, in file order.
  var atoms: Range<Int> { Int(firstAtom)..<Int(endAtom) }
}

/// The identity of a residue as written by users and files; residues of one file may share it only in different models.
struct ResidueAddress: Hashable, Sendable {
  /// The author's chain name, of any length, may be empty.
  var chain: String
  var number: Int32
  /// The insertion code as an ASCII code, 0 if there is none.
  var insertionCode: UInt8 = 0
  /// The residue name, empty if it does not matter.
  var name: String = ""

  /// The address of any residue at the same position, for files that disagree about residue names.
  var withoutName: ResidueAddress { ResidueAddress(chain: chain, number: number, insertionCode: insertionCode) }

  /// The number with insertion code, as in `56A`.
  var numberText: String {
    insertionCode == 0 ? "\(number)" : "\(number)\(Character(UnicodeScalar(insertionCode)))"
  }
}
