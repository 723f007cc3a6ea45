import Glibc
import PluginAPI

/// How a command comes by the key of the store.
struct StationKey: Sendable {
  let call: CommandCall

  /// The option every command has that opens the store.
  static let option = Parameter(
    "key-file", .inputFile(extensions: []),
    "the file with the key of the store; WORKBENCH_WSABI_KEY_FILE names one too")

  /// The option of commands that ask for a passphrase in scripts.
  static let standardInput = Parameter(
    "passphrase-stdin", .flag, "take the passphrase from the first line of standard input")

  /// The store of the user, opened.
  ///
  /// - Throws: ``StationError/keyNeeded`` if nobody can be asked, ``VaultError`` if the key opens nothing.
  func openedRecords(_ station: Station) async throws -> RecordStore {
    let records = station.records(call.context)
    guard records.isLocked else { return records }
    guard records.exists else { throw VaultError.noStore(path: records.folder) }
    guard let key = try await key(asking: "Passphrase of the store") else { throw StationError.keyNeeded }
    try await records.unlock(key)
    return records
  }

  /// The key by option, environment, standard input or question; nil if there is none of them.
  func key(asking question: String) async throws -> VaultKeySource? {
    let file = call.text("key-file")
    if !file.isEmpty { return .keyFile(path: file) }
    if !call.flag("passphrase-stdin"), let named = getenv("WORKBENCH_WSABI_KEY_FILE").map({ String(cString: $0) }),
      !named.isEmpty
    {
      return .keyFile(path: named)
    }
    if call.flag("passphrase-stdin") {
      guard let line = try await call.inputLine() else { throw VaultError.unusablePassphrase }
      return .passphrase(Array(line.utf8))
    }
    guard let answer = try await call.ask(PromptRequest(question, isSecret: true)) else { return nil }
    return .passphrase(Array(answer.utf8))
  }

  /// Has the user prove once more that they are who opened the store, before something of weight is done.
  ///
  /// A key file that is named, or a key on standard input, proves it too: scripts have no other way.
  func confirm(_ records: RecordStore, _ permission: Permission) async throws {
    guard permission.needsKeyAgain else { return }
    guard let key = try await key(asking: "Passphrase once more, to \(permission.words)") else {
      throw StationError.keyNeeded
    }
    guard try await records.isOwnKey(key) else { throw StationError.otherKey }
  }
}
