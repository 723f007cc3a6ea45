import PluginAPI

/// A reagent and its mass.
struct Reagent: Model, Equatable {
  var name: String
  var grams: Double

  static let typeName = "reagents.reagent"
  static let fields = Fields<Reagent> {
    Field("name", \.name, "Name of the reagent", heading: "Reagent")
    Field("grams", \.grams, "Mass", heading: "Mass", unit: "gram", decimals: 2)
  }
}

/// The amount of a reagent.
struct Amount: Model, Equatable {
  var name: String
  var molarMass: Double
  var moles: Double

  static let typeName = "reagents.amount"
  static let fields = Fields<Amount> {
    Field("name", \.name, "Name of the reagent", heading: "Reagent")
    Field("molarMass", \.molarMass, "Molar mass", heading: "Molar mass", unit: "gram/mole", decimals: 2)
    Field("moles", \.moles, "Amount", heading: "Amount", unit: "mole", decimals: 4)
  }

  /// Standard atomic weights in grams per mole.
  ///
  /// - Source: IUPAC, abridged standard atomic weights of 2021.
  private static let weights = [
    "H": 1.008, "C": 12.011, "N": 14.007, "O": 15.999, "Na": 22.990, "P": 30.974, "S": 32.06, "Cl": 35.45,
  ]

  /// Computes the amount of a reagent whose atoms the plugin 'molecules' counts.
  init(_ reagent: Reagent, _ context: any PluginContext) async throws {
    let info = try await context.call("molecules.info", ["molecule": .text(reagent.name)])
    guard let elements = info["elements"].record, !elements.isEmpty else {
      throw ReagentError.noMass("'molecules info' counts no atoms of '\(reagent.name)'")
    }
    (name, molarMass) = (reagent.name, 0)
    for element in elements.fields {
      guard let weight = Self.weights[element.name], let count = element.value.number else {
        throw ReagentError.noMass("the atomic weight of '\(element.name)' in '\(reagent.name)' is unknown")
      }
      molarMass += weight * count
    }
    moles = reagent.grams / molarMass
  }
}

/// Writes a reagent with its mass.
struct ReagentRenderer: TextRenderer {
  let decimals: Int
  var typeName: String { Reagent.typeName }

  func render(_ value: Value, for request: TextRequest) throws -> StyledText {
    let reagent = ModelRecord<Reagent>(value)
    return StyledText("\(reagent[\.name]): \(NumberText.fixed(reagent[\.grams] ?? 0, decimals: decimals)) g")
  }
}
