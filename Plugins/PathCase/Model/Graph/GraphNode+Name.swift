extension GraphNode {
  /// The name that people read: the label with the states, `AKT (P@T308)`; the caption of a node without a name.
  ///
  /// Its id is none of that: files number what they give no name.
  var shownName: String {
    let isBlank = label.unicodeScalars.allSatisfy { $0.properties.isWhitespace }
    let name = isBlank ? caption : label
    let states = decorations.filter { Self.stateCategories.contains($0.category) && !$0.text.isEmpty }.map(\.text)
    return states.isEmpty ? name : "\(name) (\(states.joined(separator: ", ")))"
  }

  /// The words of SBGN and GPML for what is drawn on a node to tell its state.
  private static let stateCategories: Set = ["state variable", "State"]
}
