import PluginAPI

/// The command that searches many structures for residues in a given arrangement.
enum ScanCommand {
  static let command = CommandPart(
    CommandDescription(
      "scan", "Search structures for residues or geometric motifs",
      output: .init(.list(MotifSite.schema), typeName: MoleculeValueType.motifSites, isStream: true)
    ).taking(
      molecules, select, site, distance, like, tolerance, limit, MoleculeInputs.model, SelectionOptions.set
    ).explained(
      """
      Each '--site' is a residue with a selected atom, and each site of a match is another residue. The distance \
      between two sites is that of their nearest selected atoms. The distances must connect all sites. Residues that \
      match in several ways are listed once, with the best fit. For alternate locations, the most occupied \
      conformer is used.

      '--like' takes the sites from an example: residues with the same names, and the same distances between all \
      selected atoms except hydrogens, within '--tolerance'. Equivalent atoms, such as OD1 and OD2 of ASP, may be \
      exchanged.

      The result has a row for each site of a match. If some files cannot be read, the others are searched, and the exit \
      status reports the failure. 'workbench batch' searches archives on all cores.
      """,
      examples: [
        .init("scan *.cif.gz --select 'resn HEM'", "The heme groups of each file"),
        .init(
          "scan *.pdb --site 's=resn SER and name OG' --site 'h=resn HIS and name ND1+NE2' "
            + "--site 'd=resn ASP and name OD1+OD2' --distance s-h=2.8±0.6 --distance h-d=2.8±0.6 --csv",
          "Catalytic triads, as CSV"),
        .init(
          "scan *.pdb --like '1a4w.pdb:chain H and resi 57+102+195 and sidechain' --tolerance 0.8",
          "Residues arranged as in an example"),
      ]
    ).findable(by: ["motif", "geometry", "active site", "catalytic triad"]), scan)

  private static let molecules = Argument(
    "molecule", list: String.self, kind: .document(extensions: MoleculeFileTypes.extensions),
    "File; or number, entry code or beginning of the title of a molecule in the library", isRequired: true
  ).completedByLibrary()
  private static let select = SelectionOptions.select.summarized(
    "List the residues with an atom in this selection, such as 'resn HEM'")
  private static let site = Option(
    "site", list: String.self, "Site as NAME=SELECTION, such as 's=resn SER and name OG'")
  private static let distance = Option(
    "distance", list: String.self, "Distance between two sites in angstrom, such as s-h=2.8±0.6; '+-' means '±'")
  private static let like = Option(
    "like", String.self, "Example as MOLECULE:SELECTION, such as '1a4w.pdb:resi 57+102+195'")
  private static let tolerance = Option(
    "tolerance", in: 0...100, "Largest deviation from distances without their own", unit: "angstrom", default: 1.0)
  private static let limit = Option(
    "limit", Int.self, kind: .integer(minimum: 1, maximum: .max), "Maximum number of matches to list; all by default")

  @Sendable private static func scan(_ call: CommandCall) async throws {
    let library = try MoleculeLibrary(call)
    let motif = try await motif(call, library)
    let words = call[molecules]
    let limit = call[limit] ?? .max
    var (failures, count) = (FileFailures(among: words.count), 0)
    for word in words {
      try Task.checkCancellation()
      do {
        let matches = try await matches(of: motif, in: word, model: call[MoleculeInputs.model], limit - count, library)
        if let last = matches.last {
          count += last.match
          try await call.emit(matches.fieldValue.typed(MoleculeValueType.motifSites))
        }
      } catch let error as ErrorReport {
        try failures.add(word, error, call)
      }
      if count == limit {
        call.warn(
          Diagnostic(
            .note, code: "molecules.scan-limit", "the search ended at the limit of \(limit); there may be more matches",
            advice: "give a larger '--limit'"))
        break
      }
    }
    // An empty list, not nothing: the result of a batch item without matches.
    if count == 0 { try await call.emit(.list([]).typed(MoleculeValueType.motifSites)) }
    try failures.check("searched", count: count)
  }

  /// Returns the sites of the matches in a molecule, found on a separate thread.
  private static func matches(
    of motif: Motif, in word: String, model: Int, _ limit: Int, _ library: MoleculeLibrary
  ) async throws -> [MotifSite] {
    let molecule = try await library.molecule(word, bonds: .needed)
    try MoleculeInputs.check(model, in: molecule)
    return try await library.computed("searching \(word)") { progress in
      let structure = molecule.structure
      var search = MotifSearch(motif, in: structure, model: model)
      let matches = search.matches(limit: limit) { progress.isCancelled }
      try progress.checkCancellation()
      return MotifSite.all(matches, of: motif, in: structure, model: model, file: word)
    }
  }

  // MARK: Queries

  private static func motif(_ call: CommandCall, _ library: MoleculeLibrary) async throws -> Motif {
    let queries = [call[select] != nil, !call[site].isEmpty, call[like] != nil].count { $0 }
    guard queries == 1, !call[site].isEmpty || call[distance].isEmpty else {
      throw MoleculeError.motif(
        queries == 0 ? "the query is missing" : "the query is ambiguous",
        advice: "give '--select', or '--site' with '--distance', or '--like'")
    }
    if let selection = try SelectionOptions.selection(call) { return Motif(selection) }
    let sets = try SelectionOptions.sets(call)
    if let example = call[like] { return try await motif(like: example, call[tolerance], sets, library) }
    do throws(MotifError) {
      return try Motif(sites: call[site], distances: call[distance], tolerance: call[tolerance], sets: sets)
    } catch {
      throw MoleculeError.motif(error)
    }
  }

  private static func motif(
    like text: String, _ tolerance: Double, _ sets: SelectionSets, _ library: MoleculeLibrary
  ) async throws -> Motif {
    guard let split = text.firstIndex(of: ":") else {
      throw MoleculeError.motif(
        "the example '\(text)' has no ':' before its selection",
        advice: "write an example such as '1a4w.pdb:resi 57+102+195'")
    }
    let selection = try SelectionOptions.selection(String(text[text.index(after: split)...]), sets)
    let structure = try await library.molecule(String(text[..<split]), bonds: .needed).structure
    return try await library.computed("reading the example") { _ in
      do throws(MotifError) {
        return try Motif(example: structure, selection, tolerance: tolerance)
      } catch {
        throw MoleculeError.motif(error)
      }
    }
  }
}
