internal import Glibc
public import PluginAPI
internal import Synchronization

/// The content of a shared store in its database.
public protocol SharedContent: Sendable {
  /// Announces the changes of all users from now on.
  func listen()

  /// Closes the connections to the database.
  func close() async
}

/// The place of a store's content: a file on this machine, or a database that several people share.
///
/// The file `NAME.shared` beside the store's own has the address of the database. A store whose address cannot be used
/// fails at each access: its own file never takes the place of the database.
public final class StoreSharing<Content: SharedContent>: Sendable {
  private struct Place: Sendable {
    let address: String
    let content: Result<Content, any Error>
  }

  private struct State: Sendable {
    var place: Place?
    /// True once a screen shows the store.
    var isObserved = false
  }

  private let file: SharedAddressFile
  private let open: @Sendable (String) throws -> Content
  private let onChange: @Sendable () -> Void
  private let state: Mutex<State>

  /// Reads the address without connecting.
  ///
  /// - Parameters:
  ///   - errors: The errors of the store, which also name it.
  ///   - folder: The folder of the store's own file, as an absolute path.
  ///   - onChange: Called after the place has changed.
  ///   - open: Returns the content at an address, without connecting.
  public init(
    _ errors: SharedStoreErrors, folder: String, onChange: @escaping @Sendable () -> Void,
    open: @escaping @Sendable (_ address: String) throws -> Content
  ) {
    let file = SharedAddressFile(folder: folder, errors: errors)
    (self.file, self.open, self.onChange) = (file, open, onChange)
    let place: Place?
    do throws(ErrorReport) {
      place = try file.read().map { address in Place(address: address, content: Result { try open(address) }) }
    } catch {
      place = Place(address: "unknown address", content: .failure(error))
    }
    state = Mutex(State(place: place))
  }

  /// The address of the database; nil while the content is on this machine.
  public var address: String? { state.withLock { $0.place?.address } }

  /// Returns the content in the database; nil while it is on this machine.
  ///
  /// - Throws: The reason for which the address cannot be used.
  public func content() throws -> Content? { try state.withLock { $0.place }?.content.get() }

  /// Copies the content to a database, and uses that from then on.
  ///
  /// - Parameter copying: Copies and verifies the content. If it throws, the content stays where it was.
  public func share<Summary: Sendable>(
    to address: String, copying: @Sendable (Content) async throws -> Summary
  ) async throws -> Summary {
    let content = try open(address)
    do {
      let summary = try await copying(content)
      try await use(Place(address: address, content: .success(content)))
      return summary
    } catch {
      await content.close()
      throw error
    }
  }

  /// Uses the file on this machine again; the database keeps its content.
  public func unshare() async throws { try await use(nil) }

  private func use(_ place: Place?) async throws {
    let (file, address) = (self.file, place?.address)
    try await OwnThread.value { _ in try file.write(address) }
    let former = state.withLock { state in
      let former = state.place
      state.place = place
      if state.isObserved { Self.content(of: place)?.listen() }
      return former
    }
    await Self.content(of: former)?.close()
    onChange()
  }

  private static func content(of place: Place?) -> Content? { try? place?.content.get() }

  /// Announces the changes of all users of the database from now on, also of one that is used later.
  public func listen() {
    state.withLock { state in
      if state.isObserved { return }
      state.isObserved = true
      Self.content(of: state.place)?.listen()
    }
  }

  /// Closes the connections to the database.
  public func close() async { await Self.content(of: state.withLock { $0.place })?.close() }
}

/// The file with the address of a shared store.
private struct SharedAddressFile: Sendable {
  private let path: String
  private let errors: SharedStoreErrors

  init(folder: String, errors: SharedStoreErrors) {
    (path, self.errors) = (folder + "/\(errors.store).shared", errors)
  }

  /// Returns the address; nil if the store is not shared.
  func read() throws(ErrorReport) -> String? {
    do throws(WholeFile.ReadFailure) {
      let text = String(decoding: try WholeFile.read(path, limitInBytes: 1 << 16), as: UTF8.self)
      return text.split(separator: "\n").first.map(String.init) ?? ""
    } catch {
      if error.isMissing { return nil }
      throw errors.addressUnreadable(path, reason: error.reason)
    }
  }

  /// Writes the address; removes the file for nil.
  func write(_ address: String?) throws(ErrorReport) {
    let failure: Int32
    if let address {
      failure = WholeFile.replace(path, with: Array((address + "\n").utf8))
    } else {
      failure = unlink(path) == 0 || errno == ENOENT ? 0 : errno
    }
    if failure != 0 { throw errors.addressNotKept(path, reason: WholeFileFailure(number: failure).reason) }
  }
}

/// The errors of a store that can be shared; their codes begin with the id of its plugin.
public struct SharedStoreErrors: Sendable {
  /// The store's name in its plugin.
  public let store: String
  private let plugin: String
  private let shared: DeclaredError
  private let addedByOther: DeclaredError
  private let copyDiffers: DeclaredError
  private let addressUnreadable: DeclaredError
  private let addressNotKept: DeclaredError

  /// Declares the errors.
  ///
  /// - Parameters:
  ///   - store: The store's name in its plugin.
  ///   - plugin: The id of the plugin.
  public init(of store: String, plugin: String) {
    (self.store, self.plugin) = (store, plugin)
    shared = DeclaredError(
      "\(plugin).\(store)-shared", .refused, "a shared store has no file to back up, restore or rebuild")
    addedByOther = DeclaredError(
      "\(plugin).added-by-other", .refused, "another user added the item to the shared store and may delete it")
    copyDiffers = DeclaredError(
      "\(plugin).copy-differs", .failure, "after copying, the database has other content; the store is not shared")
    addressUnreadable = DeclaredError(
      "\(plugin).shared-address-unreadable", .failure,
      "the file with the address of the shared store could not be read")
    addressNotKept = DeclaredError(
      "\(plugin).shared-address-not-kept", .failure,
      "the file with the address of the shared store could not be changed")
  }

  /// The codes, for the catalog of errors.
  public var errorCodes: [ErrorCodeDescription] {
    [shared, addedByOther, copyDiffers, addressUnreadable, addressNotKept].map(\.catalogueEntry)
  }

  private var unsharing: String { "'workbench store unshare \(plugin):\(store)'" }

  /// Returns the error of a task that needs a file, while the store is shared.
  ///
  /// - Parameters:
  ///   - task: The participle of the task, such as `backed up to a file`.
  ///   - alternative: Something else to use; nil for nothing.
  public func shared(at address: String, _ task: String, use alternative: String? = nil) -> ErrorReport {
    shared(
      "the store is in '\(address)' and cannot be \(task)",
      advice: (alternative.map { "use \($0), or " } ?? "") + "run \(unsharing) first")
  }

  /// Returns the error of an item that another user added, and that only that user may delete.
  public func addedByOther(_ item: String, user: String) -> ErrorReport {
    addedByOther(
      "\(item) was added by '\(user)'", advice: "ask '\(user)' or an owner of the database to delete it")
  }

  /// Returns the error of a copy that is not the same as the content of the file.
  public func copyDiffers(_ items: [String]) -> ErrorReport {
    copyDiffers(
      "the database does not have the same content: \(items.joined(separator: ", "))",
      advice: "check the server's disk, then share again; your own store is still in use")
  }

  fileprivate func addressUnreadable(_ file: String, reason: String) -> ErrorReport {
    addressUnreadable(
      "the address of the shared store in '\(file)' could not be read: \(reason)",
      advice: "make the file readable, or use your own store with \(unsharing)")
  }

  fileprivate func addressNotKept(_ file: String, reason: String) -> ErrorReport {
    addressNotKept(
      "the address of the shared store in '\(file)' could not be changed: \(reason)",
      advice: "free disk space, or make the folder writable")
  }
}
