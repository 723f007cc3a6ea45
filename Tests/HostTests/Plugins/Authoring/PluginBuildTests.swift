import Foundation
import PluginAPI
import TestSupport
import Testing

@testable import Host

struct PluginBuildTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Writes a program of the shell that prints its manifest, which has a command of that name.
  private func write(_ command: String, printing other: String? = nil) throws {
    let manifest = Self.manifest(command)
    try folder.write(Array(manifest.utf8), "tool/plugin.json")
    let script = "case $1 in --manifest) cat <<'END'\n\(other ?? manifest)\nEND\n;; esac\n"
    try folder.write(Array(script.utf8), "tool/main.sh")
  }

  private static func manifest(_ command: String) -> String {
    #"""
    {"protocol": 1, "run": ["sh", "main.sh"],
     "plugin": {"id": "tool", "name": "Tool", "version": "1.0.0", "summary": "Works"},
     "commands": [{"name": "\#(command)", "summary": "Run", "arguments": [], "options": [], "effects": [],
       "output": {"schema": {"is": "any"}, "type": null, "stream": false}}]}
    """#
  }

  private var path: String { folder.url("tool").path }
  private func written() throws -> String {
    try String(contentsOfFile: path + "/plugin.json", encoding: .utf8)
  }

  @Test func `a program with an unchanged manifest builds without problems`() throws {
    try write("go")
    let build = try PluginBuild(path)
    #expect(build.kind == .program)
    let outcome = try build.build(tests: false)
    #expect(outcome.problems == [] && outcome.id == "tool" && outcome.path == path + "/plugin.json")
    #expect(try written() == Self.manifest("go"))
  }

  @Test func `a changed manifest is written`() throws {
    try write("go", printing: Self.manifest("walk"))
    #expect(try PluginBuild(path).build(tests: false).problems == [])
    #expect(try written().contains("walk"))
  }

  @Test func `an invalid manifest is reported and not written`() throws {
    try write("go", printing: Self.manifest("Go Up"))
    let problems = try PluginBuild(path).build(tests: false).problems
    #expect(problems.first?.message.contains("kebab-case") == true)
    #expect(try written().contains(#""go""#))
  }

  @Test func `a failing program's errors are reported with paths relative to the folder`() throws {
    try write("go")
    try folder.write(Array("echo \"$0: line 3: broken\" >&2; exit 1\n".utf8), "tool/main.sh")
    let outcome = try PluginBuild(path).build(tests: false)
    #expect(outcome.problems.map(\.message) == ["main.sh: line 3: broken"])
    #expect(outcome.path == nil && outcome.id == "tool")
  }

  @Test func `an error of several lines keeps its lines, and commands no terminal`() throws {
    try write("go")
    try folder.write(Array("printf 'one\\n  two\\033[31m\\n' >&2; exit 1\n".utf8), "tool/main.sh")
    let problems = try PluginBuild(path).build(tests: false).problems
    #expect(problems.map(\.message) == ["one\n  two\u{FFFD}[31m"])
  }

  @Test func `a program without a manifest option is left unchanged`() throws {
    try write("go")
    try folder.write(Array("read -r line\n".utf8), "tool/main.sh")
    let outcome = try PluginBuild(path).build(tests: false)
    #expect(outcome.problems == [] && outcome.id == "tool")
  }

  @Test func `a build is new after a change, even of a program's code only`() throws {
    try write("go")
    let development = try PluginDevelopment(try PluginBuild(path), runsTests: false)
    let first = try #require(try development.next())
    #expect(first.isGood && !first.isNew)
    try folder.write(Array("exit 0\n".utf8), "tool/main.sh")
    let second = try #require(try development.next())
    #expect(second.isGood && second.isNew)
    try folder.write(Array("echo no >&2; exit 1\n".utf8), "tool/main.sh")
    let third = try #require(try development.next())
    #expect(!third.isGood && !third.isNew)
    development.end()
    #expect(try development.next() == nil)
  }

  /// Writes a program that runs commands of the shell in its folder when it is asked for its manifest.
  private func write(building commands: String) throws {
    try write("go")
    try folder.write(Array("cd \"${0%/*}\" || exit 1\n\(commands)\n".utf8), "tool/main.sh")
  }

  @Test func `files written by a build are not changes, but other changes are`() throws {
    try write(building: "echo x >>results.txt; mkdir -p made; echo x >>made/more.csv")
    let development = try PluginDevelopment(try PluginBuild(path), runsTests: false)
    defer { development.end() }
    #expect(try development.next() != nil)
    #expect(!development.hasChanges)
    try folder.write([1], "tool/resources.csv")
    #expect(development.hasChanges)
    #expect(try development.next() != nil)
    #expect(!development.hasChanges)
    try FileManager.default.removeItem(at: folder.url("tool/resources.csv"))
    #expect(development.hasChanges)
  }

  @Test func `sources that change during a build are built again, a limited number of times`() throws {
    // As a person who saves a file during the first build.
    try write(building: "[ -e saved.py ] || echo x >saved.py")
    let development = try PluginDevelopment(try PluginBuild(path), runsTests: false)
    #expect(try development.next() != nil)
    #expect(development.hasChanges)
    #expect(try development.next() != nil)
    #expect(!development.hasChanges)
    development.end()

    // A build that writes a source itself.
    try write(building: "echo x >>made.py")
    let endless = try PluginDevelopment(try PluginBuild(path), runsTests: false)
    for _ in 0..<4 { #expect(try endless.next() != nil) }
    #expect(!endless.hasChanges)
    endless.end()
    #expect(try endless.next() == nil)
  }

  @Test func `a folder without a plugin has nothing to build`() throws {
    #expect(throws: AuthorError.nothingToBuild(folder.path.path)) { try PluginBuild(folder.path.path) }
    #expect(throws: AuthorError.nothingToBuild("/nonexistent")) { try PluginBuild("/nonexistent") }
  }

  @Test func `compiler errors of a package are reported`() throws {
    try folder.write(
      Array("// swift-tools-version: 6.2\nimport PackageDescription\nlet x: Nothing = 1\n".utf8), "p/Package.swift")
    let build = try PluginBuild(folder.url("p").path)
    #expect(build.kind == .swift && build.built == nil)
    let outcome = try build.build(tests: false)
    #expect(outcome.problems.contains { $0.message.contains("Nothing") })
    #expect(outcome.path == nil)
  }
}
