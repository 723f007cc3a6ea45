/// The contents that the content area of a pathway's screen can show.
enum PathwayContent: String, Sendable, CaseIterable {
  case graph, scenarios, processes, metabolites, compartments, ranges

  /// The title in the toolbar.
  var title: String { name.prefix(1).uppercased() + name.dropFirst() }

  /// The name in the help.
  var name: String {
    switch self {
    case .graph: "graph"
    case .scenarios, .processes, .metabolites, .compartments: rawValue
    case .ranges: "reference ranges"
    }
  }

  /// The title in a narrow toolbar.
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

  /// The text shown instead of a table without rows.
  var emptyText: String {
    self == .ranges ? "the database has no reference ranges for these metabolites" : "there are none"
  }

  /// The key that selects it.
  var key: String { "\((Self.allCases.firstIndex(of: self) ?? 0) + 1)" }
}
