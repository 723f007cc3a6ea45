/// What the content area of a pathway's screen can show.
enum PathwayContent: String, Sendable, CaseIterable {
  case graph, scenarios, processes, metabolites, compartments, ranges

  /// What the toolbar calls it.
  var title: String { name.prefix(1).uppercased() + name.dropFirst() }

  /// What help calls it.
  var name: String {
    switch self {
    case .graph: "graph"
    case .scenarios, .processes, .metabolites, .compartments: rawValue
    case .ranges: "reference ranges"
    }
  }

  /// What the toolbar calls it where there is little room.
  var shortTitle: String {
    switch self {
    case .graph: "Graph"
    case .scenarios: "Scen."
    case .processes: "Proc."
    case .metabolites: "Metab."
    case .compartments: "Comp."
    case .ranges: "Ranges"
    }
  }

  /// The text in place of a table without rows.
  var emptyText: String {
    self == .ranges ? "the database has no reference ranges for these metabolites" : "there are none"
  }

  /// The key that shows it.
  var key: String { "\((Self.allCases.firstIndex(of: self) ?? 0) + 1)" }
}
