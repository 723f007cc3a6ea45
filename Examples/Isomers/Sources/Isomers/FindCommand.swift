import PluginAPI

/// A metabolite, compared with a molecule.
struct Match: Model, Equatable {
  var id: String
  var name: String
  var formula: String
  /// The number of atoms, other than hydrogen, to add or remove.
  var distance: Int

  static let typeName = "isomers.match"
  static let fields = Fields<Match> {
    Field("id", \.id, "Id of the metabolite", heading: "Id")
    Field("name", \.name, "Name of the metabolite", heading: "Name")
    Field("formula", \.formula, "Molecular formula", heading: "Formula")
    Field("distance", \.distance, "Atoms other than hydrogen to add or remove", heading: "Distance")
  }
}

/// The command `find`.
enum FindCommand {
  private static let molecule = Argument("molecule", String.self, "Molecule, as for 'molecules info'")
  private static let distance = Option(
    "distance", in: 0...1000, "Maximum number of atoms, other than hydrogen, to add or remove", default: 0)

  static let find = CommandPart(
    CommandDescription("find", "Find metabolites with the composition of a molecule", output: .table(of: Match.self))
      .taking(molecule, distance)
      .explained(
        "Atoms of the molecule are counted by the plugin 'molecules', metabolites come from the plugin 'pathcase'. "
          + "Hydrogen is not compared.",
        examples: [.init("find caffeine --distance 3", "Metabolites that resemble caffeine")])
  ) { call in
    // Names of commands, arguments and fields are a contract of the other plugins. Their errors, such as that of an
    // unknown molecule, are passed on.
    let info = try await call.context.call("molecules.info", ["molecule": .text(call[molecule])])
    let metabolites = try await call.context.call("pathcase.metabolites", Record())
    let matches = try matches(of: composition(info), in: metabolites, within: call[distance])
    try await call.emit(table: matches)
  }

  private static func composition(_ info: Value) throws -> Composition {
    guard let elements = info["elements"].record else {
      throw IsomersError.unexpectedResult("'molecules info' reports no 'elements'")
    }
    return Composition(elements.fields.reduce(into: [:]) { $0[$1.name] = $1.value.integer ?? 0 })
  }

  /// Returns the metabolites of a table that are near enough, nearest first.
  private static func matches(of wanted: Composition, in metabolites: Value, within limit: Int) throws -> [Match] {
    let columns = ["id", "name", "formula"].map { metabolites.table?[$0]?.values }
    guard let ids = columns[0], let names = columns[1], let formulas = columns[2] else {
      throw IsomersError.unexpectedResult("'pathcase metabolites' has no 'id', 'name' and 'formula'")
    }
    let matches = (0..<(metabolites.table?.rowCount ?? 0)).compactMap { row -> Match? in
      guard let formula = formulas[row].text, let composition = Composition(formula: formula) else { return nil }
      let distance = wanted.distance(to: composition)
      guard distance <= limit else { return nil }
      return Match(id: ids[row].text ?? "", name: names[row].text ?? "", formula: formula, distance: distance)
    }
    return matches.sorted { ($0.distance, $0.id) < ($1.distance, $1.id) }
  }
}
