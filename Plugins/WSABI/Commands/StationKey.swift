import Glibc
import PluginAPI
import PluginVault
import Synchronization

/// The source of the store's key for a command.
struct StationKey: Sendable {
  let call: CommandCall
  /// The line of standard input, which can be read once: it opens the store and proves the user's identity.
  private let line = TypedLine()

  init(call: CommandCall) { self.call = call }

  /// The option of every command that opens the store.
  static let option = Option(
    "key-file", String.self, kind: .inputFile(extensions: []),
    "Key file of the store; the default is the file that WORKBENCH_WSABI_KEY_FILE names")

  /// The option of commands that need a passphrase in scripts; false in all others.
  static let standardInput = Option(
    Parameter("passphrase-stdin", .flag, "Read the passphrase from the first line of standard input")
  ) { $0.bool ?? false }

  /// The option of commands that read a new passphrase besides the one that opens the store.
  static let newStandardInput = standardInput.summarized(
    "Read passphrases from lines of standard input: your own unless '--key-file' is given, then the new one")

  /// The order of the lines of standard input, for the help of these commands.
  static let linesExplained = """
    In scripts, '--passphrase-stdin' reads your passphrase from the first line of standard input and the new one from \
    the second. With '--key-file', the first line is the new passphrase. With '--new-key-file', no new passphrase is \
    read.
    """

  /// Returns the user's store, opened.
  ///
  /// The key named by the call takes precedence, then the key stored by `store unlock`, then the environment's. Without
  /// these, the user is prompted.
  /// - Parameter permission: The permission that the command confirms afterwards; nil if it confirms none.
  /// - Throws: The error of ``needed(for:)`` without a terminal, ``StationError/wrongKey(advice:)`` for a wrong key.
  func openedRecords(_ station: Station, for permission: Permission? = nil) async throws -> RecordStore {
    let records = station.records(call.context)
    await station.lockIfIdle(call.context)
    if records.isLocked {
      guard records.exists else { throw VaultError.noStore(path: records.folder) }
      if try await !openedByKeyring(records) {
        let key = try await key(asking: "Passphrase of the store", orThrow: Self.needed(for: permission))
        try await withAdvice { try await records.unlock(key) }
      }
    }
    station.touch(call.context)
    return records
  }

  /// Returns the user's store, opened unless there is none or its key cannot be requested.
  func recordsIfAny(_ station: Station) async throws -> RecordStore {
    do {
      return try await openedRecords(station)
    } catch let error as ErrorReport where error == StationError.keyNeeded {
      return station.records(call.context)
    } catch VaultError.noStore {
      return station.records(call.context)
    }
  }

  /// Returns the user's store, opened if that needs no input; otherwise locked or absent.
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
  var namesKey: Bool { namedFile != nil || call[Self.standardInput] }

  /// The key file that the call names; nil if it names none.
  private var namedFile: String? { call[Self.option].flatMap { $0.isEmpty ? nil : $0 } }

  /// Opens the store with the key stored by `store unlock`, and restarts its idle time; drops a key that no longer
  /// opens the store.
  private func openedByKeyring(_ records: RecordStore) async throws -> Bool {
    guard !namesKey else { return false }
    let keyring = KernelKeyring(folder: records.folder)
    guard let key = keyring.take(seconds: Station.idleLimit(call.context)) else { return false }
    do {
      try await records.unlock(.wrapping(key))
      return true
    } catch VaultError.wrongKeyCode {
      keyring.drop()
      return false
    }
  }

  /// The key file named by the environment; nil if there is none.
  static var namedFile: String? {
    getenv("WORKBENCH_WSABI_KEY_FILE").map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// The origin of the key that a command uses.
  private enum Origin {
    case option(path: String)
    case standardInput
    case environment(path: String)
    case prompt

    /// The advice after this key was refused.
    var advice: String {
      switch self {
      case .option: "name another key file with '--key-file'"
      case .standardInput: "check the first line of standard input"
      case .environment:
        "WORKBENCH_WSABI_KEY_FILE names the key file; name another with '--key-file', or unset it to be asked for a "
          + "passphrase"
      case .prompt: "run the command again, or name a key file with '--key-file'"
      }
    }
  }

  private var origin: Origin {
    if let namedFile { return .option(path: namedFile) }
    if call[Self.standardInput] { return .standardInput }
    return Self.namedFile.map { .environment(path: $0) } ?? .prompt
  }

  /// Returns the key from an option, the environment, standard input or a question.
  ///
  /// - Throws: `missing` if no key is named and the user cannot be asked.
  func key(
    asking question: String, orThrow missing: @autoclosure () -> ErrorReport
  ) async throws -> VaultKeySource {
    switch origin {
    case .option(let path), .environment(let path): return .keyFile(path: path)
    case .standardInput:
      if let known = line.bytes { return .passphrase(known) }
      guard let text = try await call.inputLine() else { throw VaultError.unusablePassphrase }
      line.keep(Array(text.utf8))
      return .passphrase(Array(text.utf8))
    case .prompt:
      guard let answer = try await call.ask(PromptRequest(question, isSecret: true)) else { throw missing() }
      return .passphrase(Array(answer.utf8))
    }
  }

  /// Calls a function that uses the key; the error for a wrong key has advice about the key's origin.
  func withAdvice<Result>(_ body: () async throws -> Result) async throws -> Result {
    do { return try await body() } catch VaultError.wrongKeyCode { throw StationError.wrongKey(advice: origin.advice) }
  }

  /// Requires the user to prove their identity again before a significant action.
  ///
  /// A named key file, or a key on standard input, is proof too: scripts have no other way. The key stored by `store
  /// unlock` is not.
  func confirm(_ records: RecordStore, _ permission: Permission) async throws {
    guard permission.needsKeyAgain else { return }
    let key = try await key(
      asking: "Enter your passphrase again to \(permission.action)", orThrow: Self.needed(for: permission))
    guard try await records.isOwnKey(key) else { throw StationError.otherKey(advice: origin.advice) }
  }

  /// Returns the error of a key that cannot be requested; its advice omits `store unlock` if that is not enough.
  private static func needed(for permission: Permission?) -> ErrorReport {
    guard let permission, permission.needsKeyAgain else { return StationError.keyNeeded }
    return StationError.ownKeyNeeded(to: "\(permission.action), even after 'store unlock'")
  }
}

/// A line of standard input, held while a command runs and then overwritten.
private final class TypedLine: Sendable {
  private let content = Mutex<[UInt8]?>(nil)

  var bytes: [UInt8]? { content.withLock { $0 } }

  func keep(_ bytes: [UInt8]) { content.withLock { $0 = bytes } }

  deinit {
    content.withLock { content in
      guard var bytes = content else { return }
      content = nil
      SecretMemory.wipe(&bytes)
    }
  }
}
