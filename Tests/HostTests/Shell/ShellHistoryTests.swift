import Foundation
import TestSupport
import Testing

@testable import Host

struct ShellHistoryTests {
  private let folder: TemporaryFolder
  private var path: String { folder.url("state/shell-history").path }

  init() throws { folder = try TemporaryFolder() }

  private func stored() throws -> [String] {
    try String(decoding: HostFile.read(path), as: UTF8.self).split(separator: "\n").map(String.init)
  }

  /// Returns all entries as a new shell finds them, newest first.
  private func entries() -> [String] {
    let history = ShellHistory(path: path)
    var entries = [history.move(.newest)].compactMap { $0 }
    while let entry = history.move(.older) { entries.append(entry) }
    return entries
  }

  @Test func `history moves from the newest line to the oldest and back`() throws {
    let history = ShellHistory(path: path)
    for line in ["a", "b", "a", ""] { try history.add(line, isStored: true) }
    #expect(history.move(.newest) == "a" && history.move(.older) == "b" && history.move(.older) == nil)
    #expect(history.move(.present) == "b" && history.move(.newer) == "a" && history.move(.newer) == nil)
    #expect(history.move(.oldest) == "b")
    #expect(ShellHistory(path: folder.url("none").path).move(.newest) == nil)
  }

  @Test func `lines of two shells are stored once each in a private file`() throws {
    let (first, second) = (ShellHistory(path: path), ShellHistory(path: path))
    try first.add("one", isStored: true)
    try second.add("two", isStored: true)
    try first.add("one", isStored: true)
    #expect(entries() == ["one", "two"])
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    #expect(mode == 0o600)
  }

  @Test func `shells that write simultaneously lose no lines`() async throws {
    let path = path
    try await withThrowingTaskGroup(of: Void.self) { group in
      for shell in 0..<4 {
        group.addTask {
          let history = ShellHistory(path: path)
          for line in 0..<25 { try history.add("\(shell) \(line)", isStored: true) }
        }
      }
      try await group.waitForAll()
    }
    #expect(Set(try stored()).count == 100)
  }

  @Test func `a multiline entry is stored as one entry`() throws {
    let line = "for x in $rows\n  molecules info $x \\\n  \\n\nend"
    try ShellHistory(path: path).add(line, isStored: true)
    #expect(try stored().count == 1)
    #expect(entries() == [line])
  }

  @Test func `a private line is available only in this shell`() throws {
    let history = ShellHistory(path: path)
    try history.add("public", isStored: true)
    try history.add("private", isStored: false)
    #expect(history.move(.newest) == "private")
    #expect(try stored() == ["public"])
  }

  @Test func `the newest ten thousand lines are stored`() throws {
    let many = (0..<11_200).map { "line \($0)\n" }.joined()
    try HostFile.write(Array(many.utf8), to: path, makesFolder: true)
    try ShellHistory(path: path).add("last", isStored: true)
    let lines = try stored()
    #expect(lines.count == ShellHistory.limit && lines.last == "last" && lines.first == "line 1201")
  }

  @Test func `an unusable file is reported once, and lines remain available`() throws {
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    let history = ShellHistory(path: path)
    #expect(throws: HostFileError.self) { try history.add("a", isStored: true) }
    try history.add("b", isStored: true)
    #expect(history.move(.newest) == "b" && history.move(.older) == "a")
  }

  @Test func `bytes that are not UTF-8 do not damage other lines`() throws {
    try HostFile.write([0x61, 0x0A, 0xFF, 0x0A, 0x62], to: path, makesFolder: true)
    #expect(entries() == ["b", "\u{FFFD}", "a"])
  }

  @Test func `a line delayed by another shell's lock is stored with the next one`() throws {
    let history = ShellHistory(path: path, patienceInSeconds: 0)
    try HostFile.whileAlone(with: path) {
      try history.add("a", isStored: true)
      try history.add("b", isStored: true)
    }
    #expect(HostFile.size(path) == nil)
    try history.add("c", isStored: true)
    try history.add("d", isStored: true)
    #expect(try stored() == ["a", "b", "c", "d"])
  }

  @Test func `a partial line left by a killed shell becomes its own entry`() throws {
    try HostFile.write(Array("a\npart".utf8), to: path, makesFolder: true)
    try ShellHistory(path: path).add("b", isStored: true)
    #expect(try stored() == ["a", "part", "b"])
  }

  @Test func `only the end of a file that is too long is read and stored`() throws {
    let many = (0..<2_000).map { "line \($0)\n" }.joined()
    try HostFile.write(Array(many.utf8), to: path, makesFolder: true)
    // Lines of 10 bytes, the first of which is cut.
    let history = ShellHistory(path: path, longestFile: 105)
    #expect(history.move(.oldest) == "line 1990" && history.move(.newest) == "line 1999")
    try history.add("newest 12", isStored: true)
    let lines = try stored()
    #expect(lines.count == 10 && lines.first == "line 1991" && lines.last == "newest 12")
  }

  @Test func `a very long line is not stored`() throws {
    let history = ShellHistory(path: path)
    let line = String(repeating: "q", count: ShellHistory.longestEntry + 1)
    try history.add(line, isStored: true)
    #expect(history.move(.newest) == line && HostFile.size(path) == nil)
  }
}

@MainActor struct HistoryPrivacyTests {
  @Test(arguments: [
    "version", "sample list", "sample info granite", "version; sample list", "sample", "let x = sample info granite",
    "config set quiet yes", "exit 3", "exec 'sample echo a; sample info granite'", "exec 'sample echo $1' a",
    "help exec",
    "for x in [a b]; sample echo $x; end", "let x = 5", "let x=sample list", "if $x == 3; version; end", "# a comment",
    "expect fail sample.no-rock sample fail network", "on-error continue", "break",
  ])
  func `lines without personal data may be stored`(line: String) throws {
    // 'sample' alone is no command that could have personal arguments, but cannot be parsed either.
    let isParsed = line != "sample"
    #expect(HistoryPrivacy(table: try CommandLineRun().interpreter.table).mayStore(line) == isParsed)
  }

  @Test(arguments: [
    "sample info granite --owner Ada", "sample info --owner=Ada granite", "sample list; sample info --finder Bo slate",
    "let x = sample info granite --owner Ada", "sample info granite --ownr Ada", "sample info granite --owner 'Ada",
    "run sample --headless 80x24 --keys type:secret", " version", "\tversion",
    "sample list\nsample info granite --owner Ada", "nonsense --owner Ada", "version; smaple info --owner Ada",
    "let x = smaple info --owner Ada", "let x=smaple info --owner Ada", "for x in smaple info --owner Ada; end",
    "expect fail smaple info --owner Ada", "on-error smaple info --owner Ada", "exec 'sample info granite --owner Ada'",
    "exec 'version; exec \"sample info granite --owner Ada\"'", "exec 'smaple info --owner Ada'",
    "exec 'sample info granite --owner $1' Ada", "exec --lua 'wb.sample.info{\"granite\", owner = \"Ada\"}'",
    "let x = exec --lua 'print(1)'", "Ada",
  ])
  func `lines that have or may have personal data are not stored`(line: String) throws {
    #expect(!HistoryPrivacy(table: try CommandLineRun().interpreter.table).mayStore(line))
  }
}
