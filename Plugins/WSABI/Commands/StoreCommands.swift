import Glibc
import PluginAPI
import PluginVault

/// Commands about the store itself and its users.
enum StoreCommands {
  static let all = [initialize, status, unlock, lock, changeKey, changeMasterKey, check, purge, restore]

  fileprivate static let newKeyFile = Option(
    "new-key-file", String.self, kind: .outputFile, "make a key file here; else a passphrase is asked for twice")

  private static let administrator = Option("user", "the name of its administrator", default: "admin")

  static let initialize = WSABICommand(
    CommandDescription(
      "store init", "makes the store of people and captures", output: .model(StoreStatus.self), effects: [.writes]
    ).taking(
      newKeyFile.summarized("make a key file here, and let it open the store"), administrator, StationKey.option,
      StationKey.standardInput, StationKey.short
    ).explained(
      """
      Everything in it is encrypted. What opens it is a passphrase, which is asked for twice, or a key file of 32 \
      random bytes. Whoever loses both loses what is stored: there is no other way in.
      """,
      examples: [
        .init("store init", "asks for a passphrase"),
        .init("store init --new-key-file ~/station.key", "for scripts and stations nobody sits at"),
      ])
  ) { call, station in
    let records = station.records(call.context)
    if records.exists { throw VaultError.storeExists(path: records.folder) }
    try await records.create(try await newKey(call), user: call[administrator])
    call.warn(
      Diagnostic(
        .note, code: "wsabi.key-needed-again", "each command asks for the key of the store",
        advice: "'store unlock' asks once, for all that follow until 'store lock'"))
    try await call.emit(StoreStatus(records, records.user))
  }

  static let status = WSABICommand(
    CommandDescription(
      "store status", "says where the store is and whether it is open", output: .model(StoreStatus.self)
    )
    .explained(
      "Nothing is opened for it. The store counts as open also while the key that 'store unlock' kept opens it.",
      examples: [.init("store status", "before a first capture")])
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
    } catch VaultError.wrongKey {
      return nil
    }
  }

  static let unlock = WSABICommand(
    CommandDescription(
      "store unlock", "opens the store for the commands that follow",
      output: .model(StoreStatus.self), effects: [.reads, .writes]
    ).taking(StationKey.option, StationKey.standardInput).explained(
      """
      What opens it stays in the kernel's keyring of the user, never on a disk, until it was not used for as long as the \
      setting 'idle-lock' says, or 'store lock'. Where the kernel keeps no keys it is said so, and each command wants the \
      key.
      """,
      examples: [.init("store unlock", "asks for the passphrase, once for all that follows")])
  ) { call, station in
    let records = station.records(call.context)
    guard records.exists else { throw VaultError.noStore(path: records.folder) }
    let key = try await StationKey(call: call).key(asking: "Passphrase of the store")
    try await records.unlock(key)
    station.touch(call.context)
    let keyring = KernelKeyring(folder: records.folder)
    if let number = keyring.put(try await records.kept(key), seconds: Station.idleLimit(call.context)) {
      call.warn(
        Diagnostic(
          .warning, code: "wsabi.not-kept-unlocked",
          "the kernel keeps no keys here (\(String(cString: strerror(number)))): each command wants the key",
          advice: "name a key file with WORKBENCH_WSABI_KEY_FILE"))
    }
    try await call.emit(StoreStatus(records, records.user))
  }

  static let lock = WSABICommand(
    CommandDescription(
      "store lock", "closes the store at once", output: .model(StoreStatus.self), effects: [.reads, .writes]
    ).taking(StationKey.option).explained(
      "What 'store unlock' kept is gone. It needs no key: one that is named is neither read nor checked.",
      examples: [.init("store lock", "before you leave the station")])
  ) { call, station in
    let records = station.records(call.context)
    KernelKeyring(folder: records.folder).drop()
    await records.lock()
    try await call.emit(StoreStatus(records, records.user))
  }

  static let changeKey = WSABICommand(
    CommandDescription(
      "store change-key", "puts another passphrase or key file in place of your own",
      output: .model(StoreStatus.self), effects: [.reads, .writes]
    ).taking(
      newKeyFile, StationKey.option,
      StationKey.newStandardInput, StationKey.short
    ).explained(
      """
      The old one opens nothing from then on; what 'store unlock' kept is gone. The old one is asked for once more. \
      \(StationKey.linesExplained)
      """,
      examples: [
        .init("store change-key", "asks for the old and the new passphrase"),
        .init("store change-key --passphrase-stdin", "the old one in the first line, the new one in the second"),
      ])
  ) { call, station in
    let key = StationKey(call: call)
    let records = try await key.openedRecords(station)
    try await key.confirm(records, .manageKeys)
    try await records.changeKey(to: try await freshKey(call))
    KernelKeyring(folder: records.folder).drop()
    try await call.emit(StoreStatus(records, records.user))
  }

  static let changeMasterKey = WSABICommand(
    CommandDescription(
      "store change-master-key", "puts a new key in the place of the one that all records hang on",
      output: .model(StoreStatus.self), effects: [.reads, .writes]
    ).taking(StationKey.option, StationKey.standardInput).explained(
      """
      For the day when somebody who was removed may have kept a copy of the key. Everybody's own passphrase or key file \
      stays and opens the store as before; other programs that have it open must unlock it again. The keys of all records \
      are wrapped anew in one change: all of it, or, if it is interrupted, nothing. Your own key is asked for once more.
      """,
      examples: [.init("store change-master-key", "after a user was removed who had copied the store")])
  ) { call, station in
    let key = StationKey(call: call)
    let records = try await key.openedRecords(station)
    try await records.checkPermission(.manageKeys)
    try await key.confirm(records, .manageKeys)
    try await station.withoutCaptures(call.context) { try await records.changeMasterKey() }
    try await call.emit(StoreStatus(records, records.user))
  }

  private static let readsData = Option(flag: "data", "read the data of all captures too")

  static let check = WSABICommand(
    CommandDescription(
      "store check", "looks whether the store is whole",
      output: .model(StoreProblems.self)
    ).taking(readsData, StationKey.option).explained(
      "Every record, the sum of all, the audit log, and the data of captures.",
      examples: [.init("store check --data", "all of it")])
  ) { call, station in
    let records = try await StationKey(call: call).openedRecords(station)
    let found = try await records.check(readsData: call[readsData])
    let problems = found.filter { $0.severity == .error || $0.severity == .warning }.map(\.message)
    try await call.emit(StoreProblems(problems: problems))
    if let first = problems.first { throw StationError.storeDamaged(first: first, others: problems.count - 1) }
  }

  static let purge = WSABICommand(
    CommandDescription(
      "store purge", "writes the store anew without the room of what was deleted", output: .model(StoreStatus.self),
      effects: [.reads, .writes]
    ).taking(StationKey.option, StationKey.standardInput).explained(
      "What was deleted is overwritten at once anyway; this makes the file small again.",
      examples: [.init("store purge", "after many deletions")])
  ) { call, station in
    let key = StationKey(call: call)
    let records = try await key.openedRecords(station)
    try await records.checkPermission(.manageKeys)
    try await key.confirm(records, .manageKeys)
    try await records.purge()
    try await call.emit(StoreStatus(records, records.user))
  }

  private static let backup = Argument(
    "file", String.self, kind: .inputFile(extensions: []), "the backup, as 'workbench store backup' wrote it")

  static let restore = WSABICommand(
    CommandDescription(
      "store restore", "replace the records of the store by those of a backup",
      output: .model(RestoredStore.self), effects: [.reads, .writes, .deletes]
    ).taking(backup, PersonCommands.yes, StationKey.option, StationKey.standardInput).explained(
      """
      People, items, captures, users and their keys become those of the backup; what 'store unlock' kept is gone. The \
      audit log stays, and has the restore as its next entry. It asks for the key of an administrator, which must open the \
      backup too; where the store is missing or cannot be read, the key of an administrator of the backup.
      """,
      examples: [.init("store restore people.backup", "after a mistake, or on a new disk")])
  ) { call, station in
    let records = station.records(call.context)
    try await PersonCommands.confirm(call, "replacing the records of the store")
    let key = try await StationKey(call: call).key(asking: "Passphrase of an administrator of the store")
    let restoration = try await records.restore(from: call[backup], provenBy: key)
    KernelKeyring(folder: records.folder).drop()
    let names = restoration.returned.map(\.name)
    if !names.isEmpty {
      call.warn(
        Diagnostic(
          .warning, code: "wsabi.users-returned",
          "users have the key and the role of the backup again: \(names.joined(separator: ", "))",
          advice: "'role' shows and changes their roles, and 'store remove-user' takes a key away"))
    }
    try await call.emit(RestoredStore(folder: records.folder, restoration: restoration))
  }

  /// Returns the key of a new store: from any option, or from a passphrase entered twice.
  private static func newKey(_ call: CommandCall) async throws -> VaultKeySource {
    let key = StationKey(call: call)
    let isFresh = !(call[newKeyFile] ?? "").isEmpty || !key.namesKey && StationKey.namedFile == nil
    if isFresh { return try await freshKey(call) }
    let source = try await key.key(asking: "")
    if case .passphrase(let bytes) = source { try await confirmShort(String(decoding: bytes, as: UTF8.self), call) }
    return source
  }

  /// Returns a key that does not open the store yet: a new file, the next line of standard input, or a new passphrase
  /// typed twice.
  ///
  /// The user's own key must have been read before: its line of standard input comes first.
  fileprivate static func freshKey(_ call: CommandCall) async throws -> VaultKeySource {
    if let file = call[newKeyFile], !file.isEmpty {
      try Vault.makeKeyFile(at: file)
      return .keyFile(path: file)
    }
    if call[StationKey.standardInput] {
      guard let line = try await call.inputLine() else { throw StationError.newKeyNeeded }
      try await confirmShort(line, call)
      return .passphrase(Array(line.utf8))
    }
    guard let first = try await call.ask(PromptRequest("New passphrase", isSecret: true)) else {
      throw StationError.newKeyNeeded
    }
    try await confirmShort(first, call)
    guard let again = try await call.ask(PromptRequest("The new passphrase again", isSecret: true)) else {
      throw StationError.newKeyNeeded
    }
    guard Array(first.utf8) == Array(again.utf8) else { throw StationError.passphrasesDiffer }
    return .passphrase(Array(first.utf8))
  }

  /// Asks the user to confirm a passphrase that is easily guessed.
  ///
  /// - Throws: ``StationError/shortPassphrase(characters:)``.
  private static func confirmShort(_ passphrase: String, _ call: CommandCall) async throws {
    // An empty one is refused as such.
    guard ShortPassphrase.isShort(passphrase), !passphrase.isEmpty, !call[StationKey.short] else { return }
    let question = "A passphrase of \(passphrase.count) characters is easily guessed. Type 'yes' to use it"
    guard try await call.isConfirmed(question) else {
      throw StationError.shortPassphrase(characters: passphrase.count)
    }
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
    Field("folder", \.folder, "where the store is")
    Field("exists", \.exists, "whether there is one")
    Field("isLocked", { $0.user == nil }, "whether a command that reads its records asks for a key")
    Field("user", \.user?.name, "who opened it")
    Field("role", \.user?.role.rawValue, "what they are there for")
  }
}

/// The result of a check of the store.
private struct StoreProblems: Model {
  let problems: [String]

  static let typeName = "wsabi.store-problems"
  static let fields = Fields<StoreProblems> {
    Field("isWhole", \.problems.isEmpty, "whether all is as it was written")
    Field("problems", \.problems, "what is not")
  }
}

/// The result of restoring the store from a backup.
private struct RestoredStore: Model {
  let folder: String
  let restoration: RecordStore.Restoration

  static let typeName = "wsabi.store-restored"
  static let fields = Fields<RestoredStore> {
    Field("folder", \.folder, "where the store is")
    Field("entries", \.restoration.entries, "how many entries the audit log has now")
    Field(
      "continuesLog", \.restoration.continuesLog,
      "whether they include those of the replaced store, which else could not be read")
    Field(
      "returnedUsers", { $0.restoration.returned.map(\.name) }, "users whose key or role is that of the backup again")
  }
}

/// Commands about the users of the store and their roles.
enum UserCommands {
  static let all = [role, add, remove]

  private static let output = CommandDescription.Output.list(of: UserRecord.self, typeName: WSABIValueType.users)

  private static let name = Argument("name", String.self, "the user's name")
  private static let anyName = Argument("name", optional: String.self, "the user's name")
  private static let newRole = Argument("role", optional: Role.self, "the new role")
  private static let addedRole = Argument("role", Role.self, "what the user is there for")

  static let role = WSABICommand(
    CommandDescription(
      "role", "lists users with their roles, or gives a user another one", output: output, effects: [.reads, .writes]
    ).taking(anyName, newRole, StationKey.option, StationKey.standardInput).explained(
      """
      An operator adds people and captures; a reviewer looks, annotates and exports; an admin does all of it, and manages \
      users and deletes people. Another role counts at once, also where the user has the store open.
      """,
      examples: [.init("role", "everybody"), .init("role ben reviewer", "another role for ben")])
  ) { call, station in
    let key = StationKey(call: call)
    let records = try await key.openedRecords(station)
    if let name = call[anyName], !name.isEmpty {
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
      "store add-user", "lets somebody else open the store, with a key of their own", output: output,
      effects: [.reads, .writes]
    ).taking(
      name, addedRole,
      StoreCommands.newKeyFile.summarized("make a key file for the user here; else a passphrase is asked for"),
      StationKey.option, StationKey.newStandardInput, StationKey.short
    ).explained(
      "Your own key is asked for once more before. \(StationKey.linesExplained)",
      examples: [
        .init("store add-user ben operator", "asks for a passphrase, which ben types"),
        .init("store add-user ben operator --passphrase-stdin", "your own in the first line, ben's in the second"),
      ])
  ) { call, station in
    let key = StationKey(call: call)
    let records = try await key.openedRecords(station)
    try await records.checkPermission(.manageUsers)
    try await key.confirm(records, .manageUsers)
    _ = try await records.addUser(call[name], call[addedRole], key: try await StoreCommands.freshKey(call))
    try await emit(call, records)
  }

  static let remove = WSABICommand(
    CommandDescription(
      "store remove-user", "takes somebody's key away", output: output, effects: [.reads, .writes, .deletes]
    )
    .taking(name, PersonCommands.yes, StationKey.option, StationKey.standardInput).explained(
      "Whoever has a copy of the store from before can still open the copy.",
      examples: [.init("store remove-user ben --yes", "in a script, with a key file")])
  ) { call, station in
    let key = StationKey(call: call)
    let records = try await key.openedRecords(station)
    let user = try await user(call[name], records)
    try await records.checkPermission(.manageUsers)
    try await PersonCommands.confirm(call, "taking the key of user \(user.id) away")
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

/// A user of the store as commands emit one.
private struct UserRecord: Model {
  let user: StoreUser
  let isSelf: Bool

  static let typeName = "wsabi.user"
  static let fields = Fields<UserRecord> {
    Field("id", \.user.id, "the user's number, never given twice")
    Field("name", \.user.name, "the user's name")
    Field("role", \.user.role, "what the user is there for")
    Field("isSelf", \.isSelf, "whether it is who opened the store")
  }
}

extension Role: FieldValue, ParameterValue {}
