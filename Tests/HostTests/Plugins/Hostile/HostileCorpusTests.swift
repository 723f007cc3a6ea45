import PluginAPI
import Testing

@testable import Host

/// The corpus of hostile packages and programs as a whole.
///
/// The suite of each kind runs its cases. Suites of their own hold what a plugin does after it was accepted:
/// `MisbehavingPluginTests`, `BlockedScreenTests`, `RescuedTerminalTests` and `PrintedTextTests` for libraries,
/// `ProgramPluginTests` and `HostileProgramProcessTests` for programs, `HostileClientTests` for clients of `serve`.
struct HostileCorpusTests {
  private static func labels<Subject>(_ cases: [HostileCase<Subject>]) -> [String] { cases.map(\.label) }
  private static func codes<Subject>(_ cases: [HostileCase<Subject>]) -> [String] { cases.map(\.code) }

  /// The labels of all cases, by kind.
  private static let labels = [
    "archives": labels(HostileArchives.all), "indexes": labels(HostileIndexes.all) + labels(HostileSources.all),
    "manifests": labels(HostileManifests.all), "libraries": labels(HostileLibraries.all),
    "programs": labels(HostilePrograms.all),
  ]

  @Test(arguments: [("archives", 80), ("indexes", 70), ("manifests", 60), ("libraries", 50), ("programs", 70)])
  func `the corpus has many different cases of each kind`(kind: String, least: Int) throws {
    let labels = try #require(Self.labels[kind])
    #expect(labels.count >= least)
    #expect(Set(labels).count == labels.count)
  }

  @Test func `every case has a code that users can look up`() {
    let codes =
      Self.codes(HostileArchives.all) + Self.codes(HostileIndexes.all) + Self.codes(HostileSources.all)
      + Self.codes(HostileManifests.all) + Self.codes(HostileLibraries.all) + Self.codes(HostilePrograms.all)
    let listed = Set(HostErrorCodes.all.map(\.code))
    #expect(Set(codes).subtracting(listed) == [])
    #expect(Set(codes).count >= 30)
  }
}
