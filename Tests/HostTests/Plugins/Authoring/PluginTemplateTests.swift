import Foundation
import PluginAPI
import TestSupport
import Testing

@testable import Host

@MainActor struct PluginTemplateTests {
  @Test(arguments: [
    ("tides", "Tides"), ("tide-tables", "TideTables"), ("a-1b", "A1b"), ("testing", "TheTesting"),
    ("swift", "TheSwift"),
    ("plug-in", "PlugIn"), ("plugin-api", "ThePluginApi"),
  ])
  func `a module is named after its plugin and shadows no other module`(id: String, name: String) {
    #expect(PluginTemplate.moduleName(of: id) == name)
  }

  @Test func `only known placeholders are filled in`() {
    let values = ["ID": "tide-tables", "MODULE": "TideTables"]
    #expect(
      PluginTemplate.filled("__ID__: __MODULE__Plugin, __name__, ____ID__", values)
        == "tide-tables: TideTablesPlugin, __name__, __tide-tables")
  }

  @Test(arguments: PluginLanguage.allCases) func `a new plugin has no placeholders`(language: PluginLanguage) throws {
    let template = PluginTemplate(language, installation: .current)
    guard (try? PluginSDK(.current).check(for: language)) != nil else { return }
    let files = try template.files(id: "tide-tables")
    let names = Set(files.map(\.name))
    let expected: Set<String>
    switch language {
    case .swift:
      expected = [
        ".gitignore", "Package.swift", "README.md", "Sources/TideTables/Summary.swift",
        "Sources/TideTables/TideTablesPlugin.swift", "Sources/TideTablesStamp/include/tide_tables_stamp.h",
        "Sources/TideTablesStamp/stamp.c", "Tests/TideTablesTests/TideTablesTests.swift",
      ]
    case .python:
      expected = [
        ".gitignore", "README.md", "main.py", "plugin.json", "tests/test_main.py", "transcripts/examples.jsonl",
        "workbench_plugin.py",
      ]
    case .r:
      expected = [
        ".gitignore", "README.md", "main.R", "plugin.json", "summary.R", "tests/test_main.R", "workbench_plugin.R",
      ]
    }
    #expect(names == expected)
    for file in files where !file.name.hasPrefix("workbench_plugin") {
      let text = String(decoding: file.content, as: UTF8.self)
      for mark in ["__ID__", "__MODULE__", "__VARIABLE__", "__SDK__", "__HEADERS__"] {
        #expect(!text.contains(mark), "\(file.name)")
      }
    }
    if let manifest = files.first(where: { $0.name == "plugin.json" }) {
      #expect(try ProgramManifest(manifest.content, path: "plugin.json").stamp.id == "tide-tables")
    }
  }

  @Test func `a new plugin is written completely, and never over an existing folder`() async throws {
    let run = try CommandLineRun()
    let folder = run.home + "/work/demo-tool"
    let output = try await run.output(
      "plugin", "new", "demo-tool", "--language", "python", "--folder", folder, "--json")
    let record = try JSONReader.read(Array(output.utf8))
    #expect(record["id"] == "demo-tool" && record["language"] == "python" && record["folder"].text == folder)
    #expect(record["files"].list?.contains("main.py") == true)
    #expect(try FileManager.default.contentsOfDirectory(atPath: run.home + "/work") == ["demo-tool"])
    let main = try String(contentsOfFile: folder + "/main.py", encoding: .utf8)
    #expect(main.contains(#"Plugin("demo-tool", "DemoTool""#))
    let again = await run.error("plugin", "new", "demo-tool", "--language", "python", "--folder", folder)
    #expect(again?.code == "host.folder-exists" && again?.exitStatus == 7)
    #expect(try String(contentsOfFile: folder + "/main.py", encoding: .utf8) == main)
  }

  @Test(arguments: ["Tides", "t", "../tides", "plugin", "sdk", "tide_tables", "1tides"])
  func `invalid ids are refused, and nothing is written`(id: String) async throws {
    let run = try CommandLineRun()
    let error = await run.error("plugin", "new", id, "--folder", run.home + "/x")
    #expect(error?.code == "host.bad-plugin-id" && error?.exitStatus == 2)
    #expect(!FileManager.default.fileExists(atPath: run.home + "/x"))
  }

  @Test func `an id similar to that of a known plugin causes a warning`() async throws {
    let run = try CommandLineRun(findsPlugins: true)
    let folder = try TemporaryFolder()
    let package = try SamplePackage(id: "tide-tables").write(to: folder)
    try await run("plugin", "install", package, "--allow-unsigned")
    try await run("plugin", "new", "tide-tab1es", "--language", "python", "--folder", run.home + "/new")
    #expect(run.messages.contains("looks like that of the plugin 'tide-tables'"))
  }

  @Test func `an installation without the SDK names the missing file`() throws {
    let folder = try TemporaryFolder()
    let sdk = PluginSDK(HostInstallation(folder: folder.path.path))
    let missing = sdk.modules + "/PluginAPI.swiftinterface"
    #expect(throws: AuthorError.noSDK(missing: missing)) { try sdk.check(for: .swift) }
    #expect(throws: AuthorError.noSDK(missing: sdk.runtimeFile(of: .python) ?? "")) { try sdk.check(for: .python) }
  }

  @Test func `the SDK of an installed tree is found in its folders`() throws {
    let folder = try TemporaryFolder()
    try folder.write([], "lib/workbench/libPluginAPI.so")
    try folder.write([], "bin/workbench")
    let sdk = PluginSDK(HostInstallation(folder: folder.url("bin").path))
    let prefix = folder.path.path
    #expect(sdk.modules == prefix + "/lib/workbench/Modules")
    #expect(sdk.headers == prefix + "/share/workbench/sdk/PluginAPI/Stamp/include")
  }
}
