import PluginAPI

extension FirstPicture {
  /// The plugin's setting for the rule.
  static let setting = Parameter(
    "first-picture", .choice(allCases.map(\.rawValue)),
    "how a molecule is drawn at first: standard draws polymers as cartoons without water, original draws balls and "
      + "sticks for fewer than 600 atoms with bonds, else spacefilling",
    defaultValue: .text(FirstPicture.standard.rawValue))

  /// Creates the rule chosen in the settings.
  init(_ context: any PluginContext) {
    self = context.setting(Self.setting.name).text.flatMap(FirstPicture.init(rawValue:)) ?? .standard
  }
}
