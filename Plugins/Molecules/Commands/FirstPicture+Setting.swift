import PluginAPI

extension FirstPicture {
  /// The plugin's setting for the rule.
  static let setting = Parameter(
    "first-picture", parameterKind,
    "how a molecule is drawn at first: standard draws polymers as cartoons without water, original draws balls and "
      + "sticks for fewer than 600 atoms with bonds, else spacefilling",
    defaultValue: FirstPicture.standard.parameterValue)

  /// Creates the rule chosen in the settings.
  init(_ context: any PluginContext) {
    self = FirstPicture(parameterValue: context.setting(Self.setting.name)) ?? .standard
  }
}
