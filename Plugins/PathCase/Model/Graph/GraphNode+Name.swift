extension GraphNode {
  /// The display name: the label with the states, `AKT (P@T308)`; the caption of a node without a name.
  ///
  /// The identifier is not used, because files number nodes without a name.
  var shownName: String {
    let isBlank = label.unicodeScalars.allSatisfy { $0.properties.isWhitespace }
    let name = isBlank ? caption : label
    let states = decorations.filter { Self.stateCategories.contains($0.category) && !$0.text.isEmpty }.map(\.text)
    return states.isEmpty ? name : "\(name) (\(states.joined(separator: ", ")))"
  }

  /// The categories of SBGN and GPML for decorations that state a node's state.
  private static let stateCategories: Set = ["state variable", "State"]
}
