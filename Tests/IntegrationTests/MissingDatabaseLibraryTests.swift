import Foundation
import TestSupport
import Testing

/// The program on a machine without libpq, the library of PostgreSQL.
@Suite(.enabled(if: PrivateMounts.areAllowed, Comment(rawValue: PrivateMounts.absence)))
struct MissingDatabaseLibraryTests {
  private static let address = "postgresql://ada@localhost/lab"

  /// Runs the program with the home of a batch run.
  private func run(_ words: String..., in home: BatchHome) throws -> BuiltProgram.Outcome {
    try PrivateMounts.withoutLibpq(BuiltProgram.workbench, words, environment: home.environment.mapValues { $0 })
  }

  private func expectMissing(_ outcome: BuiltProgram.Outcome) {
    #expect(outcome.status == 1 && outcome.errorCode == "store.library-missing", "\(outcome.errors)")
    #expect(outcome.errorMessage.hasPrefix("cannot use libpq: libpq.so.5: "))
    #expect(outcome.errors.split(separator: "\n").count == 1 && outcome.output == "")
  }

  @Test func `gathering into a database is an error in one sentence, and into files works`() throws {
    let home = try BatchHome()
    try home.planNested(3)
    #expect(try home.batch("run").status == 0)
    let gather = try run("batch", "gather", home.run.path, "--into", Self.address, in: home)
    #expect(gather.status == 1 && gather.output == "")
    #expect(gather.errors.hasPrefix("workbench: cannot use libpq: libpq.so.5: "))
    #expect(gather.errors.hasSuffix("; install it with 'sudo apt-get install libpq5'\n"))
    #expect(gather.errors.split(separator: "\n").count == 1)
    expectMissing(try run("batch", "gather", home.run.path, "--into", Self.address, "--json", in: home))
    let results = try run("batch", "gather", home.run.path, in: home)
    #expect(results.status == 0 && results.output == BatchHome.nested(3), "\(results.errors)")
  }

  @Test(arguments: ["molecules:library", "pathcase:user-data"])
  func `sharing a store is an error, and the store stays on this machine`(_ store: String) throws {
    let home = try BatchHome()
    expectMissing(try run("store", "share", store, Self.address, "--yes", "--json", in: home))
    let rows = try run("store", "list", "--json", in: home).rows
    #expect(rows.contains { $0["name"] as? String == store })
    #expect(rows.allSatisfy { $0["backend"] as? String == "sqlite" })
  }

  @Test func `a shared store is an error at each use, and can be used on this machine again`() throws {
    let home = try BatchHome()
    let data = try #require(home.environment["WORKBENCH_HOME"]) + "/data/stores/molecules"
    try FileManager.default.createDirectory(atPath: data, withIntermediateDirectories: true)
    try "\(Self.address)\n".write(toFile: data + "/library.shared", atomically: true, encoding: .utf8)
    expectMissing(try run("molecules", "list", "--json", in: home))
    let row = try run("store", "list", "--json", in: home).rows.first { $0["name"] as? String == "molecules:library" }
    #expect(row?["backend"] as? String == Self.address)
    let unshare = try run("store", "unshare", "molecules:library", "--yes", "--json", in: home)
    #expect(unshare.status == 0 && unshare.record["backend"] as? String == "sqlite", "\(unshare.errors)")
    let list = try run("molecules", "list", "--json", in: home)
    #expect(list.status == 0 && list.rows.count > 3, "\(list.errors)")
  }

  @Test(arguments: [
    ["version"], ["plugin", "list"], ["molecules", "list"], ["pathcase", "list"],
    ["store", "check", "molecules:library"],
    ["run", "molecules", "--headless", "80x24"],
  ])
  func `whatever needs no database works`(_ words: [String]) throws {
    let home = try BatchHome()
    let outcome = try PrivateMounts.withoutLibpq(
      BuiltProgram.workbench, words, environment: home.environment.mapValues { $0 })
    #expect(outcome.status == 0 && !(outcome.output + outcome.errors).contains("libpq"), "\(outcome.errors)")
  }

  @Test func `doctor names the library and its package`() throws {
    let doctor = try run("doctor", "--csv", in: BatchHome())
    let line = doctor.output.split(whereSeparator: \.isNewline).first { $0.contains("libpq.so.5") }
    #expect(line?.contains("warning") == true && line?.contains("'libpq5'") == true, "\(doctor.output)")
  }
}
