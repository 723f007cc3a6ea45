extension GraphOverlay {
  /// Numbers of a file laid over the processes and pools of a graph that they name.
  ///
  /// Ids are compared as they are, then without the `R_` and `M_` that SBML puts before them.
  init(_ data: OverlayData, over graph: ReactionGraph) {
    self.init(title: "")
    var numbers: [Identifier: Double] = [:]
    for entry in data.entries where entry.value?.isFinite ?? false {
      numbers[entry.id] = entry.value
      let bare = Self.bare(entry.id)
      if numbers[bare] == nil { numbers[bare] = entry.value }
    }
    for node in graph.nodes {
      guard let value = numbers[node.subject] ?? numbers[Self.bare(node.subject)] else { continue }
      switch node.kind {
      case .process: processes[node.subject] = ProcessMark(value: value)
      case .pool: pools[node.subject] = PoolMark(label: "", value: value)
      default: break
      }
    }
  }

  private static func bare(_ id: Identifier) -> Identifier {
    let text = id.text
    return text.hasPrefix("R_") || text.hasPrefix("M_") ? Identifier(String(text.dropFirst(2))) : id
  }
}
