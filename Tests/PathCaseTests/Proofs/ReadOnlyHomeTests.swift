import Foundation
import PluginStore
import TestSupport
import Testing

@testable import PathCase

/// Read-only homes: another user's, or one on a disk shared that way.
struct ReadOnlyHomeTests {
  private let folder: PathCaseFolder

  init() throws {
    folder = try PathCaseFolder()
    for name in ["bundled/database", "one"] {
      var records = MawSamples.small
      records.snapshot = String(name.prefix { $0 != "/" })
      try folder.write(records, into: name)
    }
  }

  private func run(_ word: String, _ lines: [String]) async throws -> BuiltProgram.Outcome {
    let words = [word, folder.path + "/home", folder.path + "/bundled"] + lines
    return try await OwnThread.value { _ in
      try BuiltProgram.run(BuiltProgram.folder.appendingPathComponent("DatabaseUpdater"), words)
    }
  }

  /// Makes the home read-only, or writable by its owner again.
  private func setRights(_ folders: Int, _ files: Int) throws {
    let home = folder.path + "/home"
    let names = try FileManager.default.subpathsOfDirectory(atPath: home).map { home + "/" + $0 }
    for name in [home] + names {
      var status = stat()
      stat(name, &status)
      chmod(name, mode_t(status.st_mode & S_IFMT == S_IFDIR ? folders : files))
    }
  }

  private func names() throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: folder.path + "/home").sorted()
  }

  @Test(arguments: [[], ["freeze w", "observe mine"]])
  func `a read-only home is read and left unchanged`(_ own: [String]) async throws {
    let made = try await run("run", ["update --server \(folder.path)/one"] + own)
    #expect(made.status == 0, "\(made)")
    try setRights(0o555, 0o444)
    let before = try names()
    let outcome = try await run("look", ["list", "info w", "show first", "tissues", "freeze w", "rollback"])
    #expect(try names() == before)
    try setRights(0o755, 0o644)
    let lines = outcome.output.split(separator: "\n").filter { line in
      ["list", "info", "show", "tissues", "freeze", "rollback"].contains { line.hasPrefix($0) }
    }
    #expect(lines.count == 6, "\(outcome)")
    for line in lines.prefix(4) { #expect(line.hasSuffix(" []"), "\(line)") }
    // This must not be the bundled database.
    #expect(lines.filter { $0.hasPrefix("info") && $0.contains("one") }.count == 1, "\(outcome)")
    let refusals = lines.suffix(2).map { line in line.split(separator: " ").last.map(String.init) ?? "" }
    #expect(refusals == ["store.read-only", "pathcase.store-unusable"], "\(outcome)")
  }

  @Test func `an empty read-only home stays empty`() async throws {
    try FileManager.default.createDirectory(
      atPath: folder.path + "/home/data", withIntermediateDirectories: true)
    let made = try await run("run", ["tissues"])
    #expect(made.status == 0, "\(made)")
    try setRights(0o555, 0o444)
    let before = try names()
    #expect(!before.contains { $0.contains("sqlite") })
    let outcome = try await run("look", ["list", "show first", "freeze first --remove"])
    #expect(try names() == before)
    try setRights(0o755, 0o644)
    #expect(outcome.output.contains("list: ") && !outcome.output.contains("store."), "\(outcome)")
  }
}
