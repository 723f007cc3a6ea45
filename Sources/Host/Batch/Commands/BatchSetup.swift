import Glibc
import PluginAPI

/// Checks and prepares runs for the commands of `batch`.
@MainActor struct BatchSetup {
  let interpreter: CommandInterpreter

  /// Parses the words of a command for one item.
  ///
  /// - Parameters:
  ///   - words: The words, without placeholders.
  ///   - allowsNetwork: True if the command may use the network.
  /// - Returns: The command, its arguments, and the global options.
  /// - Throws: The error of the line; ``ErrorReport`` with the code `batch.not-allowed` for a command that does more
  ///   than read, as items may run more than once, and for personal arguments, as a run's files keep them.
  func command(
    of words: [String], allowsNetwork: Bool
  ) throws -> (entry: CommandEntry, arguments: Record, options: GlobalOptions) {
    var defaults = interpreter.session.options
    defaults.given = []
    let line = try LineParser(table: interpreter.table).parse(words, defaults: defaults)
    guard case .run(let entry, let arguments) = line.request, case .plugin = entry.owner else {
      throw BatchError.notAllowed("'\(words.first ?? "")' is not a command of a plugin")
    }
    let declaration = entry.declaration
    if let option = GlobalOption.all.first(where: { $0.scope == .run && line.options.given.contains($0.name) }) {
      throw BatchError.notAllowed("'--\(option.name)' is an option of the whole run", advice: "give it before 'batch'")
    }
    if let name = ["output", "dry-run"].first(where: line.options.given.contains) {
      throw BatchError.notAllowed(
        "'--\(name)' has no effect on items", advice: "results are gathered, pictures are in the run's folder")
    }
    let allowed: Set<CommandDescription.Effect> = allowsNetwork ? [.reads, .network] : [.reads]
    if let effect = CommandDescription.Effect.allCases.first(where: {
      declaration.effects.contains($0) && !allowed.contains($0)
    }) {
      let advice = effect == .network ? "allow it with '--allow-network'" : nil
      throw BatchError.notAllowed("'\(entry.words)' \(HelpText.effects([effect]))", advice: advice)
    }
    _ = try ArgumentCheck.complete(arguments, for: declaration)
    for parameter in declaration.arguments + declaration.options {
      guard let value = arguments[parameter.name], !value.isNull else { continue }
      if parameter.isPersonal {
        throw BatchError.notAllowed("'\(parameter.name)' of '\(entry.words)' is personal data")
      }
      if parameter.kind == .outputFile {
        throw BatchError.notAllowed("'\(parameter.name)' of '\(entry.words)' writes a file")
      }
    }
    return (entry, arguments, line.options)
  }

  /// Checks that this program may work on a planned run.
  ///
  /// - Throws: ``ErrorReport`` with the code `batch.other-version`, if the call does not allow other versions.
  func check(_ plan: RunPlan, _ folder: RunFolder, _ call: CommandCall) throws {
    guard let first = try folder.firstItem(of: 1) else { return }
    let words = try plan.template.words(for: first)
    let entry = try command(of: words, allowsNetwork: plan.limits.allowsNetwork).entry
    if call.flag("allow-other-version") { return }
    try RunVersions(of: entry, interpreter).check(against: plan)
  }

  /// Returns the declared shape of the values of a run's command; any if its plugin is missing.
  func schema(of plan: RunPlan) -> ValueSchema {
    for count in stride(from: plan.command.count, to: 0, by: -1) {
      if let entry = interpreter.table.entry(Array(plan.command.prefix(count))) {
        return entry.declaration.output.schema
      }
    }
    return .any
  }

  /// Returns the source of items that the options of a call name; nil if none does.
  ///
  /// - Parameter query: The query for the database of `--sql`; nil for none.
  func source(_ call: CommandCall, query: String?) async throws -> ItemSource? {
    var sources: [ItemSource] = []
    let patterns = call.texts("files")
    if !patterns.isEmpty { sources.append(.files(patterns)) }
    if let path = call["items"].text { sources.append(.list(path, isNullSeparated: call.flag("null"))) }
    if let path = call["sql"].text {
      // The first word of a command has no blank.
      guard let query, query.contains(where: \.isWhitespace) else {
        throw BatchError.noItems("the query of '--sql' is missing", advice: "write --sql FILE 'SELECT id FROM models'")
      }
      sources.append(.query(DatabaseRows(path: path, query: query)))
    }
    if let count = call["parts"].integer { sources.append(.parts(count)) }
    if let line = call["from"].text { sources.append(try await rows(of: line)) }
    guard sources.count <= 1 else {
      throw BatchError.noItems(
        "'--files', '--items', '--from', '--sql' and '--parts' exclude each other", advice: "give one")
    }
    return sources.first
  }

  /// Returns the rows of a table that a command returns.
  private func rows(of text: String) async throws -> ItemSource {
    let commands = try ScriptReader.commands(of: text, arguments: [])
    guard let words = commands.first?.arguments, commands.count == 1 else {
      throw BatchError.noItems("'--from' needs one command", advice: "write for example --from 'molecules list'")
    }
    let line = try LineParser(table: interpreter.table).parse(words)
    guard case .run(let entry, let arguments) = line.request,
      entry.declaration.effects.isSubset(of: [.reads, .network])
    else { throw BatchError.notAllowed("'--from' needs a command that only reads") }
    let output = CollectedOutput()
    try await interpreter.call(entry, arguments, options: line.options, output: output)
    return try .rows(of: output.value(of: entry.declaration.output))
  }

  /// Returns the facts about the children of a run.
  func launch(_ plan: RunPlan, _ folder: RunFolder) -> ChildProcess.Launch {
    launch(
      in: plan.folder, stores: plan.stores.isEmpty ? nil : folder.stores, allowsNetwork: plan.limits.allowsNetwork)
  }

  /// Returns the facts about children that work in a folder.
  func launch(in folder: String, stores: String?, allowsNetwork: Bool) -> ChildProcess.Launch {
    let (options, streams) = (interpreter.session.options, interpreter.streams)
    return ChildProcess.Launch(
      program: HostInstallation.current.program, folder: folder,
      options: options.childArguments(environment: streams.environment, allowsNetwork: allowsNetwork),
      temporaryFolder: streams.temporaryFolder, temporary: streams.temporary, stores: stores)
  }

  /// Backs up the stores of a command's plugin into a temporary folder, if the arguments name something that is not a
  /// file and is looked up there.
  ///
  /// A store in a shared database has no backup, but its address: all machines use it.
  /// - Returns: The folder; nil if no store is needed.
  /// - Throws: ``ErrorReport`` with the code `batch.not-allowed` for a shared store without the network.
  func backUpStores(of entry: CommandEntry, _ arguments: Record, allowsNetwork: Bool) async throws -> String? {
    guard case .plugin(let id) = entry.owner, Self.namesContent(arguments, of: entry.declaration) else { return nil }
    let names = StoreName.all(interpreter).filter { $0.plugin == id }
    let stores = try names.map { name in (name, try name.open(interpreter)) }
    let shared = stores.compactMap { name, store in
      (store as? any ShareableStore)?.sharedAddress.map { (name, $0) }
    }
    if let (name, _) = shared.first, !allowsNetwork {
      throw BatchError.notAllowed(
        "items may be in '\(name.text)', which is in a shared database", advice: "allow it with '--allow-network'")
    }
    let own = stores.filter { name, store in
      access(store.path, F_OK) == 0 && !shared.contains { $0.0 == name }
    }
    if own.isEmpty, shared.isEmpty { return nil }
    let streams = interpreter.streams
    let folder = try HostFile.makeTemporaryFolder(under: streams.temporaryFolder, prefix: "workbench-stores-")
    streams.temporary.add(folder)
    do {
      try HostFile.makeFolder(folder + "/" + id)
      for (name, store) in own { try await store.backup(to: folder + "/\(id)/\(name.store)") }
      for (name, address) in shared {
        let file = folder + "/\(id)/\(name.store)" + StoreSnapshot.addressSuffix
        try HostFile.write(Array((address + "\n").utf8), to: file)
      }
    } catch {
      streams.temporary.remove(folder)
      throw error
    }
    return folder
  }

  /// Returns true if an argument that may be an id or a file is not a file.
  private static func namesContent(_ arguments: Record, of declaration: CommandDescription) -> Bool {
    (declaration.arguments + declaration.options).contains { parameter in
      guard case .document = parameter.kind, let value = arguments[parameter.name] else { return false }
      return (value.list ?? [value]).compactMap(\.text).contains { !HostFile.isDocument($0) }
    }
  }
}

/// The runs of this user: the file `batch-runs` in the state folder, a path on each line.
struct RunRegistry: Sendable {
  private let file: String

  init(state: String) { file = state + "/batch-runs" }

  /// The folders of the runs that still exist, oldest first.
  var folders: [RunFolder] { paths.map { RunFolder($0) }.filter { access($0.plan, F_OK) == 0 } }

  private var paths: [String] {
    guard let bytes = try? HostFile.read(file) else { return [] }
    return bytes.split(separator: UInt8(ascii: "\n")).map { FieldText.plain(String(decoding: $0, as: UTF8.self)) }
  }

  /// Adds a run; runs that are gone are forgotten.
  func add(_ folder: RunFolder) throws {
    try HostFile.whileAlone(with: file) {
      let known = folders.map(\.path)
      guard !known.contains(folder.path) else { return }
      let text = (known + [folder.path]).map { FieldText.escaped($0) + "\n" }.joined()
      try HostFile.write(Array(text.utf8), to: file)
    }
  }
}
