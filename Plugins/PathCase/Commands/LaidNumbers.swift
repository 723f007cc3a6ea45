import PluginAPI

/// Numbers to be laid over the picture of a network, with what is to be said of them.
struct LaidNumbers: Sendable {
  var overlay: GraphOverlay
  /// What the network does not have of them.
  var warning: Diagnostic?

  /// Those of a file.
  ///
  /// - Throws: What reading the file throws.
  static func file(_ path: String, over graph: ReactionGraph, title: String) throws -> LaidNumbers {
    let data = try OverlayReader.read(try NetworkFile.bytes(path))
    let (overlay, missing) = GraphOverlay.laying(data, over: graph, title: title)
    let warning = missing.first.map { first in
      Diagnostic(
        .warning, code: "pathcase.overlay-missing",
        "\(missing.count) of \(data.entries.count) numbers name what the network does not have, such as '\(first)'")
    }
    return LaidNumbers(overlay: overlay, warning: warning)
  }

  /// The best fluxes of a model, with the least total.
  ///
  /// - Throws: `PathwayError` for a network without limits of fluxes, and for a model without a best solution.
  static func bestFluxes(of network: OpenedNetwork) throws -> LaidNumbers {
    let model = try network.model()
    let problem = FluxProblem(model)
    let solution = try FluxAnalysis.leastTotal(problem)
    if solution.status != .optimal { throw PathwayError.noOptimum(solution.status, problem, model) }
    var overlay = GraphOverlay(fluxes: solution, of: model)
    // The legend cuts titles: the status comes first.
    overlay.title = "optimal fluxes of \(network.title)"
    return LaidNumbers(overlay: overlay, warning: problem.hasEmptyObjective ? FluxCommands.emptyObjective : nil)
  }
}
