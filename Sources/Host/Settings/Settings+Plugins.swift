import PluginAPI

extension Settings {
  /// Stores a setting of a plugin.
  ///
  /// - Throws: ``SettingsError`` if the plugin declares no such setting, the value does not fit or the file is broken.
  func set(_ name: String, to value: Value, of contributions: StoredContributions) throws {
    let area = contributions.plugin.id
    guard let parameter = contributions.settings.first(where: { $0.name == name }) else {
      throw SettingsError.unknown(area + "." + name, known: contributions.settings.map { area + "." + $0.name })
    }
    do {
      try set(area, parameter, to: value)
    } catch let error as ParameterError {
      throw SettingsError.unfitting(error)
    }
  }
}
