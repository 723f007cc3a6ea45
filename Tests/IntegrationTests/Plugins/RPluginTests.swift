import Foundation
import TestSupport
import Testing

/// R of the system.
private enum InstalledR {
  static let rscript = URL(fileURLWithPath: "/usr/bin/Rscript")

  /// A Boolean value indicating whether R and the package that the SDK needs are installed.
  static let isComplete =
    FileManager.default.isExecutableFile(atPath: rscript.path)
    && (try? BuiltProgram.run(rscript, ["-e", "loadNamespace('jsonlite')"]).status) == 0
}

/// A plugin that is a program in R, with the SDK's file.
@Suite(.enabled(if: InstalledR.isComplete, "there is no Rscript with jsonlite"))
struct RPluginTests {
  private let home: PluginHome

  init() throws {
    home = try PluginHome(withPlugin: false)
    for (source, name) in [
      ("Tests/Fixtures/Programs/counts/main.R", "main.R"),
      ("Sources/PluginSDK/R/workbench_plugin.R", "workbench_plugin.R"),
    ] {
      let file = try Data(contentsOf: Checkout.root.appendingPathComponent(source))
      try home.folder.write(Array(file), "plugins/counts/\(name)")
    }
    let script = home.plugins.appendingPathComponent("counts/main.R").path
    let manifest = try BuiltProgram.run(InstalledR.rscript, [script, "--manifest"])
    try home.folder.write(Array(manifest.output.utf8), "plugins/counts/plugin.json")
    try home.folder.write(Array("b a b\n".utf8), "text.txt")
  }

  private var text: String { home.folder.url("text.txt").path }

  @Test func `an R command runs and is described like all others`() throws {
    #expect(try home.run("counts", "words", text, "--csv").output == "word,count\r\nb,2\r\na,1\r\n")
    #expect(try home.run("counts", "words", text, "--least", "2", "--json").rows.count == 1)
    #expect(try home.run("help", "counts", "words").output.contains("Smallest count"))
    let missing = try home.run("counts", "words", text + "x", "--json")
    #expect(missing.status == 3 && missing.errorCode == "counts.unreadable")
  }

  @Test func `values of all kinds are included in the result`() throws {
    let outcome = try home.run("counts", "kinds", "--json")
    // More than a line of base64.
    let bytes = String(repeating: "AQIBAgEC", count: 13) + "AQI="
    #expect(
      outcome.output
        == #"{"date":"2026-11-20T06:30:00Z","bytes":"\#(bytes)","third":0.3333333333333333,"none":null,"#
        + #""list":[1,2.5,"é\n\"",true,null],"many":[1,2],"nothing":[],"record":{"a":1e+20}}"# + "\n")
    let log = try String(contentsOf: home.home.appendingPathComponent("state/workbench.log"), encoding: .utf8)
    #expect(log.contains("printed text"))
  }

  @Test func `a command that declares a picture draws it in the size that was asked for`() throws {
    for (options, size) in [([], [4, 2]), (["--size", "6x3"], [6, 3])] as [([String], [UInt8])] {
      let file = home.folder.url("sketch\(size).png")
      let outcome = try home.run(["counts", "sketch", "--output", file.path] + options)
      #expect(outcome.status == 0, "\(outcome.errors)")
      // The header of a PNG file has the width and height at byte 16.
      #expect(try Array(Data(contentsOf: file)[16..<24]) == [0, 0, 0, size[0], 0, 0, 0, size[1]])
    }
    #expect(try home.run("help", "counts", "sketch").output.contains("--size"))
  }

  /// Runs a script with the SDK's file that declares something, and prints its manifest.
  private func manifest(declaring text: String) throws -> BuiltProgram.Outcome {
    let sdk = home.plugins.appendingPathComponent("counts/workbench_plugin.R").path
    let script =
      "source('\(sdk)')\nplugin <- new_plugin('shapes', 'Shapes', '1.0.0', 'Shapes')\n\(text)\nplugin$run()\n"
    let file = try home.folder.write(Array(script.utf8), "shapes.R").path
    return try BuiltProgram.run(InstalledR.rscript, [file, "--manifest"])
  }

  @Test func `the type and stream of a command can be given by position`() throws {
    let outcome = try manifest(
      declaring: "plugin$command('shape', 'Emit a shape', function(call) 1, list(), NULL, 'shapes.shape', TRUE)")
    #expect(outcome.status == 0, "\(outcome.errors)")
    let output = (outcome.record["commands"] as? [[String: Any]])?.first?["output"] as? [String: Any]
    #expect(output?["type"] as? String == "shapes.shape" && output?["stream"] as? Bool == true)
  }

  @Test func `a command with both a table and a picture is an error`() throws {
    let outcome = try manifest(
      declaring: "plugin$command('shape', 'Draw', function(call) 1, table = list(n = 'integer'), picture = TRUE)")
    #expect(outcome.status != 0)
    #expect(outcome.errors.contains("the result of command 'shape' is a table or a picture, not both"))
  }

  @Test func `an R command streams, warns, renders and calls its own plugin`() throws {
    #expect(
      try home.run("counts", "stream", "--jsonl").output == #"{"index":1}"# + "\n" + #"{"index":2}"# + "\n"
        + #"{"index":3}"# + "\n")
    #expect(try home.run("counts", "shape").output == "<4 sides>\n")
    let called = try home.run("counts", "first", text, "--json")
    #expect(called.output == #"{"words":2,"first":"b","unit":"metre"}"# + "\n")
    #expect(called.errors.contains("this is a note"))
  }

  @Test func `an R error names the plugin and the reason`() throws {
    let outcome = try home.run("counts", "stumble", "--json")
    #expect(outcome.status == 4 && outcome.errorCode == "host.plugin-threw")
    #expect(outcome.errorMessage.contains("non-numeric argument"))
    #expect(try home.run("doctor", "--json").output.contains("the ink is low"))
  }
}
