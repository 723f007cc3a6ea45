/// The services a search can ask, as people know them.
enum DownloadSource: String, CaseIterable, Sendable {
  case rcsb, pubchem, soap

  /// What people read.
  var title: String {
    switch self {
    case .rcsb: "Protein Data Bank"
    case .pubchem: "PubChem"
    case .soap: "Protein Data Bank of 2008"
    }
  }

  /// The one after this, around the end.
  var next: DownloadSource {
    let all = Self.allCases
    return all[((all.firstIndex(of: self) ?? 0) + 1) % all.count]
  }
}
