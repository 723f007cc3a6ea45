import PluginAPI

extension FirstPicture {
  /// The setting of this plugin that chooses the rule.
  static let setting = Parameter(
    "first-picture", .choice(allCases.map(\.rawValue)),
    "how a molecule is drawn at first: standard draws polymers as cartoons without water, original draws balls and "
      + "sticks for fewer than 600 atoms with bonds, else spacefilling",
    defaultValue: .text(FirstPicture.standard.rawValue))

  /// Creates the rule that the settings choose.
  init(_ context: any PluginContext) {
    self = context.setting(Self.setting.name).text.flatMap(FirstPicture.init(rawValue:)) ?? .standard
  }
}
