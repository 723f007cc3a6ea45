extension GraphOverlay {
  /// The smallest flux that counts; solvers leave residues below it.
  static let smallestFlux = 1e-9

  /// Creates an overlay of the fluxes of a model, if there are any.
  ///
  /// Without an optimum nothing is marked, and the title says why.
  init(fluxes solution: FluxSolution, of model: ReactionModel) {
    let name = model.name.isEmpty ? model.id.text : model.name
    self.init(title: "fluxes of \(name): \(solution.status.rawValue)")
    for (reaction, flux) in zip(model.reactions, solution.fluxes) {
      processes[reaction.id] = ProcessMark(flux: flux)
    }
  }

  /// Returns an overlay of a file's numbers on a graph: fluxes on processes, amounts on pools.
  ///
  /// Names refer to the things that nodes represent. A model's `R_` or `M_` prefix may be missing, and `-` may stand
  /// for its `__`, as in maps and their data files.
  /// - Returns: The overlay, and the names that are not in the graph, in the order of the file.
  static func laying(_ data: OverlayData, over graph: ReactionGraph, title: String) -> (GraphOverlay, [Identifier]) {
    var overlay = GraphOverlay(title: title)
    var nodes: [Identifier: [GraphNode]] = [:]
    for node in graph.nodes where node.kind == .pool || node.kind == .process {
      let subject = node.entity ?? node.id
      nodes[subject, default: []].append(node)
      let plain = plainName(subject)
      if plain != subject { nodes[plain, default: []].append(node) }
    }
    var missing: [Identifier] = []
    for entry in data.entries {
      guard let found = nodes[entry.id] ?? nodes[plainName(entry.id)] else {
        missing.append(entry.id)
        continue
      }
      guard let value = entry.value else { continue }
      for node in found {
        let subject = node.entity ?? node.id
        if node.kind == .process {
          overlay.processes[subject] = ProcessMark(flux: value)
        } else {
          overlay.pools[subject] = PoolMark(label: "", value: value, isObserved: true)
        }
      }
    }
    return (overlay, missing)
  }

  /// Returns a name without the prefix of its format, and with one notation for dashes.
  private static func plainName(_ id: Identifier) -> Identifier {
    var bytes = Array(id.text.utf8)
    if bytes.starts(with: "R_".utf8) || bytes.starts(with: "M_".utf8) { bytes.removeFirst(2) }
    var plain: [UInt8] = []
    for byte in bytes { plain += byte == UInt8(ascii: "-") ? Array("__".utf8) : [byte] }
    return Identifier(String(decoding: plain, as: UTF8.self))
  }
}

extension GraphOverlay.ProcessMark {
  /// Creates the mark of a flux and its direction.
  init(flux: Double) {
    let isIdle = abs(flux) < GraphOverlay.smallestFlux
    self.init(state: isIdle ? .idle : flux > 0 ? .forward : .backward, value: flux)
  }
}
