import Foundation
import PluginAPI
import Testing

@testable import Host

@MainActor struct ManualPageTests {
  @Test func `every command has a page in the folder, equal to the printed one`() async throws {
    let run = try CommandLineRun()
    let folder = run.home + "/man1"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let said = try await run.output("man", "--all", folder)
    let entries = run.interpreter.table.entries
    let names = try FileManager.default.contentsOfDirectory(atPath: folder)
    #expect(names.count == entries.count + 1 && said.hasPrefix("\(names.count) manual pages in"))
    #expect(names.contains("workbench.1") && names.contains("workbench-sample-measure-distance.1"))
    #expect(names.contains("workbench-config-explain.1") && names.contains("workbench-bugreport.1"))
    #expect(!names.contains { $0.contains("__") })
    for entry in entries {
      let words = entry.words.split(separator: " ").map(String.init)
      let page = try String(contentsOfFile: folder + "/workbench-\(words.joined(separator: "-")).1", encoding: .utf8)
      #expect(try await run.output(["man"] + words) == page)
      #expect(page.hasPrefix(".TH \"WORKBENCH\\-") && page.contains("\n.SH NAME\nworkbench\\-"))
    }
    let program = try String(contentsOfFile: folder + "/workbench.1", encoding: .utf8)
    #expect(try await run.output("man") == program)
  }

  @Test func `text in a page is escaped and never begins a roff request`() {
    let declaration = CommandDescription("odd", "Show what's \"odd\" \\fB", output: .init(.any)).explained(
      "First.\n\n'so /etc/passwd\n.so /etc/passwd", examples: [.init("odd \"a b\" 'c'", "Quoted `words`")])
    let page = ManualPage.command(CommandEntry(owner: .plugin("strange"), declaration: declaration))
    #expect(page.contains("\\- Show what\\(aqs \\(dqodd\\(dq \\efB\n"))
    #expect(page.contains("\n\\(aqso /etc/passwd\n\\&.so /etc/passwd\n"))
    #expect(page.contains(".B workbench strange odd \\(dqa b\\(dq \\(aqc\\(aq\nQuoted \\(gawords\\(ga"))
  }

  @Test func `'man --all' excludes a command and needs a writable folder`() async throws {
    let run = try CommandLineRun()
    #expect(await run.error("man", "help", "--all", "/tmp")?.kind == .usage)
    #expect(await run.error("man", "--all", run.home + "/none")?.code == "host.unwritable-file")
  }
}
