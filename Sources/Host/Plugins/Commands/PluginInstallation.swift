import PluginAPI

/// An installation that the user follows: checks the signature, shows what the plugin can do, asks, and switches to it.
@MainActor struct PluginInstallation {
  /// The user's choices.
  struct Choices: Sendable {
    /// The id of the bundled plugin that it may replace; nil for none.
    var replaced: String?
    /// A Boolean value indicating whether an unsigned plugin is agreed to.
    var allowsUnsigned = false
    /// The publisher's key as given by the user; nil for none.
    var key: MinisignKey?
    /// The keys of the user's sources.
    var knownKeys: [MinisignKey] = []
  }

  let interpreter: CommandInterpreter
  let call: CommandCall
  let choices: Choices

  /// Installs the files of a plugin.
  ///
  /// - Parameter offer: The offer of a source that the files are from; nil for a file or folder of the user.
  func install(_ files: PluginFiles, of offer: PackageSources.Offer? = nil) async throws -> PluginInstaller.Outcome {
    let installer = interpreter.session.plugins.installer
    let inspection = try await call.compute("checking '\(files.source)'") { _ in try installer.inspect(files) }
    let (id, version) = (inspection.stamp.id, inspection.stamp.version)
    if let release = offer?.release, release.id != id || release.version.description != version {
      throw PackageError.otherContent("it is '\(id)' \(version)")
    }
    if let key = choices.key, let offer, offer.source.key != key {
      throw PackageError.badSignature("the index of '\(offer.source.name)' is signed with another key")
    }
    try installer.checkReplacement(of: id, agreed: choices.replaced)
    // An installed plugin was looked at before.
    if !installer.knownIDs.contains(id), let warning = PluginID.warning(about: id, among: installer.knownIDs) {
      call.warn(warning)
    }
    let old = PluginLock(data: interpreter.session.folders.data)[id]?.release
    // The index of a source is signed, and has the hash of the package.
    let key: MinisignKey? = if let offer { offer.source.key } else { try await signer(of: files, old) }
    if let rights = inspection.rights { show(rights, inspection.stamp) }
    let newer = newerVersion(than: inspection.stamp, old)
    if let newer { warnOfOlder(inspection.stamp, than: newer) }
    if key == nil { try await agreeToUnsigned(inspection, old, hasSignature: files.signature != nil) }
    let origin = PluginInstaller.Origin(key: key?.text, index: offer?.source.name)
    let before = rights(of: id)
    let staged = try await call.compute("installing '\(id)'") { _ in
      try installer.stage(files, inspection, origin: origin)
    }
    do {
      if inspection.rights == nil { show(staged.rights, inspection.stamp) }
      // By typing the id, the user agreed to run the library before its effects were known.
      let isAgreed = key == nil && (choices.allowsUnsigned || inspection.rights != nil)
      try await agree(to: staged.rights, inspection.stamp, before: before, isAgreed: isAgreed)
    } catch {
      installer.discard(staged)
      throw error
    }
    // Not on another thread: an interrupt would return from here while the files are moved.
    let outcome = try installer.commit(staged)
    interpreter.session.plugins.forgetCatalog()
    if let newer { adviseReturn(to: newer, of: id) }
    return outcome
  }

  /// Returns the key with which a package is signed; nil if it is unsigned, or signed with a key that is not known.
  ///
  /// - Parameter old: The installed version, whose key is known.
  private func signer(of files: PluginFiles, _ old: PluginLock.Release?) async throws -> MinisignKey? {
    guard let bytes = files.signature, let package = files.package else {
      if choices.key != nil { throw PackageError.badSignature("there is no file '.minisig' beside the package") }
      return nil
    }
    let signature = try MinisignSignature(bytes)
    let known = choices.knownKeys + (old?.key.flatMap(MinisignKey.init).map { [$0] } ?? [])
    guard let key = choices.key ?? known.first(where: { signature.isMade(with: $0) }) else { return nil }
    return try await call.compute("checking the signature") { _ in
      try signature.check(package, key: key)
      return key
    }
  }

  /// Asks whether an unsigned plugin is wanted, before any of its code runs.
  ///
  /// - Parameters:
  ///   - old: The installed version.
  ///   - hasSignature: True if there is a signature, by a key that is not known.
  private func agreeToUnsigned(
    _ inspection: PluginInstaller.Inspection, _ old: PluginLock.Release?, hasSignature: Bool
  ) async throws {
    if choices.allowsUnsigned { return }
    let (id, version) = (inspection.stamp.id, inspection.stamp.version)
    var text = "Plugin '\(id)' \(version) is not signed with a known key; "
    text += PluginRights.sentence(run: inspection.rights?.run) + "."
    if old?.key != nil { text += " The installed version is signed." }
    switch try await Question.confirm(text, typing: id, interpreter) {
    case true?: return
    case false?: throw PackageError.unsigned(id: id, reason: "you did not agree", hasSignature: hasSignature)
    case nil:
      let reason = hasSignature ? "the key of its signature is not known" : "it is not signed"
      throw PackageError.unsigned(id: id, reason: reason, hasSignature: hasSignature)
    }
  }

  /// Shows what a plugin can do.
  private func show(_ rights: PluginRights, _ stamp: PluginStamp) {
    let declared = rights.declared.isEmpty ? "no effects" : rights.declared
    call.warn(
      Diagnostic(
        .note, code: "host.install-rights",
        "plugin '\(stamp.id)' \(stamp.version): \(rights.sentence); its commands declare \(declared)"))
  }

  /// Returns the installed version if it is newer than an offered one.
  private func newerVersion(than stamp: PluginStamp, _ old: PluginLock.Release?) -> PluginVersion? {
    guard let installed = old?.version.flatMap(PluginVersion.init), let new = PluginVersion(stamp.version),
      new < installed
    else { return nil }
    return installed
  }

  /// Warns of a version that is older than the installed one, before the user agrees.
  private func warnOfOlder(_ stamp: PluginStamp, than installed: PluginVersion) {
    call.warn(
      Diagnostic(
        .warning, code: "host.install-older",
        "version \(stamp.version) of '\(stamp.id)' is older than the installed \(installed), "
          + "whose stores it may refuse"))
  }

  /// Advises how to return from an older version, once it is installed: before, a rollback would change the version.
  private func adviseReturn(to newer: PluginVersion, of id: String) {
    call.warn(
      Diagnostic(
        .note, code: "host.install-older", "version \(newer) of '\(id)' was replaced by an older one",
        advice: "return to it with 'workbench plugin rollback \(id)'"))
  }

  /// Asks for what was not agreed to yet: a first installation, or an upgrade that can do more.
  private func agree(
    to rights: PluginRights, _ stamp: PluginStamp, before: PluginRights?, isAgreed: Bool
  ) async throws {
    let (id, version) = (stamp.id, stamp.version)
    guard let before else {
      if !isAgreed { try await Question.confirm("Install '\(id)' \(version)?", interpreter) }
      return
    }
    let added = rights.added(to: before)
    if added.isEmpty { return }
    call.warn(Diagnostic(.note, code: "host.install-new-rights", "new in version \(version) of '\(id)': \(added)"))
    try await Question.confirm("Install '\(id)' \(version), which can do more than the installed version?", interpreter)
  }

  /// Returns the rights of the installed version; nil if there is none that can be used.
  private func rights(of id: String) -> PluginRights? {
    let plugins = interpreter.session.plugins
    guard let plugin = plugins.catalog.plugin(id), plugin.source == .user, let known = plugins.contributions(of: id)
    else { return nil }
    let run = ProgramManifest.isManifest(plugin.path) ? (try? ProgramManifest.read(plugin.path))?.0.run ?? [] : nil
    return PluginRights(known, run: run)
  }
}
