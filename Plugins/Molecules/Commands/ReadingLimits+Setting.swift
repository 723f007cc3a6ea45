import PluginAPI

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
