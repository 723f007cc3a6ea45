/// A labeled text about a molecule, in one of the groups of the detail screen.
struct MetadataEntry: Equatable, Sendable {
  /// The groups, in screen order; the library stores their raw values.
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

  /// Returns the entries of the detail screen, group by group; data missing in the file is omitted.
  static func entries(of molecule: Molecule) -> [MetadataEntry] {
    let metadata = molecule.structure.metadata
    let (counts, citation) = (molecule.counts, metadata.citation)
    let description = [
      ("Title", metadata.title), ("Code", metadata.entryID), ("Classification", metadata.classification),
      ("Method", metadata.method), ("Resolution", metadata.resolution.map { "\($0) Å" } ?? ""),
      ("Deposited", metadata.depositionDate), ("Keywords", metadata.keywords),
    ]
    let numbers = [
      ("Number of atoms", counts.atoms), ("Number of bonds", counts.bonds), ("Number of residues", counts.residues),
      ("Number of chains", counts.chains), ("Number of structures", counts.models),
    ]
    let journal = [
      ("Title", citation.title), ("Author(s)", citation.authors.joined(separator: ", ")),
      ("Reference", citation.reference), ("DOI", citation.doi), ("PubMed", citation.pubMed),
    ]
    let sequences = ChainSequence.all(of: molecule.structure).map { ("Chain \($0.chain)", $0.letters) }
    var all = entries(.description, description + dataItems(molecule))
    all += entries(.statistics, [("File name", molecule.file)] + numbers.map { ($0.0, "\($0.1)") })
    all += entries(.journal, journal)
    all += sources(metadata.compounds)
    all += entries(.authors, [("", metadata.authors.joined(separator: ", "))])
    all += entries(.sequence, sequences)
    return all.filter { !$0.text.isEmpty }
  }

  private static func entries(_ group: Group, _ lines: [(String, String)]) -> [MetadataEntry] {
    lines.map { MetadataEntry(group: group, label: $0.0, text: $0.1) }
  }

  /// Returns the data items of the first record of a small-molecule file; other formats' tokens belong to sources.
  private static func dataItems(_ molecule: Molecule) -> [(String, String)] {
    guard ["SDF", "XYZ"].contains(molecule.format), let first = molecule.structure.metadata.compounds.first else {
      return []
    }
    return first.details.map { ($0.token, $0.value) }
  }

  /// Returns the sources of compounds; compounds of the same source share a line.
  private static func sources(_ compounds: [Compound]) -> [MetadataEntry] {
    var entries: [MetadataEntry] = []
    for compound in compounds {
      let (label, text) = (compound.name, compound.sourceText)
      if let known = entries.firstIndex(where: { $0.text == text }) {
        if entries[known].label != label, !label.isEmpty { entries[known].label += "; " + label }
      } else {
        entries.append(MetadataEntry(group: .source, label: label, text: text))
      }
    }
    return entries
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
