import PluginAPI

/// The property shown by the colors of atoms: a new scheme is a case and its row in ``definition``.
enum ColorScheme: String, CaseIterable, ParameterValue {
  case element
  case residue
  case chain
  case entity
  case secondaryStructure = "secondary-structure"
  case bFactor = "b-factor"
  case plddt
  case occupancy
  case rainbow

  /// The colors of a scheme and their meaning.
  struct Definition: Sendable {
    /// The display name.
    var title: String
    /// A Boolean value indicating whether the scheme distinguishes parts of polymers, so that ligands are colored by
    /// element.
    var isOfPolymers = false
    /// Returns the numbers at the ends of the scheme's ramp for some atoms; nil if it shows no numbers.
    var range: @Sendable (AtomTable, Range<Int>) -> ClosedRange<Float>? = { _, _ in nil }
    /// Returns the colors of a model's atoms in order.
    var colors: @Sendable (AtomColoring) -> [RGBColor]
    var legend: Legend
  }

  /// The meaning of a scheme's colors.
  enum Legend: Sendable {
    /// A ramp and the labels at its ends.
    case ramp(ColorRamp, @Sendable (AtomColoring) -> (low: String, high: String))
    /// The same colors for every molecule.
    case classes([ColorLegend.Entry])
    /// The colors that occur, with a title for each atom that has one.
    case atoms(@Sendable (AtomColoring, _ atom: Int) -> String?)
    /// The colors that occur, with a title for each residue that has one among some atoms.
    case residues(@Sendable (AtomColoring, _ atoms: AtomSelection) -> (_ residue: Int) -> String?)
  }

  var title: String { definition.title }
  var isOfPolymers: Bool { definition.isOfPolymers }

  /// The table of the schemes.
  var definition: Definition {
    switch self {
    case .element:
      Definition(
        title: "element",
        colors: { coloring in
          coloring.byAtom { ElementStyle.color(of: coloring.structure.atoms.element[$0].rawValue) }
        },
        legend: .atoms { $0.structure.atoms.element[$1].symbol })
    case .residue:
      Definition(
        title: "residue", isOfPolymers: true, colors: { $0.residues() },
        legend: .residues { coloring, _ in { coloring.structure.residueName($0) } })
    case .chain:
      Definition(
        title: "chain", isOfPolymers: true, colors: { $0.chains() },
        legend: .residues { coloring, _ in
          { coloring.structure.chains[Int(coloring.structure.residues[$0].chain)].name }
        })
    case .entity:
      Definition(
        title: "entity", isOfPolymers: true, colors: { $0.entities() },
        legend: .residues { $0.entityTitles(among: $1) })
    case .secondaryStructure:
      Definition(
        title: "secondary structure", isOfPolymers: true, colors: { $0.secondaryStructure() },
        legend: .residues { coloring, _ in { coloring.secondaryTitle(ofResidue: $0) } })
    case .bFactor:
      Definition(
        title: "B factor", range: { AtomColoring.percentiles(of: $0.bFactor[$1]) },
        colors: { coloring in
          coloring.byAtom { coloring.color(coloring.structure.atoms.bFactor[$0], on: ColorTable.coolToWarm) }
        },
        legend: .ramp(ColorTable.coolToWarm) { coloring in
          func label(_ end: Float?) -> String { FixedText.text(Double(end ?? 0), decimals: 1) + " Å²" }
          return (label(coloring.range?.lowerBound), label(coloring.range?.upperBound))
        })
    case .plddt:
      Definition(
        title: "pLDDT",
        colors: { coloring in coloring.byAtom { ColorTable.confidenceColor(coloring.structure.atoms.bFactor[$0]) } },
        legend: .classes(ColorTable.confidence.map { .init(title: $0.title, color: $0.color) }))
    case .occupancy:
      Definition(
        title: "occupancy", range: { _, _ in 0...1 },
        colors: { coloring in
          coloring.byAtom { coloring.color(coloring.structure.atoms.occupancy[$0], on: ColorTable.violetToYellow) }
        },
        legend: .ramp(ColorTable.violetToYellow) { _ in ("0", "1") })
    case .rainbow:
      Definition(
        title: "rainbow", isOfPolymers: true, colors: { $0.rainbow() },
        legend: .ramp(ColorTable.rainbow) { _ in ("the first residue of a chain", "the last") })
    }
  }
}
