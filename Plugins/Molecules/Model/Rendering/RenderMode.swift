import PluginAPI

/// The drawing mode of a molecule; the first three raw values are those in the original application's database.
enum RenderMode: Int, CaseIterable, Sendable {
  case ballAndStick = 0
  case spacefilling = 1
  case cylinders = 2
  case sticks = 3
  case backbone = 4
  case cartoon = 5
  case surface = 6

  /// The name used on the command line and in settings.
  var name: String {
    switch self {
    case .ballAndStick: "ball-and-stick"
    case .spacefilling: "spacefilling"
    case .cylinders: "cylinders"
    case .sticks: "sticks"
    case .backbone: "backbone"
    case .cartoon: "cartoon"
    case .surface: "surface"
    }
  }

  /// Looks up a mode by its name.
  init?(name: String) {
    guard let mode = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = mode
  }

  /// Returns true if a molecule without a polymer is first shown as balls and sticks, provided that it has bonds.
  static func isSmall(atomCount: Int) -> Bool { atomCount < 600 }
}

extension RenderMode: ParameterValue {
  static var parameterKind: Parameter.Kind { .choice(allCases.map(\.name)) }
  var parameterValue: Value { .text(name) }

  init?(parameterValue value: Value) { self.init(name: value.text ?? "") }
}
