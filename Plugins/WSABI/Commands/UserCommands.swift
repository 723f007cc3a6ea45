import PluginAPI

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
