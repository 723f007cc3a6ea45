import PluginAPI

extension ReadingLimits {
  /// The setting that limits what is uncompressed.
  static let setting = Parameter(
    "content-limit", .integer(minimum: 1, maximum: 2047), "largest content of a compressed file, in MiB", unit: "MiB",
    defaultValue: .integer(standardContentInMebibytes))

  /// The limits that the settings give.
  init(_ context: any PluginContext) {
    self.init(contentInBytes: (context.setting(Self.setting.name).integer ?? Self.standardContentInMebibytes) << 20)
  }
}

extension MoleculeLibrary {
  /// The most that is read of a file.
  var limits: ReadingLimits { ReadingLimits(context) }
}
