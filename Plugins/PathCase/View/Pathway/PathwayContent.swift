/// What the content area of a pathway's screen can show.
enum PathwayContent: String, Sendable, CaseIterable {
  case graph, scenarios, processes, metabolites, compartments, observations

  /// What the toolbar calls it.
  var title: String { rawValue.prefix(1).uppercased() + rawValue.dropFirst() }

  /// What the toolbar calls it where there is little room.
  var shortTitle: String {
    switch self {
    case .graph: "Graph"
    case .scenarios: "Scen."
    case .processes: "Proc."
    case .metabolites: "Metab."
    case .compartments: "Comp."
    case .observations: "Obs."
    }
  }

  /// The key that shows it.
  var key: String { "\((Self.allCases.firstIndex(of: self) ?? 0) + 1)" }
}
