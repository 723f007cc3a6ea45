import PluginAPI

/// A site of a match of a motif: a row of the results of `scan`.
struct MotifSite: Model {
  /// The file or molecule as the user named it.
  let file: String
  /// The model's number, counted from 1.
  let model: Int
  /// The match's number in the file, counted from 1.
  let match: Int
  /// The name of the site.
  let site: String
  let residue: ResidueAddress
  let atoms: [String]
  let alternates: [String]
  /// The distances to the sites before it in Å.
  let distances: [Double]
  /// The root-mean-square deviation of the match from the example in Å; nil without an example.
  let rmsd: Double?

  static let typeName = "molecules.motif-site"
  static let fields = Fields<MotifSite> {
    Field("file", \.file, "File or molecule as named in the call", heading: "File")
    Field("model", \.model, "Model, counted from 1", heading: "Model")
    Field("match", \.match, "Number of the match in the file, from 1", heading: "Match")
    Field("site", \.site, "Name of the site; empty for a selection", heading: "Site")
    Field("chain", \.residue.chain, "Author name of the chain", heading: "Chain")
    Field("residue", \.residue.name, "Residue name", heading: "Residue")
    Field("number", \.number, "Author residue number", heading: "Number")
    Field("insertionCode", \.residue.insertionCode.mark, "Insertion code", heading: "Ins")
    Field(
      "atoms", \.atomNames, "Names of the atoms that the distances are measured from",
      heading: "Atoms")
    Field("alternate", \.alternate, "Alternate location of these atoms", heading: "Alt")
    Field(
      "distances", \.distances, as: { $0.map(ReportedDigits.length.rounded) },
      "Distances to the sites before it in the match, in their order, in angstrom", heading: "Distances")
    Field(
      "rmsd", optional: \.rmsd, .length, "Root-mean-square deviation from the example in angstrom; null without one",
      heading: "RMSD", unit: "angstrom")
  }

  /// The author residue number.
  var number: Int { Int(residue.number) }
  /// The names of the atoms, joined by '+'.
  var atomNames: String { atoms.joined(separator: "+") }
  /// The alternate locations, joined by '+'; empty without one.
  var alternate: String { alternates.joined(separator: "+") }

  /// Returns the sites of matches in one model of a structure, match by match.
  static func all(
    _ matches: [MotifSearch.Match], of motif: Motif, in structure: Structure, model: Int, file: String
  ) -> [MotifSite] {
    matches.enumerated().flatMap { number, match in
      motif.sites.indices.map { site in
        let atoms = match.atoms[site]
        return MotifSite(
          file: file, model: model + 1, match: number + 1, site: motif.sites[site].name,
          residue: structure.address(ofResidue: match.residues[site]), atoms: atoms.map(structure.atomName),
          alternates: Set(atoms.map { structure.atoms.altloc[$0].mark }).subtracting([""]).sorted(),
          distances: match.distances[site], rmsd: match.rmsd)
      }
    }
  }
}
