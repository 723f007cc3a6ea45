/// A labeled text about a molecule, in one of the groups of the detail screen.
struct MetadataEntry: Equatable, Sendable {
  /// The groups, in the order of the screen; the library keeps the raw values.
  enum Group: Int, CaseIterable, Sendable {
    case description = 0
    case statistics = 1
    case journal = 2
    case source = 3
    case authors = 4
    case sequence = 5

    /// The heading.
    var title: String {
      switch self {
      case .description: "Description"
      case .statistics: "Statistics"
      case .journal: "Journal"
      case .source: "Source"
      case .authors: "Author(s)"
      case .sequence: "Sequence"
      }
    }
  }

  var group: Group
  /// The label; empty if the group's heading suffices.
  var label: String
  /// The text; a sequence has line feeds.
  var text: String

  /// Returns everything the detail screen shows of a molecule, group by group; data missing in the file is omitted.
  static func entries(of molecule: Molecule) -> [MetadataEntry] {
    let all =
      description(molecule) + statistics(molecule) + journal(molecule) + source(molecule)
      + authors(molecule) + sequences(molecule)
    return all.filter { !$0.text.isEmpty }
  }

  private static func description(_ molecule: Molecule) -> [MetadataEntry] {
    let metadata = molecule.structure.metadata
    return [
      MetadataEntry(group: .description, label: "Title", text: metadata.title),
      MetadataEntry(group: .description, label: "Code", text: metadata.entryID),
      MetadataEntry(group: .description, label: "Classification", text: metadata.classification),
      MetadataEntry(group: .description, label: "Method", text: metadata.method),
      MetadataEntry(
        group: .description, label: "Resolution", text: metadata.resolution.map { "\($0) Å" } ?? ""),
      MetadataEntry(group: .description, label: "Deposited", text: metadata.depositionDate),
      MetadataEntry(group: .description, label: "Keywords", text: metadata.keywords),
    ] + dataItems(molecule)
  }

  /// Returns the data items of the first record of a small-molecule file; other formats' tokens belong to sources.
  private static func dataItems(_ molecule: Molecule) -> [MetadataEntry] {
    guard ["SDF", "XYZ"].contains(molecule.format), let first = molecule.structure.metadata.compounds.first else {
      return []
    }
    return first.details.map { MetadataEntry(group: .description, label: $0.token, text: $0.value) }
  }

  private static func statistics(_ molecule: Molecule) -> [MetadataEntry] {
    let counts = molecule.counts
    let numbers = [
      ("Number of atoms", counts.atoms), ("Number of bonds", counts.bonds), ("Number of residues", counts.residues),
      ("Number of chains", counts.chains), ("Number of structures", counts.models),
    ]
    return [MetadataEntry(group: .statistics, label: "File name", text: molecule.file)]
      + numbers.map { MetadataEntry(group: .statistics, label: $0.0, text: "\($0.1)") }
  }

  private static func journal(_ molecule: Molecule) -> [MetadataEntry] {
    let citation = molecule.structure.metadata.citation
    return [
      MetadataEntry(group: .journal, label: "Title", text: citation.title),
      MetadataEntry(group: .journal, label: "Author(s)", text: citation.authors.joined(separator: ", ")),
      MetadataEntry(group: .journal, label: "Reference", text: citation.reference),
      MetadataEntry(group: .journal, label: "DOI", text: citation.doi),
      MetadataEntry(group: .journal, label: "PubMed", text: citation.pubMed),
    ]
  }

  private static func source(_ molecule: Molecule) -> [MetadataEntry] {
    var entries: [MetadataEntry] = []
    for compound in molecule.structure.metadata.compounds {
      let entry = MetadataEntry(group: .source, label: compound.name, text: compound.sourceText)
      if let known = entries.firstIndex(where: { $0.text == entry.text }) {
        // Entities of the same source share a line.
        if entries[known].label != entry.label, !entry.label.isEmpty { entries[known].label += "; " + entry.label }
      } else {
        entries.append(entry)
      }
    }
    return entries
  }

  private static func authors(_ molecule: Molecule) -> [MetadataEntry] {
    [
      MetadataEntry(
        group: .authors, label: "", text: molecule.structure.metadata.authors.joined(separator: ", "))
    ]
  }

  private static func sequences(_ molecule: Molecule) -> [MetadataEntry] {
    ChainSequence.all(of: molecule.structure).map { sequence in
      MetadataEntry(group: .sequence, label: "Chain \(sequence.chain)", text: sequence.letters)
    }
  }
}

extension Compound {
  /// The source in one line: the organism and the other tokens of SOURCE.
  var sourceText: String {
    let tokens = ["ORGANISM_COMMON", "GENE", "EXPRESSION_SYSTEM", "TISSUE", "ORGAN", "STRAIN", "OTHER_DETAILS"]
    let others = tokens.compactMap { detail($0) }
    let isSynthetic = detail("SYNTHETIC").map { $0.uppercased() != "NO" } ?? false
    return ([organism, isSynthetic ? "SYNTHETIC" : ""] + others).joinedOnce
  }

  /// Returns the value of a token; nil if there is none.
  private func detail(_ token: String) -> String? {
    sourceDetails.first { $0.token.uppercased() == token && !$0.value.isEmpty }?.value
  }
}

extension [String] {
  /// The texts that are not empty, each once, joined by '; '.
  var joinedOnce: String {
    enumerated().filter { !$0.element.isEmpty && !self[..<$0.offset].contains($0.element) }.map(\.element)
      .joined(separator: "; ")
  }
}
