import Glibc
import PluginAPI

extension PluginCommands {
  static func verify(_ session: HostSession) -> HostCommand {
    let fields: [ValueSchema.Field] = [
      .init("id", .text, "Plugin id"), .init("path", .text, "Path of the library"),
      .init(
        "result", .choice(["same", "changed", "missing"]), "Comparison with the library that was installed or enabled"),
      .init("expected", .text, "SHA-256 at installation or when enabled"),
      .init("found", .optional(.text), "Current SHA-256"),
      .init("altered", .optional(.text), "First file of the plugin that changed, is missing or was added"),
    ]
    let declaration = CommandDescription(
      "plugin verify", "Check that installed plugins are unchanged", output: .init(.table(fields))
    ).explained(
      "Exits with status 1 if a file changed, is missing or was added. Hidden files and '__pycache__' folders are not "
        + "compared.",
      examples: [.init("verify", "Compare all installed files with their recorded SHA-256")])
    return HostCommand(declaration) { call in
      let lock = PluginLock(data: session.folders.data)
      let rows = try await call.compute("hashing plugins") { _ in try hashes(of: lock) }
      try await call.emit(
        .table(
          Table(
            columns: fields.map { field in Table.Column(field.name, .values(rows.map { $0[field.name] ?? .null })) })
        ))
      if rows.isEmpty {
        call.warn(Diagnostic(.note, code: "host.nothing-installed", "this user has not installed or enabled a plugin"))
      }
      let bad = rows.filter { $0["result"] != "same" }.compactMap { $0["id"]?.text }
      guard bad.isEmpty else {
        throw ErrorReport(
          code: "host.plugin-verify-failed", kind: .failure,
          "these plugins changed or are missing since they were installed: " + bad.joined(separator: ", "),
          advice: "install them again", details: ["plugins": .list(bad.map(Value.text))])
      }
    }
  }

  private static func hashes(of lock: PluginLock) throws -> [Record] {
    try lock.entries.values.sorted { $0.id < $1.id }.compactMap { entry in
      guard let expected = entry.release.hash, let file = entry.release.file else { return nil }
      var found: String?
      if let (bytes, _) = try? FileTrust.read(file, isTrusted: true) {
        found = try ContentHash.required(bytes)
      }
      let folder = FilePath.folder(of: file)
      let altered = entry.release.contents.flatMap { hash in
        InstalledFiles.altered(in: folder, hash: hash) ?? InstalledFiles.added(in: folder, hash: hash)
      }
      let result = found == nil ? "missing" : found == expected && altered == nil ? "same" : "changed"
      return [
        "id": .text(entry.id), "path": .text(file), "result": .text(result), "expected": .text(expected),
        "found": .optional(found), "altered": .optional(altered),
      ]
    }
  }

  static func probe(_ session: HostSession) -> HostCommand {
    let schema = ValueSchema.record([
      .init("id", .text, "Plugin id"), .init("version", .text, "major.minor.patch"),
      .init("path", .text, "Path of the library"),
      .init("contractRevision", .optional(.integer), "Contract revision of its build"),
      .init("compiler", .optional(.text), "Compiler of its build"), .init("needs", .list(.text), "Libraries it needs"),
      .init("modules", .list(.text), "Swift modules it contains"),
      .init("commands", .list(.text), "Commands it offers"), .init("screens", .list(.text), "Screens it offers"),
      .init("milliseconds", .number, "Duration of the probe"),
    ])
    let declaration = CommandDescription(
      "plugin probe", "Check a library and describe it in a child process", output: .init(schema),
      effects: [.reads, .writes]
    ).taking([Parameter("path", .inputFile(extensions: ["so"]), "Library, or plugin id", isRequired: true)]
    )
    .explained(examples: [
      .init("probe .build/debug/libTides.so", "Check a library"), .init("probe tides", "Check a plugin again"),
    ])
    return HostCommand(declaration, opensPipes: true) { call in
      let word = call.text("path")
      let (path, examiner) = await MainActor.run {
        (
          PluginID.objection(to: word) == nil ? session.plugins.catalog.plugin(word)?.path : nil,
          session.plugins.examiner()
        )
      }
      let record = try await call.compute("probing '\(word)'") { _ in
        try describe(path ?? FilePath.absolute(word), examiner)
      }
      await session.plugins.forgetCatalog()
      try await call.emit(.record(record))
    }
  }

  /// Examines and probes a library again, ignoring the registry.
  private static func describe(_ path: String, _ examiner: PluginExaminer) throws -> Record {
    var examiner = examiner
    examiner.registry.forget(path)
    let (looked, refusal) = examiner.look(at: path, isTrusted: true)
    guard let looked else { throw refusal ?? PluginRefusal.unreadable(path: path, "unknown reason") }
    guard let stamp = looked.stamp else {
      if case .refused(let error) = looked.verdict { throw error }
      throw PluginRefusal.noStamp(path: path)
    }
    examiner.registry.forgetVerdicts(onHash: looked.hash)
    let start = ContinuousClock.now
    let dossier = examiner.probed(looked)
    let time = start.duration(to: .now)
    examiner.keep(dossier)
    examiner.registry.save()
    if case .refused(let error) = dossier.verdict { throw error }
    guard case .usable(let block) = dossier.verdict,
      let contributions = block.bytes().flatMap(StoredContributions.init)
    else { throw PluginRefusal.noStamp(path: path) }
    return [
      "id": .text(stamp.id), "version": .text(stamp.version), "path": .text(path),
      "contractRevision": .optional(dossier.build?.revision), "compiler": .optional(dossier.build?.compiler),
      "needs": .list(dossier.needs.names.map(Value.text)), "modules": .list(dossier.modules.map(Value.text)),
      "commands": .list(contributions.commandNames.map(Value.text)),
      "screens": .list(contributions.screens.map { .text($0.name) }),
      "milliseconds": .number(
        Double(time.components.seconds) * 1000 + Double(time.components.attoseconds) / 1e15),
    ]
  }
}
