import Glibc
import PluginAPI
import PluginVault

/// The source of the store's key for a command.
struct StationKey: Sendable {
  let call: CommandCall
  /// The line of standard input, which can be read once: it opens the store and proves who did.
  private let line = TypedLine()

  init(call: CommandCall) { self.call = call }

  /// The option every command has that opens the store.
  static let option = Parameter(
    "key-file", .inputFile(extensions: []),
    "the file with the key of the store; WORKBENCH_WSABI_KEY_FILE names one too")

  /// The option of commands that ask for a passphrase in scripts.
  static let standardInput = Parameter(
    "passphrase-stdin", .flag, "take the passphrase from the first line of standard input")

  /// The option of commands that take a new passphrase beside that which opens the store.
  static let newStandardInput = Parameter(
    "passphrase-stdin", .flag,
    "take passphrases from lines of standard input: first your own, unless '--key-file' is named, then the new one")

  /// The option of commands that take a new passphrase.
  static let short = Parameter(
    "short-passphrase", .flag,
    "take a new passphrase of fewer than \(ShortPassphrase.least) characters without asking")

  /// The order of the lines of standard input, for the help of these commands.
  static let linesExplained = """
    In scripts '--passphrase-stdin' takes your own passphrase from the first line of standard input and the new one from \
    the second; with '--key-file' for your own key the new one is the first line, and with '--new-key-file' none is taken.
    """

  /// The store of the user, opened.
  ///
  /// A key that is named counts first, then that which `store unlock` kept, then that of the environment; then the
  /// user is asked.
  /// - Throws: ``StationError/keyNeeded`` if nobody can be asked, ``VaultError`` if the key opens nothing.
  func openedRecords(_ station: Station) async throws -> RecordStore {
    let records = station.records(call.context)
    await station.lockIfIdle(call.context)
    if records.isLocked {
      guard records.exists else { throw VaultError.noStore(path: records.folder) }
      if try await !openedByKeyring(records) {
        guard let key = try await key(asking: "Passphrase of the store") else { throw StationError.keyNeeded }
        try await records.unlock(key)
      }
    }
    station.touch(call.context)
    return records
  }

  /// The store of the user, opened unless there is none or nobody can be asked for its key.
  func recordsIfAny(_ station: Station) async throws -> RecordStore {
    do {
      return try await openedRecords(station)
    } catch StationError.keyNeeded, VaultError.noStore {
      return station.records(call.context)
    }
  }

  /// The store of the user, opened if that needs nobody's answer, and locked or not there otherwise.
  func recordsUnasked(_ station: Station) async -> RecordStore {
    let records = station.records(call.context)
    await station.lockIfIdle(call.context)
    if records.isLocked, records.exists, !((try? await openedByKeyring(records)) ?? false),
      let named = Self.namedFile
    {
      try? await records.unlock(.keyFile(path: named))
    }
    return records
  }

  /// True if the call itself names a key.
  var namesKey: Bool { !call.text("key-file").isEmpty || call.flag("passphrase-stdin") }

  /// Opens the store by what `store unlock` kept, whose time begins anew; what opens nothing any more is dropped.
  private func openedByKeyring(_ records: RecordStore) async throws -> Bool {
    guard !namesKey else { return false }
    let keyring = KernelKeyring(folder: records.folder)
    guard let key = keyring.take(seconds: Station.idleLimit(call.context)) else { return false }
    do {
      try await records.unlock(.wrapping(key))
      return true
    } catch VaultError.wrongKey {
      keyring.drop()
      return false
    }
  }

  /// The key file that the environment names; nil if it names none.
  static var namedFile: String? {
    getenv("WORKBENCH_WSABI_KEY_FILE").map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// The key by option, environment, standard input or question; nil if there is none of them.
  func key(asking question: String) async throws -> VaultKeySource? {
    let file = call.text("key-file")
    if !file.isEmpty { return .keyFile(path: file) }
    if call.flag("passphrase-stdin") {
      if let known = line.bytes { return .passphrase(known) }
      guard let text = try await call.inputLine() else { throw VaultError.unusablePassphrase }
      line.keep(Array(text.utf8))
      return .passphrase(Array(text.utf8))
    }
    if let named = Self.namedFile { return .keyFile(path: named) }
    guard let answer = try await call.ask(PromptRequest(question, isSecret: true)) else { return nil }
    return .passphrase(Array(answer.utf8))
  }

  /// Has the user prove once more that they are who opened the store, before something of weight is done.
  ///
  /// A key file that is named, or a key on standard input, proves it too: scripts have no other way. What was kept by
  /// `store unlock` does not.
  func confirm(_ records: RecordStore, _ permission: Permission) async throws {
    guard permission.needsKeyAgain else { return }
    guard let key = try await key(asking: "Passphrase once more, to \(permission.words)") else {
      throw StationError.keyNeeded
    }
    guard try await records.isOwnKey(key) else { throw StationError.otherKey }
  }
}
