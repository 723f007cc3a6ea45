import PluginAPI

/// Commands about the store itself and who may use it.
enum StoreCommands {
  static let all = [initialize, status]

  private static let fields: [ValueSchema.Field] = [
    .init("folder", .text, "where the store is"), .init("exists", .bool, "whether there is one"),
    .init("isLocked", .bool, "whether its records can be read now"),
    .init("user", .optional(.text), "who opened it"), .init("role", .optional(.text), "what they are there for"),
  ]

  static let initialize = WSABICommand(
    CommandDescription(
      "store init", "makes the store of people and captures", output: .init(.record(fields)), effects: [.writes]
    ).taking(
      options: [
        Parameter("new-key-file", .outputFile, "make a key file here, and let it open the store"),
        Parameter("user", .text, "the name of its administrator", defaultValue: "admin"), StationKey.option,
        StationKey.standardInput,
      ]
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
    try await records.create(try await newKey(call), user: call.text("user"))
    try await call.emit(value(records))
  }

  static let status = WSABICommand(
    CommandDescription("store status", "says where the store is and whether it is open", output: .init(.record(fields)))
      .explained("Nothing is opened for it.", examples: [.init("store status", "before a first capture")])
  ) { call, station in
    try await call.emit(value(station.records(call.context)))
  }

  /// The key of a new store or user.
  static func newKey(_ call: CommandCall) async throws -> VaultKeySource {
    let file = call.text("new-key-file")
    if !file.isEmpty {
      try VaultKeySource.makeKeyFile(at: file)
      return .keyFile(path: file)
    }
    let key = StationKey(call: call)
    guard let first = try await key.key(asking: "New passphrase of the store") else { throw StationError.keyNeeded }
    if case .passphrase(let bytes) = first, !call.flag("passphrase-stdin") {
      guard let again = try await call.ask(PromptRequest("The same passphrase again", isSecret: true)) else {
        throw StationError.keyNeeded
      }
      guard Array(again.utf8) == bytes else { throw StationError.passphrasesDiffer }
    }
    return first
  }

  static func value(_ records: RecordStore) -> Value {
    let user = records.user
    return [
      "folder": .text(records.folder), "exists": .bool(records.exists), "isLocked": .bool(records.isLocked),
      "user": .optional(user?.name), "role": .optional(user?.role.rawValue),
    ]
  }
}
