import Glibc
import PluginAPI
import PluginVault

/// Commands about the store itself and its users.
enum StoreCommands {
  static let all = [initialize, status, unlock, lock, changeKey, changeMasterKey, check, purge, restore]

  fileprivate static let newKeyFile = Option(
    "new-key-file", String.self, kind: .outputFile,
    "New key file to create; without it, a passphrase is asked for twice")

  private static let administrator = Option("user", "Name of the administrator", default: "admin")

  static let initialize = WSABICommand(
    CommandDescription(
      "store init", "Create the store of people and captures", output: .model(StoreStatus.self), effects: [.writes]
    ).taking(
      newKeyFile.summarized("New key file to create, which opens the store"), administrator, StationKey.option,
      StationKey.standardInput, ShortPassphrase.option
    ).explained(
      """
      All records are encrypted. A passphrase, which you enter twice, or a key file of 32 random bytes opens the \
      store. If you lose it, the data is lost: there is no other way to open the store.
      """,
      examples: [
        .init("store init", "Enter a passphrase"),
        .init("store init --new-key-file ~/station.key", "For scripts and unattended stations"),
      ])
  ) { call, station in
    let records = station.records(call.context)
    if await records.isCreated() { throw VaultError.storeExists(path: records.folder) }
    try await records.create(try await newKey(call), user: call[administrator])
    call.warn(
      Diagnostic(
        .note, code: "wsabi.key-needed-again", "each command asks for the key of the store",
        advice: "enter it once with 'store unlock'; it stays open until 'store lock'"))
    try await call.emit(StoreStatus(records, records.user))
  }

  static let status = WSABICommand(
    CommandDescription(
      "store status", "Show where the store is and whether it is open", output: .model(StoreStatus.self)
    )
    .explained(
      "The store is not opened. It also counts as open while the key of 'store unlock' is still valid.",
      examples: [.init("store status", "Before a first capture")])
  ) { call, station in
    let records = station.records(call.context)
    await station.lockIfIdle(call.context)
    let user = if let user = records.user { Optional(user) } else { try await keptUser(records) }
    try await call.emit(StoreStatus(records, user))
  }

  /// Returns the user whose key 'store unlock' kept; nil if none is kept, or it no longer opens the store.
  private static func keptUser(_ records: RecordStore) async throws -> StoreUser? {
    guard records.exists, let key = KernelKeyring(folder: records.folder).key else { return nil }
    do {
      return try await records.keys(of: records.sqlite, .wrapping(key)).vault.user
    } catch VaultError.wrongKeyCode {
      return nil
    }
  }

  static let unlock = WSABICommand(
    CommandDescription(
      "store unlock", "Open the store for the commands that follow",
      output: .model(StoreStatus.self), effects: [.reads, .writes]
    ).taking(StationKey.option, StationKey.standardInput).explained(
      """
      The key stays in your keyring in the kernel, never on a disk. It is removed by 'store lock', or when unused for \
      the time in the setting 'idle-lock'. Without a keyring, a warning appears and each command needs the key.
      """,
      examples: [.init("store unlock", "Enter the passphrase once for all commands")])
  ) { call, station in
    let records = station.records(call.context)
    guard records.exists else { throw VaultError.noStore(path: records.folder) }
    let source = StationKey(call: call)
    let key = try await source.key(
      asking: "Passphrase of the store", orThrow: StationError.ownKeyNeeded(to: "unlock it"))
    try await source.withAdvice { try await records.unlock(key) }
    station.touch(call.context)
    let keyring = KernelKeyring(folder: records.folder)
    if let number = keyring.put(try await records.kept(key), seconds: Station.idleLimit(call.context)) {
      call.warn(
        Diagnostic(
          .warning, code: "wsabi.not-kept-unlocked",
          "cannot store the key in the kernel (\(String(cString: strerror(number)))); each command needs the key",
          advice: "name a key file with WORKBENCH_WSABI_KEY_FILE"))
    }
    try await call.emit(StoreStatus(records, records.user))
  }

  static let lock = WSABICommand(
    CommandDescription(
      "store lock", "Close the store", output: .model(StoreStatus.self), effects: [.reads, .writes]
    ).taking(StationKey.option).explained(
      "The key of 'store unlock' is removed. No key is needed; a key file given with '--key-file' is not read.",
      examples: [.init("store lock", "Before you leave the station")])
  ) { call, station in
    let records = station.records(call.context)
    KernelKeyring(folder: records.folder).drop()
    await records.lock()
    try await call.emit(StoreStatus(records, records.user))
  }

  static let changeKey = WSABICommand(
    CommandDescription(
      "store change-key", "Replace your passphrase or key file",
      output: .model(StoreStatus.self), effects: [.reads, .writes]
    ).taking(
      newKeyFile, StationKey.option,
      StationKey.newStandardInput, ShortPassphrase.option
    ).explained(
      """
      The old passphrase or key file no longer opens the store, and the key of 'store unlock' is removed. The command \
      asks for the old one first. \(StationKey.linesExplained)
      """,
      examples: [
        .init("store change-key", "Enter the old and the new passphrase"),
        .init("store change-key --passphrase-stdin", "Old passphrase in the first line, new one in the second"),
      ])
  ) { call, station in
    let key = StationKey(call: call)
    let records = try await key.openedRecords(station, for: .manageKeys)
    try await key.confirm(records, .manageKeys)
    try await records.changeKey(to: try await freshKey(call))
    KernelKeyring(folder: records.folder).drop()
    try await call.emit(StoreStatus(records, records.user))
  }

  static let changeMasterKey = WSABICommand(
    CommandDescription(
      "store change-master-key", "Replace the master key of all records",
      output: .model(StoreStatus.self), effects: [.reads, .writes]
    ).taking(StationKey.option, StationKey.standardInput).explained(
      """
      Use it if a removed user may have kept a copy of the key. Passphrases and key files of all users stay valid. \
      Other programs that have the store open must unlock it again. The keys of all records are encrypted again in one \
      transaction; an interruption changes nothing. The command asks for your key first.
      """,
      examples: [.init("store change-master-key", "After removing a user who had copied the store")])
  ) { call, station in
    let key = StationKey(call: call)
    let records = try await key.openedRecords(station, for: .manageKeys)
    try await records.checkPermission(.manageKeys)
    try await key.confirm(records, .manageKeys)
    try await station.withoutCaptures(call.context) { try await records.changeMasterKey() }
    try await call.emit(StoreStatus(records, records.user))
  }

  private static let readsData = Option(flag: "data", "Read the data of all captures too")

  static let check = WSABICommand(
    CommandDescription(
      "store check", "Check the store for damage",
      output: .model(StoreProblems.self)
    ).taking(readsData, StationKey.option).explained(
      "Checks every record, the checksum of all records, the audit log and the files of captures.",
      examples: [.init("store check --data", "Everything, with the data of captures")])
  ) { call, station in
    let records = try await StationKey(call: call).openedRecords(station)
    let found = try await records.check(readsData: call[readsData])
    let problems = found.filter { $0.severity == .error || $0.severity == .warning }.map(\.message)
    try await call.emit(StoreProblems(problems: problems))
    if let first = problems.first { throw StationError.storeDamaged(first: first, others: problems.count - 1) }
  }

  static let purge = WSABICommand(
    CommandDescription(
      "store purge", "Compact the store after deletions", output: .model(StoreStatus.self),
      effects: [.reads, .writes]
    ).taking(StationKey.option, StationKey.standardInput).explained(
      "Shrinks the file. Deleted data was overwritten when it was deleted.",
      examples: [.init("store purge", "After many deletions")])
  ) { call, station in
    let key = StationKey(call: call)
    let records = try await key.openedRecords(station, for: .manageKeys)
    try await records.checkPermission(.manageKeys)
    try await key.confirm(records, .manageKeys)
    try await records.purge()
    try await call.emit(StoreStatus(records, records.user))
  }

  private static let backup = Argument(
    "file", String.self, kind: .inputFile(extensions: []), "Backup that 'workbench store backup' wrote")

  static let restore = WSABICommand(
    CommandDescription(
      "store restore", "Replace the records of the store with those of a backup",
      output: .model(RestoredStore.self), effects: [.reads, .writes, .deletes]
    ).taking(backup, PersonCommands.yes, StationKey.option, StationKey.standardInput).explained(
      """
      Replaces people, items, captures, users and their keys, and removes the key of 'store unlock'. The audit log \
      stays and records the restore. The command asks for the key of an administrator, which must also open the \
      backup. If the store is missing or unreadable, give the key of an administrator of the backup.
      """,
      examples: [.init("store restore people.backup", "After a mistake, or on a new disk")])
  ) { call, station in
    let records = station.records(call.context)
    try await PersonCommands.confirm(call, "replace all records of the store with those of the backup")
    let source = StationKey(call: call)
    let key = try await source.key(
      asking: "Passphrase of an administrator of the store",
      orThrow: StationError.ownKeyNeeded(to: "restore a backup, even after 'store unlock'"))
    let restoration = try await source.withAdvice { try await records.restore(from: call[backup], provenBy: key) }
    KernelKeyring(folder: records.folder).drop()
    let names = restoration.returned.map(\.name)
    if !names.isEmpty {
      call.warn(
        Diagnostic(
          .warning, code: "wsabi.users-returned",
          "users have their key and role from the backup again: \(names.joined(separator: ", "))",
          advice: "change their roles with 'role', or remove users with 'store remove-user'"))
    }
    try await call.emit(RestoredStore(folder: records.folder, restoration: restoration))
  }

  /// Returns the key of a new store: from any option, or from a passphrase entered twice.
  private static func newKey(_ call: CommandCall) async throws -> VaultKeySource {
    let key = StationKey(call: call)
    let isFresh = !(call[newKeyFile] ?? "").isEmpty || !key.namesKey && StationKey.namedFile == nil
    if isFresh { return try await freshKey(call, orThrow: StationError.firstKeyNeeded) }
    let source = try await key.key(asking: "", orThrow: StationError.firstKeyNeeded)
    if case .passphrase(let bytes) = source {
      let passphrase = String(decoding: bytes, as: UTF8.self)
      try await ShortPassphrase.confirm(passphrase, in: call, orThrow: StationError.shortPassphrase)
    }
    return source
  }

  /// Returns a key that does not open the store yet: a new file, the next line of standard input, or a new passphrase
  /// typed twice.
  ///
  /// The user's own key must have been read before: its line of standard input comes first.
  fileprivate static func freshKey(
    _ call: CommandCall, orThrow missing: ErrorReport = StationError.newKeyNeeded
  ) async throws -> VaultKeySource {
    if let file = call[newKeyFile], !file.isEmpty {
      try Vault.makeKeyFile(at: file)
      return .keyFile(path: file)
    }
    if call[StationKey.standardInput] {
      guard let line = try await call.inputLine() else { throw missing }
      try await ShortPassphrase.confirm(line, in: call, orThrow: StationError.shortPassphrase)
      return .passphrase(Array(line.utf8))
    }
    guard let first = try await call.ask(PromptRequest("New passphrase", isSecret: true)) else {
      throw missing
    }
    try await ShortPassphrase.confirm(first, in: call, orThrow: StationError.shortPassphrase)
    guard let again = try await call.ask(PromptRequest("Repeat the new passphrase", isSecret: true)) else {
      throw missing
    }
    guard Array(first.utf8) == Array(again.utf8) else { throw StationError.passphrasesDiffer }
    return .passphrase(Array(first.utf8))
  }
}

/// The state of the store.
private struct StoreStatus: Model {
  private let folder: String
  private let exists: Bool
  private let user: StoreUser?

  init(_ records: RecordStore, _ user: StoreUser?) {
    (folder, exists, self.user) = (records.folder, records.exists, user)
  }

  static let typeName = "wsabi.store-status"
  static let fields = Fields<StoreStatus> {
    Field("folder", \.folder, "Folder of the store")
    Field("exists", \.exists, "True if the store exists")
    Field("isLocked", { $0.user == nil }, "True if commands that read records ask for a key")
    Field("user", \.user?.name, "Name of the user who opened the store")
    Field("role", \.user?.role.rawValue, "Role of that user")
  }
}

/// The result of a check of the store.
private struct StoreProblems: Model {
  let problems: [String]

  static let typeName = "wsabi.store-problems"
  static let fields = Fields<StoreProblems> {
    Field("isWhole", \.problems.isEmpty, "True if no damage was found")
    Field("problems", \.problems, "Damage found")
  }
}

/// The result of restoring the store from a backup.
private struct RestoredStore: Model {
  let folder: String
  let restoration: RecordStore.Restoration

  static let typeName = "wsabi.store-restored"
  static let fields = Fields<RestoredStore> {
    Field("folder", \.folder, "Folder of the store")
    Field("entries", \.restoration.entries, "Number of entries in the audit log")
    Field(
      "continuesLog", \.restoration.continuesLog,
      "True if the entries of the replaced store are included; false if they were unreadable")
    Field(
      "returnedUsers", { $0.restoration.returned.map(\.name) }, "Users who have their key or role from the backup again"
    )
  }
}

/// Commands about the users of the store and their roles.
enum UserCommands {
  static let all = [role, add, remove]

  private static let output = CommandDescription.Output.list(of: UserRecord.self, typeName: WSABIValueType.users)

  private static let name = Argument("name", String.self, "Name of the user")
  private static let anyName = Argument("name", optional: String.self, "Name of the user")
  private static let newRole = Argument("role", optional: Role.self, "New role")
  private static let addedRole = Argument("role", Role.self, "Role of the user")

  static let role = WSABICommand(
    CommandDescription(
      "role", "List users with their roles, or change a role", output: output, effects: [.reads, .writes]
    ).taking(anyName, newRole, StationKey.option, StationKey.standardInput).explained(
      """
      An operator adds people and captures. A reviewer views, annotates and exports. An admin does all of this, \
      manages users and deletes people. A new role takes effect immediately, even while the user has the store open.
      """,
      examples: [.init("role", "All users"), .init("role ben reviewer", "Make ben a reviewer")])
  ) { call, station in
    let key = StationKey(call: call)
    let name = call[anyName].flatMap { $0.isEmpty ? nil : $0 }
    let records = try await key.openedRecords(station, for: name == nil ? nil : .manageUsers)
    if let name {
      let user = try await user(name, records)
      guard let role = call[newRole] else { throw StationError.missing("role") }
      try await records.checkPermission(.manageUsers)
      try await key.confirm(records, .manageUsers)
      _ = try await records.setRole(role, of: user.id)
    }
    try await emit(call, records)
  }

  static let add = WSABICommand(
    CommandDescription(
      "store add-user", "Add a user with their own key", output: output,
      effects: [.reads, .writes]
    ).taking(
      name, addedRole,
      StoreCommands.newKeyFile.summarized("New key file to create for the user; without it, a passphrase is asked for"),
      StationKey.option, StationKey.newStandardInput, ShortPassphrase.option
    ).explained(
      "The command asks for your own key first. \(StationKey.linesExplained)",
      examples: [
        .init("store add-user ben operator", "Let ben enter a passphrase"),
        .init(
          "store add-user ben operator --passphrase-stdin", "Your passphrase in the first line, ben's in the second"),
      ])
  ) { call, station in
    let key = StationKey(call: call)
    let records = try await key.openedRecords(station, for: .manageUsers)
    try await records.checkPermission(.manageUsers)
    try await key.confirm(records, .manageUsers)
    _ = try await records.addUser(call[name], call[addedRole], key: try await StoreCommands.freshKey(call))
    try await emit(call, records)
  }

  static let remove = WSABICommand(
    CommandDescription(
      "store remove-user", "Remove a user from the store", output: output, effects: [.reads, .writes, .deletes]
    )
    .taking(name, PersonCommands.yes, StationKey.option, StationKey.standardInput).explained(
      "An earlier copy of the store still opens with the user's key; see 'store change-master-key'.",
      examples: [.init("store remove-user ben --yes", "In a script, with a key file")])
  ) { call, station in
    let key = StationKey(call: call)
    let records = try await key.openedRecords(station, for: .manageUsers)
    let user = try await user(call[name], records)
    try await records.checkPermission(.manageUsers)
    try await PersonCommands.confirm(call, "remove user '\(user.name)' from the store")
    try await key.confirm(records, .manageUsers)
    try await records.removeUser(user.id)
    try await emit(call, records)
  }

  private static func user(_ name: String, _ records: RecordStore) async throws -> StoreUser {
    guard let user = try await records.users().first(where: { $0.name == name || String($0.id) == name }) else {
      throw StationError.noUserNamed(name)
    }
    return user
  }

  private static func emit(_ call: CommandCall, _ records: RecordStore) async throws {
    let own = records.user?.id
    let users = try await records.users().map { UserRecord(user: $0, isSelf: $0.id == own) }
    try await call.emit(list: users, typeName: WSABIValueType.users)
  }
}

extension Role: ParameterValue {}
