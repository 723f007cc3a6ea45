/// A file format of networks, their maps or their data.
enum NetworkFormat: String, Sendable, CaseIterable {
  case sbml, escher, cobra, kgml, sbgn, gpml, biopax
  /// Documents of a PathCase server.
  case contract
  /// A network with observations for steady-state analysis.
  case scenario
  /// A number for each reaction or metabolite, to show on a map.
  case overlay
  /// A graph with its positions, as written by `export --format json`.
  case graph

  /// The display name of the format.
  var title: String {
    switch self {
    case .sbml: "SBML"
    case .escher: "Escher map"
    case .cobra: "COBRA JSON"
    case .kgml: "KGML"
    case .sbgn: "SBGN-ML"
    case .gpml: "GPML"
    case .biopax: "BioPAX"
    case .contract: "PathCase XML"
    case .scenario: "scenario network"
    case .overlay: "data for a map"
    case .graph: "PathCase JSON"
    }
  }

  /// A Boolean value indicating whether the format holds drawn maps.
  var isMap: Bool {
    switch self {
    case .escher, .kgml, .sbgn, .gpml, .biopax, .graph: true
    case .sbml, .cobra, .contract, .scenario, .overlay: false
    }
  }
}
