import PluginAPI

/// The elementary modes of a network.
struct ModesReport: Model {
  var problem: ModeProblem
  var found: ElementaryModes

  static let typeName = PathCaseValueType.modes
  static let fields = Fields<Self> {
    Field("status", \.status, "Status: always complete, there are no other modes")
    Field("count", \.found.modes.count, "Number of modes")
    Field("reactions", \.problem.ids.count, "Number of reactions of the network")
    Field("compressed", \.found.compressedCount, "Number of reactions after merging those that run together")
    Field("modes", \.modes, "Modes, short ones first")
    Field("unused", \.unused, "Reactions in no mode: they have no flux in any steady state")
  }

  var status: String { "complete" }
  var modes: ModelTable<Mode> {
    ModelTable(rows: found.modes.enumerated().map { Mode($0.offset + 1, $0.element, problem) })
  }
  var unused: [String] { found.unused(of: problem).map { problem.ids[$0].text } }

  /// An elementary mode with its fluxes.
  struct Mode: Model {
    var number: Int
    var fluxes: NamedValues<Int>
    var reactions: Int
    var isReversible: Bool

    static let typeName = "pathcase.mode"
    static let fields = Fields<Self> {
      Field("mode", \.number, "Number of the mode, from 1", heading: "Mode")
      Field("reactions", \.reactions, "Number of its reactions", heading: "Reactions")
      Field("fluxes", \.fluxes, "Smallest whole balanced fluxes; negative for backward", heading: "Fluxes")
      Field("isReversible", \.isReversible, "True if it runs both ways; it is then listed once", heading: "Reversible")
    }

    init(_ number: Int, _ mode: ElementaryMode, _ problem: ModeProblem) {
      self.number = number
      fluxes = NamedValues(mode.fluxes.lazy.map { (problem.ids[$0.index].text, $0.amount) })
      reactions = mode.fluxes.count
      isReversible = mode.isReversible
    }
  }
}
