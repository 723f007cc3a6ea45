import PluginAPI

/// Numbers to show on the picture of a network, with their warning.
struct LaidNumbers: Sendable {
  var overlay: GraphOverlay
  /// A warning about numbers that are not in the network.
  var warning: Diagnostic?

  /// Returns the numbers of a file.
  ///
  /// - Throws: The errors of reading the file.
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

  /// Returns the optimal fluxes of a model with the smallest total flux.
  ///
  /// - Throws: `PathwayError` for a network without flux bounds, and for a model without an optimum.
  static func bestFluxes(of network: OpenedNetwork) throws -> LaidNumbers {
    let model = try network.model()
    let problem = FluxProblem(model)
    let solution = try FluxAnalysis.leastTotal(problem)
    if solution.status != .optimal { throw PathwayError.noOptimum(solution.status, problem, model) }
    var overlay = GraphOverlay(fluxes: solution, of: model)
    // The legend truncates titles: the status comes first.
    overlay.title = "optimal fluxes of \(network.title)"
    return LaidNumbers(overlay: overlay, warning: problem.hasEmptyObjective ? FluxCommands.emptyObjective : nil)
  }
}
