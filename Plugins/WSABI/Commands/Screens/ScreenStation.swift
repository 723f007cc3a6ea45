import Glibc
import PluginAPI
import PluginText
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
    cancelsOnDismiss = { context[WSABISettings.cancelOnDismiss] }
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
  /// - Throws: ``VaultRefusal/permission(_:_:)``.
  func check(_ permission: Permission) async throws { try await records().checkPermission(permission) }

  /// The name of the store's user; empty while the store is locked.
  var userName: String { records().user?.name ?? "" }

  /// The role of the store's user; empty while the store is locked.
  var roleName: String { records().user?.role.rawValue ?? "" }

  /// Returns true if a new passphrase is so short that the user should confirm it.
  func isShort(_ passphrase: String) -> Bool { ShortPassphrase.isShort(passphrase) }

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
    if await records.isCreated() { throw VaultError.storeExists(path: records.folder) }
    try Vault.makeKeyFile(at: path)
    do {
      try await records.create(.keyFile(path: path), user: user)
    } catch {
      // A key that opens nothing would obstruct the next attempt.
      if await !records.isCreated() { unlink(path) }
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
    let name = kind.setting.parameter.name
    self.init(
      name: name, title: kind.title, isOn: { context[kind.setting] }, set: { try context.set(name, to: .bool($0)) })
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

/// The requests of screens about people, items and their sensors.
extension ScreenStation {
  /// Returns the content of an item's card.
  func card(_ item: Int) async throws -> CardContent {
    let records = records()
    let found = try await records.item(item)
    let items = try await records.items(of: found.person)
    let others = found.modality == .finger ? items.filter { $0.id != item } : []
    let states = MissingFingers(others).states
    let open = (1...10).filter { states[$0 - 1] == .waiting }.map(MissingFingers.title)
    // Captures left open by an earlier run are put to the next user who opens the card.
    let entries = found.capture == nil ? try await records.journal(of: item) : []
    return CardContent(
      item: found, person: try await records.person(found.person), open: open, question: CaptureQuestion(entries),
      next: found.next(in: items))
  }

  /// Returns the open decisions about earlier captures of some items.
  func questions(_ items: [Int]) async throws -> [Int: CaptureQuestion] {
    let records = records()
    var found: [Int: CaptureQuestion] = [:]
    for item in items { found[item] = CaptureQuestion(try await records.journal(of: item)) }
    return found
  }

  /// Stores the result of the walkthrough: a new item, or changed settings of an existing one.
  ///
  /// - Parameter item: The item that is changed; nil for a new one.
  func keep(_ draft: DraftItem, as item: Int?) async throws -> BiometricItem {
    if let item { return try await records().edit(item: item, draft, at: now()) }
    return try await records().addItem(draft, at: now())
  }

  /// Deletes the capture of an item, once the user has proved their identity.
  func clear(_ item: Int, _ key: ScreenKey) async throws -> BiometricItem {
    try await confirm(key)
    return try await records().clear(item, at: now())
  }

  /// Deletes an item permanently, once the user has proved their identity.
  func delete(item: Int, _ key: ScreenKey) async throws {
    try await confirm(key)
    try await records().deleteItem(item)
  }

  /// Deletes a person permanently, once the user has proved their identity.
  func delete(person: Int, _ key: ScreenKey) async throws {
    try await confirm(key)
    try await records().deletePerson(person)
  }

  /// Adds a sensor to the recent ones of a modality.
  ///
  /// - Throws: ``AddressError`` if the address is malformed.
  func remember(_ name: String, at address: String, for modality: Modality) async throws {
    let parsed = try SensorAddress(parsing: address)
    let device = DeviceDefinition(name: name, address: parsed.text, configuration: WireDictionary(), edited: now())
    try await records().rememberSensor(device, for: modality)
  }

  // MARK: Sensors

  /// Returns the address of an item's sensor; nil if it is malformed.
  func address(of item: BiometricItem) -> SensorAddress? { try? item.device.sensorAddress() }

  /// Returns the order to capture an item; nil if its address is not usable.
  func order(_ item: BiometricItem) -> CaptureOrder? {
    address(of: item).map { CaptureOrder(item: item.id, address: $0, configuration: item.device.configuration) }
  }

  /// Returns the reason a text is not a sensor's address; nil if it may be one.
  func addressProblem(_ text: String, trusting trust: SensorTrust) -> String? {
    do throws(AddressError) {
      _ = try SensorAddress(parsing: text, trusting: trust)
      return nil
    } catch {
      let report = error.report
      return [report.message, report.advice].compactMap { $0 }.joined(separator: "; ")
    }
  }

  /// Returns the information that a service publishes about itself.
  func information(at address: String, trusting trust: SensorTrust) async throws -> ServiceInformation {
    try await sensors.information(try SensorAddress(parsing: address, trusting: trust))
  }

  /// Returns the sensor chosen in a walkthrough, configured for its submodality.
  ///
  /// - Throws: ``AddressError`` if the address is malformed.
  func device(_ choice: Walkthrough.Choice, _ submodality: Submodality) throws -> DeviceDefinition {
    let address = try SensorAddress(parsing: choice.address, trusting: choice.trust)
    var configuration = choice.configuration
    configuration["submodality"] = .string(submodality.wireName)
    return DeviceDefinition(
      name: choice.deviceName, address: address.text, configuration: configuration, edited: now(),
      trust: choice.trust)
  }

  /// Cancels a sensor's operation, even one of another client.
  ///
  /// - Throws: ``SensorRefusal``.
  func interrupt(_ address: SensorAddress) async throws {
    let status = try await sensors.interrupt(address)
    if status != .success { throw SensorRefusal(operation: .cancel, address: address, status: status) }
  }

  /// Starts releasing all locks and sessions when the last list of people is closed, and returns at once.
  ///
  /// The close of the store waits for it for a short while. Locks not released by then are in the store, and the next
  /// run releases them.
  ///
  /// - Parameter person: A person to withdraw first if they were left empty; nil for none.
  func leaveSensors(withdrawing person: Int?) {
    let (records, sensors) = (records(), sensors)
    sensors.runInBackground {
      if let person { _ = try? await records.withdrawPerson(person) }
      await sensors.leave()
    }
  }
}

/// The content of a card.
struct CardContent: Sendable {
  var item: BiometricItem
  var person: Person
  /// The person's fingers with an item but no capture yet.
  var open: [String] = []
  /// The open decision about an earlier capture.
  var question: CaptureQuestion?
  /// The item that is captured next.
  var next: BiometricItem?
}

/// Paths as people type them, where no shell has read them before.
enum TypedPath {
  /// Returns the path with a leading tilde replaced by the user's home, and without surrounding blanks.
  ///
  /// - Parameter home: The user's home; if empty, a tilde stays as it is.
  static func expanded(_ text: String, home: String = ownHome) -> String {
    let path = text.trimmed()
    guard !home.isEmpty, path == "~" || path.hasPrefix("~/") else { return path }
    return home + path.dropFirst()
  }

  /// Returns the absolute path, which is valid in every folder.
  static func whole(_ text: String, home: String = ownHome) -> String {
    let path = expanded(text, home: home)
    guard !path.hasPrefix("/"), let folder = getcwd(nil, 0) else { return path }
    defer { free(folder) }
    let start = String(cString: folder)
    return (start == "/" ? "" : start) + "/" + path
  }

  /// Returns true if a text can only be a path.
  static func isPath(_ text: String) -> Bool {
    ["/", "~/", "./", "../"].contains { expanded(text, home: "").hasPrefix($0) }
  }

  private static var ownHome: String { getenv("HOME").map { String(cString: $0) } ?? "" }
}

/// The login name of the user at the terminal.
enum LoginName {
  /// Returns the login name of the user; empty if the system has none.
  static func current() -> String {
    for variable in ["LOGNAME", "USER"] {
      if let name = getenv(variable).map({ String(cString: $0) }), !name.isEmpty { return name }
    }
    var (entry, found) = (passwd(), UnsafeMutablePointer<passwd>?.none)
    var room = [CChar](repeating: 0, count: 16_384)
    guard getpwuid_r(getuid(), &entry, &room, room.count, &found) == 0, found != nil, let name = entry.pw_name else {
      return ""
    }
    return String(cString: name)
  }
}
