import Foundation
import TestSupport
import Testing

/// Plugins and packages of earlier builds run on this contract, and on a later one.
struct ContractPromiseTests {
  private static let fixtures = Checkout.root.appendingPathComponent("Tests/Fixtures")
  private static let library = Result { try PluginFixture.swift("FifthRevision", contract: .built) }
  private static let hasPython = FileManager.default.fileExists(atPath: "/usr/bin/python3")

  /// Returns a home with the plugin that was written on the first sources of revision 5.
  private func home(_ program: URL = BuiltProgram.workbench) throws -> PluginHome {
    var home = try PluginHome(withPlugin: false)
    home.program = program
    try home.folder.write(try Self.library.get(), "plugins/libFifthRevision.so")
    try home.folder.write(Array("b a b\n".utf8), "text.txt")
    return home
  }

  /// Uses all parts of the plugin in the library: commands, store, setting, renderer, check, topic and screen.
  private func expectLibraryWorks(_ home: PluginHome) throws {
    #expect(try home.run("fifth-revision", "add", "pear").output == "pear: 1 times\n")
    #expect(try home.run("fifth-revision", "add", "fig").output == "fig: 1 times\n")
    #expect(try home.run("fifth-revision", "add", "pear", "--json").record["count"] as? Int == 2)
    #expect(
      try home.run("fifth-revision", "list", "--least", "2", "--csv").output
        == "name,count,share\r\npear,2,66.66666666666667\r\n")
    let unknown = try home.run("fifth-revision", "show", "quince", "--json")
    #expect(unknown.status == 3 && unknown.errorCode == "fifth-revision.unknown-name")
    let total = try home.run("fifth-revision", "total", "--json")
    #expect(total.output == #"{"total":{"value":3.0,"unit":"times"},"at":"1970-01-01T00:00:00Z"}"# + "\n")
    #expect(total.errors.contains("2 numbers were added up"))
    #expect(try home.run("config", "set", "fifth-revision.unit", "dozens").status == 0)
    #expect(try home.run("fifth-revision", "show", "fig").output == "fig: 1 dozens\n")
    let backup = home.folder.url("backup").path
    #expect(try home.run("store", "backup", "fifth-revision:shelf", backup).status == 0)
    #expect(try home.run("fifth-revision", "add", "fig").output == "fig: 2 dozens\n")
    #expect(try home.run("store", "restore", "fifth-revision:shelf", backup, "--yes").status == 0)
    #expect(try home.run("store", "export", "fifth-revision:shelf").output == "pear\nfig\npear\n")
    let screen = try home.run("run", "fifth-revision", "--headless", "60x12", "--keys", "wait a wait f wait")
    for text in ["has fig", "has pear", "heard of pear", "add ended", "failed with fifth-revision.unknown-name"] {
      #expect(screen.output.contains(text))
    }
    #expect(try home.run("doctor", "--json").output.contains("the shelf holds"))
  }

  /// Installs a package that an earlier build packed, and uses the plugin.
  private func expectPackageWorks(_ home: PluginHome) throws {
    let package = Self.fixtures.appendingPathComponent("Packages/words-1.0.0.wbplugin").path
    let installed = try home.runPlain("plugin", "install", package, "--allow-unsigned", "--json")
    #expect(installed.record["version"] as? String == "1.0.0", "\(installed.errors)")
    #expect(try home.runPlain("plugin", "verify").status == 0)
    let counted = try home.runPlain("words", "count", home.folder.url("text.txt").path, "--csv")
    #expect(counted.output == "word,count\r\nb,2\r\na,1\r\n", "\(counted.errors)")
    let missing = try home.runPlain("words", "count", home.folder.url("none.txt").path, "--json")
    #expect(missing.status == 3)
  }

  @Test func `a plugin written on the first sources of revision 5 is built and works with all parts`() throws {
    try expectLibraryWorks(try home())
  }

  @Test(.enabled(if: hasPython, "there is no python3"))
  func `a package of an earlier build, with the SDK of that time, is installed and works`() throws {
    try expectPackageWorks(try home())
  }

  @Test(.enabled(if: hasPython, "there is no python3"))
  func `a library of this contract and a program run on a workbench with a later contract`() throws {
    let folder = try TemporaryFolder()
    let contract = try EvolvedContract(in: folder)
    let program = try workbench(beside: folder.url("libPluginAPI.so"), in: folder.url("tree"))
    let home = try home(program)
    #expect(try home.runPlain("version", "--json").record["contract"] as? Int == contract.revision)
    try expectLibraryWorks(home)
    try expectPackageWorks(home)
    // Both were probed and listed by that program.
    let rows = try home.run("plugin", "list", "--json").rows
    let states = ["fifth-revision", "words"].map { id in
      rows.first { $0["id"] as? String == id }?["state"] as? String
    }
    #expect(states == ["ready", "ready"])
  }

  /// Makes a tree with the program and another contract library, and returns the program.
  private func workbench(beside contract: URL, in tree: URL) throws -> URL {
    let files = FileManager.default
    try files.createDirectory(at: tree, withIntermediateDirectories: true)
    // A program finds its libraries beside itself, not beside a link to it.
    try files.copyItem(at: BuiltProgram.workbench, to: tree.appendingPathComponent("workbench"))
    for name in try files.contentsOfDirectory(atPath: BuiltProgram.folder.path)
    where name.hasPrefix("libPlugin") && name.hasSuffix(".so") && name != contract.lastPathComponent {
      try files.createSymbolicLink(
        at: tree.appendingPathComponent(name), withDestinationURL: BuiltProgram.folder.appendingPathComponent(name))
    }
    try files.copyItem(at: contract, to: tree.appendingPathComponent(contract.lastPathComponent))
    return tree.appendingPathComponent("workbench")
  }

  @Test func `the contract exports all symbols that the plugin imported when packages began`() throws {
    let list = Self.fixtures.appendingPathComponent("Plugins/FifthRevision/symbols.txt")
    let needed = try String(contentsOf: list, encoding: .utf8).split(separator: "\n")
    let library = BuiltProgram.folder.appendingPathComponent("libPluginAPI.so").path
    let listing = try BuiltProgram.run(
      URL(fileURLWithPath: "/usr/bin/env"), ["nm", "-D", "--defined-only", library])
    let exported = Set(listing.output.split(separator: "\n").compactMap { $0.split(separator: " ").last })
    #expect(needed.count > 200)
    #expect(needed.filter { !exported.contains($0) } == [])
  }

  @Test(
    .enabled(if: hasPython, "there is no python3"),
    arguments: [
      #""host":"0.0.1","features":[]"#, #""host":"0.1.0","features":["emit"],"contract":5"#,
      #""host":"9.0.0","features":["emit","telepathy"],"contract":6,"oldestContract":6,"more":{"a":[1]}"#,
    ])
  func `a program answers workbenches of any version and contract in the same way`(host: String) throws {
    let home = try PluginHome(withPlugin: false)
    try home.install(program: "words")
    let text = try home.folder.write(Array("b a b\n".utf8), "text.txt").path
    let hello =
      #"{"jsonrpc":"2.0","id":1,"method":"hello","params":{"protocol":1,\#(host),"plugin":"words","offline":false,"#
      + #""folders":{"resources":"/r","data":"/d","state":"/s","cache":"/c"}}}"#
    let call =
      #"{"jsonrpc":"2.0","id":2,"method":"call","params":{"command":"count","arguments":{"file":"\#(text)"},"#
      + #""presentation":{"interactive":false,"pictureSize":null}}}"#
    let script = """
      coproc python3 -B "$0"
      printf '%s\\n' "$1" >&"${COPROC[1]}"; read -r line <&"${COPROC[0]}"; echo "${line%%\\"features*}"
      printf '%s\\n' "$2" >&"${COPROC[1]}"
      for number in 1 2; do read -r line <&"${COPROC[0]}"; echo "$line"; done
      """
    let outcome = try BuiltProgram.run(
      URL(fileURLWithPath: "/bin/bash"),
      ["-c", script, home.plugins.appendingPathComponent("words/main.py").path, hello, call])
    let lines = outcome.output.split(separator: "\n").map(String.init)
    #expect(lines.count == 3 && lines.first == #"{"jsonrpc":"2.0","id":1,"result":{"protocol":1,"#, "\(outcome.errors)")
    #expect(lines.dropFirst().first?.contains(#""values":["b","a"]"#) == true)
    #expect(lines.last == #"{"jsonrpc":"2.0","id":2,"result":null}"#)
  }
}
