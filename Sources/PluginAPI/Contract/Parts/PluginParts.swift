/// The parts of a plugin, each declared and made in one place.
///
/// ```swift
/// var parts: PluginParts {
///   PluginParts(
///     commands: [ListCommand(), ShowCommand()],
///     screens: [ScreenPart(StationsController.description) { StationsController($0, $1) }],
///     stores: [StorePart("stations", "Stations and their tidal constants") { StationStore.make($0) }])
/// }
/// ```
public struct PluginParts: Sendable {
  /// Commands, in the order help shows them.
  public var commands: [any Command] {
    get { makeCommands() }
    set { makeCommands = { newValue } }
  }
  /// Screens; `workbench run` shows the first one.
  public var screens: [ScreenPart] {
    get { makeScreens() }
    set { makeScreens = { newValue } }
  }
  /// Stores.
  public var stores: [StorePart] {
    get { makeStores() }
    set { makeStores = { newValue } }
  }
  /// Renderers of typed values.
  public var textRenderers: [TextRendererPart] {
    get { makeTextRenderers() }
    set { makeTextRenderers = { newValue } }
  }
  /// The file types the plugin opens.
  public var fileTypes: [FileTypeDescription] {
    get { makeFileTypes() }
    set { makeFileTypes = { newValue } }
  }
  /// Settings.
  public var settings: [Parameter] {
    get { makeSettings() }
    set { makeSettings = { newValue } }
  }
  /// Checks for `workbench doctor`.
  public var checks: [CheckPart] {
    get { makeChecks() }
    set { makeChecks = { newValue } }
  }
  /// The topics of its notifications.
  public var topics: [TopicDescription] {
    get { makeTopics() }
    set { makeTopics = { newValue } }
  }
  /// The stable codes of its errors and diagnostics.
  public var errorCodes: [ErrorCodeDescription] {
    get { makeErrorCodes() }
    set { makeErrorCodes = { newValue } }
  }

  private var makeCommands: @Sendable () -> [any Command]
  private var makeScreens: @Sendable () -> [ScreenPart]
  private var makeStores: @Sendable () -> [StorePart]
  private var makeTextRenderers: @Sendable () -> [TextRendererPart]
  private var makeFileTypes: @Sendable () -> [FileTypeDescription]
  private var makeSettings: @Sendable () -> [Parameter]
  private var makeChecks: @Sendable () -> [CheckPart]
  private var makeTopics: @Sendable () -> [TopicDescription]
  private var makeErrorCodes: @Sendable () -> [ErrorCodeDescription]

  /// Creates a set of parts; set its properties to add others.
  public init(commands: [any Command] = [], screens: [ScreenPart] = [], stores: [StorePart] = []) {
    self.init(commands: { commands }, screens: { screens }, stores: { stores })
  }

  /// Creates a set of parts of which each kind is made whenever it is read: a command of a large plugin starts without
  /// the screens and error codes.
  ///
  /// ```swift
  /// var parts: PluginParts {
  ///   PluginParts(
  ///     commands: { Commands.all }, stores: { [StationStore.part] }, errorCodes: { TidesError.all })
  /// }
  /// ```
  public init(
    commands: @escaping @Sendable () -> [any Command],
    screens: @escaping @Sendable () -> [ScreenPart] = { [] },
    stores: @escaping @Sendable () -> [StorePart] = { [] },
    textRenderers: @escaping @Sendable () -> [TextRendererPart] = { [] },
    fileTypes: @escaping @Sendable () -> [FileTypeDescription] = { [] },
    settings: @escaping @Sendable () -> [Parameter] = { [] },
    checks: @escaping @Sendable () -> [CheckPart] = { [] },
    topics: @escaping @Sendable () -> [TopicDescription] = { [] },
    errorCodes: @escaping @Sendable () -> [ErrorCodeDescription] = { [] }
  ) {
    makeCommands = commands
    makeScreens = screens
    makeStores = stores
    makeTextRenderers = textRenderers
    makeFileTypes = fileTypes
    makeSettings = settings
    makeChecks = checks
    makeTopics = topics
    makeErrorCodes = errorCodes
  }

  /// Returns the descriptions of all parts.
  public func contributions(of plugin: PluginIdentity) -> Contributions {
    var all = Contributions(plugin: plugin)
    all.commands = commands.map(\.declaration)
    all.screens = screens.map(\.description)
    all.stores = stores.map(\.description)
    all.textRenderers = textRenderers.map(\.typeName)
    all.fileTypes = fileTypes
    all.settings = settings
    all.checks = checks.map(\.description)
    all.topics = topics
    all.errorCodes = errorCodes
    return all
  }
}

/// A command made of a description and a function.
public struct CommandPart: Command {
  private let describe: @Sendable () -> CommandDescription
  private let body: @Sendable (CommandCall) async throws -> Void

  /// The name, parameters, output and effects of the command.
  ///
  /// Each access makes it again: one command is found without the descriptions of those after it.
  public var declaration: CommandDescription { describe() }

  /// Creates a command.
  public init(
    _ declaration: @autoclosure @escaping @Sendable () -> CommandDescription,
    _ body: @escaping @Sendable (CommandCall) async throws -> Void
  ) {
    (describe, self.body) = (declaration, body)
  }

  /// Runs the function.
  public func run(_ call: CommandCall) async throws { try await body(call) }
}

/// A command that uses a state which the commands and screens of a plugin share, such as sessions or open files.
///
/// ```swift
/// static let list = StatefulCommand<Harbor>(
///   CommandDescription("list", "List the stations", output: .table(of: Station.self))
/// ) { call, harbor in
///   try await call.emit(table: harbor.stations())
/// }
/// …
/// PluginParts(commands: [list.bound(to: harbor)])
/// ```
public struct StatefulCommand<State: Sendable>: Sendable {
  private let describe: @Sendable () -> CommandDescription
  private let body: @Sendable (CommandCall, State) async throws -> Void

  /// The name, parameters, output and effects of the command, made again at each access.
  public var declaration: CommandDescription { describe() }

  /// Creates a command without its state.
  public init(
    _ declaration: @autoclosure @escaping @Sendable () -> CommandDescription,
    _ body: @escaping @Sendable (CommandCall, State) async throws -> Void
  ) {
    (describe, self.body) = (declaration, body)
  }

  /// Returns the command with its state.
  public func bound(to state: State) -> CommandPart {
    CommandPart(describe()) { [body] call in try await body(call, state) }
  }
}

/// A screen's description, and the function that makes its controller.
public struct ScreenPart: Sendable {
  /// The screen's name, title and actions.
  public let description: ScreenDescription
  /// Makes the controller.
  public let make: @MainActor @Sendable (ScreenRequest, any PluginContext) throws -> any Controller

  /// Creates a screen.
  public init(
    _ description: ScreenDescription,
    make: @escaping @MainActor @Sendable (ScreenRequest, any PluginContext) throws -> any Controller
  ) {
    (self.description, self.make) = (description, make)
  }
}

/// A store's description, and the function that makes it.
public struct StorePart: Sendable {
  /// The store's name and purpose.
  public let description: StoreDescription
  /// Makes the store.
  public let make: @Sendable (any PluginContext) throws -> any Store

  /// Creates a store.
  public init(_ name: String, _ summary: String, make: @escaping @Sendable (any PluginContext) throws -> any Store) {
    (description, self.make) = (StoreDescription(name, summary), make)
  }
}

/// A renderer's type name, and the function that makes it.
public struct TextRendererPart: Sendable {
  /// The type of values it renders, `plugin.name`.
  public let typeName: String
  /// Makes the renderer.
  public let make: @Sendable (any PluginContext) throws -> any TextRenderer

  /// Creates a renderer for values of a type.
  public init(_ typeName: String, make: @escaping @Sendable (any PluginContext) throws -> any TextRenderer) {
    (self.typeName, self.make) = (typeName, make)
  }
}

/// The description of a check for `workbench doctor`, and the function that runs it.
public struct CheckPart: Sendable {
  /// The check's name and purpose.
  public let description: CheckDescription
  /// Runs the check; returns its findings, which are empty if all is well.
  public let run: @Sendable (any PluginContext) async throws -> [Diagnostic]

  /// Creates a check.
  public init(
    _ name: String, _ summary: String, run: @escaping @Sendable (any PluginContext) async throws -> [Diagnostic]
  ) {
    (description, self.run) = (CheckDescription(name, summary), run)
  }
}

/// Persistent storage of a plugin.
///
/// A store announces its changes through its context, as a notification with the topic `<name>-changed`. All functions
/// may be called from any task; a store serializes access where needed.
public protocol Store: AnyObject, Sendable {
  /// The store's name, as in its contribution.
  var name: String { get }

  /// The file or folder the store lives in, as an absolute path.
  var path: String { get }

  /// The schema version this code writes, counted from 1.
  var schemaVersion: Int { get }

  /// Checks the integrity of the store.
  ///
  /// - Returns: The findings; empty if all is well.
  func check() async throws -> [Diagnostic]

  /// Writes a consistent copy to a new file, even while the store is in use.
  func backup(to path: String) async throws

  /// Replaces the content with that of a backup. The old content is kept if the backup is unusable.
  func restore(from path: String) async throws

  /// Returns the content in a form that does not depend on the store's schema.
  func export() async throws -> Value

  /// Closes the store; later calls throw.
  ///
  /// The host calls this at the end of a run for each store that it opened, and waits two seconds at most.
  func close() async
}

/// The errors that stores have in common, whichever database they use.
public enum CommonStoreError {
  /// The device of the store is full.
  public static let diskFull = DeclaredError(
    "store.disk-full", .failure, "there is no space left on the device; free some space")
  /// The store can only be read.
  public static let readOnly = DeclaredError(
    "store.read-only", .refused, "the file or its folder cannot be written; change its mode")
  /// Another process or client holds a lock.
  public static let locked = DeclaredError(
    "store.locked", .refused, "another process uses the store; try again later")
  /// The content would violate a constraint of the schema.
  public static let constraint = DeclaredError("store.constraint", .unusableInput, "the data violates the schema")
  /// Another user or program changed the stored item after it was read.
  public static let changedMeanwhile = DeclaredError(
    "store.changed-meanwhile", .refused, "another user or program changed the item meanwhile; repeat the change")
  /// A newer version of the plugin wrote the store.
  public static let newerSchema = DeclaredError(
    "store.newer-schema", .unusableInput, "a newer version of the plugin wrote the store; use that version")
  /// The schema could not be brought to the plugin's version; the store is unchanged.
  public static let migrationFailed = DeclaredError(
    "store.migration-failed", .failure, "the store could not be migrated to the plugin's schema version")
  /// The store was used after it was closed.
  public static let closed = DeclaredError("store.closed", .failure, "the store was used after it was closed")
  /// The database refused a statement in another way.
  public static let failed = DeclaredError("store.failed", .failure, "the database refused a statement")
}

/// A renderer that turns values of a type into text, for command output, panes and scripts.
public protocol TextRenderer: Sendable {
  /// The type of values it renders, `plugin.name`.
  var typeName: String { get }

  /// Renders a value, on any thread. The function is pure: the same value and request give the same text.
  func render(_ value: Value, for request: TextRequest) throws -> StyledText
}

/// The requested form of a rendered text.
public struct TextRequest: Sendable, Hashable {
  /// The level of detail.
  public enum Detail: Sendable, Hashable {
    /// One line.
    case summary
    /// The most relevant parts.
    case normal
    /// Everything.
    case full
  }

  /// The available columns; text may be wider if it cannot be avoided.
  public var width: Int
  /// The number of colors that the output can show.
  public var colorDepth: ColorDepth
  /// The level of detail.
  public var detail: Detail
  /// A Boolean value indicating whether the text is for linear reading: no box drawing, no purely visual alignment.
  public var isPlain: Bool

  /// Creates a request.
  public init(width: Int = 80, colorDepth: ColorDepth = .none, detail: Detail = .normal, isPlain: Bool = false) {
    self.width = width
    self.colorDepth = colorDepth
    self.detail = detail
    self.isPlain = isPlain
  }
}
