import PluginAPI

/// A store of a program: a file in the plugin's data folder, which the program reads, writes and looks after itself.
final class ProgramStore: Store {
  let name: String
  let path: String
  /// The program migrates its file itself.
  let schemaVersion = 1
  private let service: ProgramService

  init(_ name: String, data: String, service: ProgramService) {
    (self.name, self.service) = (name, service)
    path = data + "/" + name + ".sqlite"
  }

  func check() async throws -> [Diagnostic] {
    try (await request("check").list ?? []).map { try Diagnostic(value: $0) }
  }

  func backup(to path: String) async throws { _ = try await request("backup", path) }

  func restore(from path: String) async throws { _ = try await request("restore", path) }

  func export() async throws -> Value { try await request("export") }

  func close() async {}

  private func request(_ action: String, _ path: String? = nil) async throws -> Value {
    defer { service.release() }
    let parameters: Value = [
      "name": .text(name), "action": .text(action), "path": .optional(path.map(FilePath.absolute)),
    ]
    return try await service.session().response(to: "store", parameters, label: "store '\(name)'")
  }
}
