/// The words of the selection language.
enum SelectionWord: Equatable, Sendable {
  case all, none
  case and, or, not
  case of, same, sameAs
  case containedIn, like, first, last, neighbor, boundTo, extend, sequence
  case within, beyond, around, expand, nearTo
  case secondaryStructure
  case member(SelectionClass)
  case text(SelectionTextProperty)
  case number(SelectionNumberProperty)
  case whole(SelectionUnit)

  /// Creates the keyword of a text in any case, or nil.
  init?(_ text: String) {
    guard let word = Self.table[text.lowercased()] else { return nil }
    self = word
  }

  /// All spellings, with the preferred suggestions first.
  static let spellings = rows.flatMap(\.spellings)

  private static let table = Dictionary(
    rows.flatMap { row in row.spellings.map { ($0, row.word) } }, uniquingKeysWith: { first, _ in first })

  private struct Row {
    var word: SelectionWord
    var spellings: [String]

    init(_ word: SelectionWord, _ spellings: String) {
      self.word = word
      self.spellings = spellings.split(separator: " ").map(String.init)
    }
  }

  private static let rows = logic + properties + classes

  private static let logic = [
    Row(.all, "all *"), Row(.none, "none"), Row(.and, "and"), Row(.or, "or"), Row(.not, "not"), Row(.of, "of"),
    Row(.same, "same"), Row(.sameAs, "as"), Row(.within, "within w."), Row(.beyond, "beyond be."),
    Row(.around, "around a."), Row(.expand, "expand x."), Row(.nearTo, "near_to nto."),
    Row(.whole(.residue), "byres byresi byresidue br."), Row(.whole(.chain), "bychain bc."),
    Row(.whole(.model), "bymodel"), Row(.whole(.molecule), "bymolecule bymol bm."), Row(.containedIn, "in"),
    Row(.like, "like l."), Row(.first, "first"), Row(.last, "last"), Row(.neighbor, "neighbor nbr."),
    Row(.boundTo, "bound_to bto."), Row(.extend, "extend xt."),
  ]

  private static let properties = [
    Row(.text(.chain), "chain c."), Row(.number(.residueNumber), "resi residue resid i."),
    Row(.text(.residueName), "resn resname r."), Row(.text(.name), "name n."),
    Row(.text(.element), "element elem symbol e."), Row(.text(.alternate), "altloc alt"),
    Row(.number(.model), "model state"), Row(.number(.bFactor), "b bfactor plddt"),
    Row(.number(.occupancy), "occ occupancy q"), Row(.number(.charge), "charge formal_charge fc."),
    Row(.number(.serial), "serial id"), Row(.number(.index), "index idx."), Row(.number(.x), "x"),
    Row(.number(.y), "y"), Row(.number(.z), "z"), Row(.secondaryStructure, "ss"),
    Row(.text(.segment), "segi segid segment s."), Row(.sequence, "pepseq ps."),
  ]

  private static let classes = [
    Row(.member(.polymer), "polymer pol."), Row(.member(.protein), "protein polymer.protein"),
    Row(.member(.nucleic), "nucleic polymer.nucleic"), Row(.member(.dna), "dna"), Row(.member(.rna), "rna"),
    Row(.member(.ligand), "ligand ligands"), Row(.member(.organic), "organic org."),
    Row(.member(.water), "water waters solvent sol."), Row(.member(.backbone), "backbone bb."),
    Row(.member(.sidechain), "sidechain sidechains sc."), Row(.member(.hydrogen), "hydrogen hydrogens hydro h."),
    Row(.member(.metal), "metal metals"), Row(.member(.hetero), "hetero hetatm het"),
    Row(.member(.helix), "helix helices"), Row(.member(.sheet), "sheet sheets strand"),
    Row(.member(.loop), "loop loops"), Row(.member(.inorganic), "inorganic ino."), Row(.member(.guide), "guide"),
    Row(.member(.donors), "donors don."), Row(.member(.acceptors), "acceptors acc."),
  ]
}
