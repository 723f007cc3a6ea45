import Glibc
import PluginAPI
import PluginVault

/// The requests that screens may make of the store and the sensors.
struct ScreenStation: Sendable {
  /// The store of this user, locked or not.
  let records: @Sendable () -> RecordStore
  let sensors: ScreenSensors
  let now: @Sendable () -> Instant
  /// The switches of the settings screen.
  var switches: [ScreenSwitch] = []
  /// Called whenever a screen is used; the store is locked after a long time without use.
  var onUse: @Sendable () -> Void = {}
  /// Returns the time without use after which the store is locked, in seconds.
  var idleLimitInSeconds: @Sendable () -> Int = { 900 }
  /// Logs an action of the user, never a value.
  var onEvent: @Sendable (ScreenEvent) -> Void = { _ in }

  /// The newest lines of the interaction log, the oldest of them first, by their columns.
  var interactions: @Sendable (_ most: Int) -> [[String]] = { _ in [] }

  /// Returns the sighting of a lock held by another client; nil if no other holder is known.
  var heldByAnother: @Sendable (SensorAddress) -> LockSightings.Sighting? = { _ in nil }

  /// Starts watching for changes by other processes.
  var followOthers: @Sendable () -> Void = {}
  /// Returns the name suggested to the creator of a store.
  var loginName: @Sendable () -> String = LoginName.current
  /// Returns the key file suggested for opening the store; nil for none.
  var namedKeyFile: @Sendable () -> String? = { StationKey.namedFile }

  /// Creates a station that uses the same state as the commands.
  init(_ context: any PluginContext, _ station: Station) {
    self.init(
      records: { station.records(context) }, sensors: ScreenSensors(context, station), now: { context.now() },
      switches: Interaction.Kind.allCases.map { ScreenSwitch($0, context) })
    idleLimitInSeconds = { Station.idleLimit(context) }
    onUse = { station.touch(context) }
    heldByAnother = { station.heldByAnother($0) }
    followOthers = { station.followOthers(context) }
    cancelsOnDismiss = { context.setting(WSABISettings.cancelOnDismiss).bool ?? false }
    interactions = { station.interactions(context).entries($0) }
    onEvent = { event in
      guard let kind = Interaction.Kind(rawValue: event.kind.rawValue) else { return }
      station.note(kind, event.view, event.event, target: event.target, outcome: event.outcome, context)
    }
  }

  init(
    records: @escaping @Sendable () -> RecordStore, sensors: ScreenSensors, now: @escaping @Sendable () -> Instant,
    switches: [ScreenSwitch] = []
  ) {
    self.records = records
    self.sensors = sensors.allowed { Self.may(.useSensors, records()) }
    self.now = now
    self.switches = switches
  }

  /// Returns true if a capture is canceled when its card is closed meanwhile.
  var cancelsOnDismiss: @Sendable () -> Bool = { false }

  /// True if there is a store.
  var exists: Bool { records().exists }

  /// True if nothing can be read now.
  var isLocked: Bool { records().isLocked }

  /// Returns true if the user of the store has a permission.
  func may(_ permission: Permission) -> Bool { Self.may(permission, records()) }

  private static func may(_ permission: Permission, _ records: RecordStore) -> Bool {
    records.user?.role.may(permission) ?? false
  }

  /// Throws an error if the user of the store lacks a permission, and records it in the audit log.
  ///
  /// - Throws: ``VaultError/notPermitted(_:_:)``.
  func check(_ permission: Permission) async throws { try await records().change(permission) { _ in } }

  /// The name of the store's user; empty while the store is locked.
  var userName: String { records().user?.name ?? "" }

  /// The role of the store's user; empty while the store is locked.
  var roleName: String { records().user?.role.rawValue ?? "" }

  /// Makes a store that a passphrase opens, and opens it.
  ///
  /// - Parameter user: The name of its administrator.
  func create(passphrase: String, user: String) async throws {
    try await records().create(.passphrase(Array(passphrase.utf8)), user: user)
    sensors.resume(false)
  }

  /// Makes a key file, and a store that it opens, and opens it.
  ///
  /// - Parameters:
  ///   - path: As it was typed.
  ///   - user: The name of its administrator.
  /// - Returns: The whole path of the key file.
  func create(newKeyFile path: String, user: String) async throws -> String {
    let (records, path) = (records(), TypedPath.whole(path))
    if records.exists { throw VaultError.storeExists(path: records.folder) }
    try Vault.makeKeyFile(at: path)
    do {
      try await records.create(.keyFile(path: path), user: user)
    } catch {
      // A key that opens nothing would obstruct the next attempt.
      if !records.exists { unlink(path) }
      throw error
    }
    sensors.resume(false)
    return path
  }

  /// Opens the store, and resumes captures whose data is still at the sensors.
  func unlock(_ key: ScreenKey) async throws {
    try await records().unlock(key.source(isKeyFile: false))
    opened()
  }

  /// Opens the store with the key that the kernel keeps for commands, if it keeps one.
  ///
  /// - Returns: True if the store is open now.
  func unlockKept() async throws -> Bool {
    let records = records()
    guard !records.wasOpened, let key = KernelKeyring(folder: records.folder).take(seconds: idleLimitInSeconds()) else {
      return false
    }
    try await records.unlock(.wrapping(key))
    opened()
    return true
  }

  /// Resumes leftover captures, and prepares the search index so that the first search is as fast as later ones.
  private func opened() {
    onUse()
    sensors.resume(false)
    let records = records()
    Task(priority: .utility) { try? await records.prepareSearch() }
  }

  /// Forgets the keys, including the one that the kernel keeps for commands.
  func lock() async {
    let records = records()
    KernelKeyring(folder: records.folder).drop()
    await records.lock()
  }

  /// Checks that the user is the one who opened the store.
  ///
  /// - Throws: ``StationError/otherKey``.
  func confirm(_ key: ScreenKey) async throws {
    let records = records()
    let source = key.source(isKeyFile: try await records.hasKeyFile())
    guard try await records.isOwnKey(source) else { throw StationError.otherKey }
  }
}

/// A key entered on a screen.
enum ScreenKey: Sendable {
  case passphrase(String)
  case keyFile(path: String)
  /// Typed text, in a field that accepts both a passphrase and a path.
  case typed(String)

  init(typed text: String) { self = .typed(text) }

  /// Returns true if the text that a user with a key file typed is its path, including one relative to the working
  /// directory of the program's start.
  private static func namesFile(_ text: String) -> Bool {
    TypedPath.isPath(text) || access(TypedPath.whole(text), F_OK) == 0
  }

  /// - Parameter isKeyFile: True if the user has a key file: a passphrase may begin with a slash too.
  fileprivate func source(isKeyFile: Bool) -> VaultKeySource {
    switch self {
    case .keyFile(let path): .keyFile(path: TypedPath.whole(path))
    case .typed(let path) where isKeyFile && Self.namesFile(path): .keyFile(path: TypedPath.whole(path))
    case .passphrase(let text), .typed(let text): .passphrase(Array(text.utf8))
    }
  }
}

/// A setting that is on or off.
struct ScreenSwitch: Sendable {
  var name: String
  var title: String
  var isOn: @Sendable () -> Bool
  var set: @Sendable (Bool) throws -> Void
}

extension ScreenSwitch {
  /// Creates the switch of a kind of interactions in the settings of the plugin.
  init(_ kind: Interaction.Kind, _ context: any PluginContext) {
    let name = kind.setting
    self.init(
      name: name, title: kind.title, isOn: { context.setting(name).bool ?? true },
      set: { try context.set(name, to: .bool($0)) })
  }
}

/// An event on a screen, for the interaction log.
struct ScreenEvent: Sendable, Hashable {
  /// The kind of the event, as the log's switches distinguish them.
  enum Kind: String, Sendable {
    case command
    case scrolling
    case textEntry = "text-entry"
    case presenting
    case dismissing
  }

  var kind: Kind
  /// The screen.
  var view: String
  /// The event, such as the id of an action.
  var event: String
  /// The record concerned, such as `item 7`; empty for none.
  var target = ""
  /// `ok`, an error code, `cancelled`, or `left` for a dismissed question; empty if the event cannot fail.
  var outcome = ""
}
