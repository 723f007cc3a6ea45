/// The type names of values of this plugin that have text renderers.
enum PathCaseValueType {
  static let drawing = "pathcase.drawing"
  static let modes = "pathcase.modes"
  static let scenarios = "pathcase.scenarios"
}
