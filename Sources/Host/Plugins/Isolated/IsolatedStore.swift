import PluginAPI

/// The stores of plugins in child processes, which alone open their files.
enum IsolatedStore {
  /// The time limit for opening a store, which may have to convert its content, in seconds.
  private static let openingSeconds = 60.0

  /// Opens a store; blocks the thread meanwhile.
  static func open(_ name: String, service: ProgramService) throws -> any Store {
    let description = try describe(name, service)
    let link = StoreLink(
      name: name, path: description["path"].text ?? "", schemaVersion: description["schemaVersion"].integer ?? 0,
      service: service)
    return description["shareable"].bool == true ? SharedStoreProxy(link) : StoreProxy(link)
  }

  /// Returns the location of a store and its kind.
  fileprivate static func describe(_ name: String, _ service: ProgramService) throws -> Value {
    defer { service.release() }
    return try service.awaitedSession().wait(
      "store", ["name": .text(name), "action": "open"], label: "store '\(name)'", withinSeconds: openingSeconds)
  }
}

/// The connection to a store in a child process.
private struct StoreLink: Sendable {
  var name: String
  var path: String
  var schemaVersion: Int
  var service: ProgramService

  func request(
    _ action: String, _ parameters: Record = Record(), report: @Sendable (Progress) -> Void = { _ in }
  ) async throws -> Value {
    defer { service.release() }
    var parameters = parameters
    (parameters["name"], parameters["action"]) = (.text(name), .text(action))
    return try await service.session().work(
      "store", .record(parameters), label: "store '\(name)'",
      canceledWithinSeconds: service.source.limits.cancelSeconds, report: report)
  }
}

/// A store whose functions are requests.
private protocol LinkedStore: Store {
  var link: StoreLink { get }
}

extension LinkedStore {
  var name: String { link.name }
  var path: String { link.path }
  var schemaVersion: Int { link.schemaVersion }

  func check() async throws -> [Diagnostic] {
    try (await link.request("check").list ?? []).map { try Diagnostic(value: $0) }
  }

  func backup(to path: String) async throws {
    _ = try await link.request("backup", ["path": .text(FilePath.absolute(path))])
  }

  func restore(from path: String) async throws {
    _ = try await link.request("restore", ["path": .text(FilePath.absolute(path))])
  }

  func export() async throws -> Value { try await link.request("export") }

  /// Does nothing: the child closes its stores when it ends.
  func close() async {}
}

/// A store in a child process.
private final class StoreProxy: LinkedStore {
  let link: StoreLink
  init(_ link: StoreLink) { self.link = link }
}

/// A store in a child process that can live in a database.
private final class SharedStoreProxy: LinkedStore, ShareableStore {
  let link: StoreLink
  init(_ link: StoreLink) { self.link = link }

  /// The address now: the child may share the store in the meantime.
  var sharedAddress: String? { (try? IsolatedStore.describe(link.name, link.service))?["address"].text }

  func share(
    to address: String, progress: @escaping @Sendable (Progress) -> Void
  ) async throws -> SharedStoreSummary {
    let summary = try await link.request("share", ["address": .text(address)], report: progress)
    return SharedStoreSummary(
      copied: summary["copied"].integer ?? 0, known: summary["known"].integer ?? 0,
      notCopied: summary["notCopied"].integer ?? 0)
  }

  func unshare() async throws { _ = try await link.request("unshare") }
}
