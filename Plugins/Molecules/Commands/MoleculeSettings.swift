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

extension ReadingLimits {
  /// The setting for the limit of uncompressed content.
  static let setting = Parameter(
    "content-limit", .integer(minimum: 1, maximum: 2047), "largest content of a compressed file, in MiB", unit: "MiB",
    defaultValue: .integer(standardContentInMebibytes))

  /// Creates the limits from the settings.
  init(_ context: any PluginContext) {
    self.init(contentInBytes: (context.setting(Self.setting.name).integer ?? Self.standardContentInMebibytes) << 20)
  }
}

extension MoleculeLibrary {
  /// The limits of reading a file.
  var limits: ReadingLimits { ReadingLimits(context) }
}
