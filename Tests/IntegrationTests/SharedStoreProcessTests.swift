import Foundation
import TestSupport
import Testing

/// Shared stores without the network, by the built program.
@Suite(.enabled(if: PostgresServer.isInstalled, Comment(rawValue: PostgresServer.absence)), .timeLimit(.minutes(10)))
struct SharedStoreProcessTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func workbench(_ words: [String], offline: String? = nil) throws -> BuiltProgram.Outcome {
    try BuiltProgram.run(
      BuiltProgram.workbench, words + ["--json"],
      environment: [
        "WORKBENCH_HOME": folder.url("home").path, "WORKBENCH_PLUGIN_PATH": nil, "WORKBENCH_OFFLINE": offline,
      ])
  }

  @Test func `a shared library is not connected to if the network is turned off`() throws {
    let database = try SharedDatabase(schema: "molecules_library")
    #expect(try workbench(["molecules", "list"]).status == 0)
    let refused = try workbench(["store", "share", "molecules:library", database.address, "--offline"])
    #expect(refused.status == 6 && refused.errorCode == "store.unreachable", "\(refused.errors)")
    let shared = try workbench(["store", "share", "molecules:library", database.address, "--yes"])
    #expect(shared.status == 0, "\(shared.errors)")
    let file = try folder.write(Array("3\nmine\nO 0 0 0\nH 0.96 0 0\nH -0.24 0.93 0\n".utf8), "water.xyz").path
    for (option, variable) in [("--offline", nil), (nil, "1")] as [(String?, String?)] {
      let options = [option].compactMap(\.self)
      let outcome = try workbench(["molecules", "list"] + options, offline: variable)
      #expect(outcome.status == 6 && outcome.errorCode == "store.unreachable", "\(outcome.errors)")
      #expect(outcome.errors.contains("the network is turned off"))
      // Files need no library.
      #expect(try workbench(["molecules", "info", file] + options, offline: variable).status == 0)
    }
    #expect(try workbench(["molecules", "list"]).status == 0)
  }
}
