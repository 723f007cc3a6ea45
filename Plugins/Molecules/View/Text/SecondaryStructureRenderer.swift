import PluginAPI

/// Renders secondary structure in numbered lines with groups of ten letters, chain by chain.
struct SecondaryStructureRenderer: TextRenderer {
  var typeName: String { MoleculeValueType.secondaryStructure }

  func render(_ value: Value, for request: TextRequest) -> StyledText {
    var text = StyledText()
    let chains = value["chains"].record?.fields ?? []
    guard !chains.isEmpty else {
      text.add(.init("no residue has a full backbone"))
      return text
    }
    for (place, chain) in chains.enumerated() {
      if place > 0 { text.add(.init("")) }
      let letters = Array((chain.value.text ?? "").utf8)
      text.add(.init("Chain \(chain.name)", .heading), .init("  \(letters.count) residues" + Self.shares(letters)))
      LetterLines.add(letters, to: &text, width: request.width)
    }
    return text
  }

  /// Returns the fractions of helix and strand in a chain, in words.
  private static func shares(_ letters: [UInt8]) -> String {
    let helix = letters.count { [72, 71, 73].contains($0) }
    let strand = letters.count { $0 == 69 }
    func percent(_ part: Int) -> Int { (part * 100 + letters.count / 2) / max(1, letters.count) }
    return ", helix \(percent(helix)) %, strand \(percent(strand)) %"
  }
}
