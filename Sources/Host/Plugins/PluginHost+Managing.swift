import PluginAPI

extension PluginHost {
  /// An installer, which also removes plugins.
  var installer: PluginInstaller {
    var modules: [String: [String]] = [:]
    for plugin in catalog.plugins where plugin.state != .shadowed {
      if let id = plugin.id { modules[id] = plugin.dossier?.modules }
    }
    let bundled = catalog.plugins.compactMap { $0.source == .bundled ? $0.id : nil }
    return PluginInstaller(
      folders: folders, installation: installation, probe: probe, modules: modules, bundled: Set(bundled))
  }

  /// Returns the plugin of that id.
  ///
  /// - Throws: An error with the nearest id if there is none.
  func cataloged(_ id: String) throws -> CatalogedPlugin {
    if let plugin = catalog.plugin(id) { return plugin }
    throw missing(id, known: catalog.plugins.compactMap(\.id))
  }

  /// Enables a disabled plugin, or a library dropped into the user's folder.
  ///
  /// - Parameter replaced: The id of the bundled plugin that a dropped library may replace; nil for none.
  /// - Returns: The plugin in its new state.
  func enable(_ id: String, replacing replaced: String? = nil) throws -> CatalogedPlugin {
    let known = PluginLock(data: folders.data)[id]
    let candidates = catalog.plugins.filter { $0.id == id && $0.state != .shadowed }
    // A bundled plugin that is disabled comes before a library that was dropped into the folder under its id.
    let isBundledMeant = replaced == nil && candidates.contains { $0.source == .bundled && $0.state == .disabled }
    let meant = isBundledMeant ? candidates.filter { $0.source != .user || $0.path == known?.file } : candidates
    guard let plugin = meant.first(where: { $0.state == .disabled }) ?? meant.first else {
      return try cataloged(id)
    }
    if let verdict = plugin.dossier?.verdict, case .refused(let error) = verdict { throw error }
    let isAltered = plugin.error?.code == PluginRefusal.alteredCode
    guard plugin.state == .disabled || isAltered else { return plugin }
    if plugin.source == .user, known?.file != plugin.path {
      try installer.checkReplacement(of: id, agreed: replaced)
    }
    try PluginLock.change(data: folders.data) { lock in
      guard plugin.source == .user else {
        lock[id] = nil
        return
      }
      var entry = lock[id] ?? PluginLock.Entry(id: id, isEnabled: true)
      entry.isEnabled = true
      entry.file = plugin.path
      entry.version = plugin.dossier?.stamp?.version
      if entry.source == nil { entry.hash = plugin.dossier.flatMap { $0.hash.isEmpty ? nil : $0.hash } }
      lock[id] = entry
    }
    forgetCatalog()
    let enabled = try cataloged(id)
    if let error = enabled.error { throw error }
    return enabled
  }

  /// Disables a plugin from the next start on.
  func disable(_ id: String) throws {
    _ = try cataloged(id)
    try PluginLock.change(data: folders.data) { lock in
      var entry = lock[id] ?? PluginLock.Entry(id: id, isEnabled: false)
      entry.isEnabled = false
      lock[id] = entry
    }
    forgetCatalog()
  }

  /// Lets a plugin in again that crashed.
  func unquarantine(_ id: String) throws -> CatalogedPlugin {
    var rules = rules()
    guard rules.quarantine.entries[id] != nil else { throw InstallError.notQuarantined(id) }
    try rules.quarantine.remove(id)
    forgetCatalog()
    return try cataloged(id)
  }
}
