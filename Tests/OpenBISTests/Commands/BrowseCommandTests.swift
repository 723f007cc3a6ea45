import FoundationEssentials
import PluginAPI
import PluginSimulation
import PluginTesting
import TestSupport
import Testing

@testable import OpenBIS
@testable import OpenBISSimulator

/// The output of the commands that show, find and write cached entities.
@Suite struct BrowseCommandTests {
  private func ids(_ user: LabUser, _ line: String) async throws -> [String] {
    try await user.run(line).value.list?.compactMap { $0["permId"].text } ?? []
  }

  @Test func `a category without a list of children shows its roots, by id and by label`() async throws {
    let user = try await LabUser.synced(.yeastlab)
    let byLabel = try await ids(user, "roots Yeasts")
    #expect(byLabel.count == 60)
    #expect(try await ids(user, "roots YEAST") == byLabel)
    #expect(try await ids(user, "drill YEAST --cached") == byLabel)
    #expect(try await ids(user, "drill YEAST") == byLabel)
    #expect(try await ids(user, "roots YEAST --offset 58") == Array(byLabel.suffix(2)))
    #expect(await user.report("roots NOPE")?.code == "openbis.unknown-entity")
  }

  @Test func `a category with a list of children shows them, by id and by label`() async throws {
    let user = try await LabUser.synced()
    let probes = try await ids(user, "roots PROBES")
    #expect(probes.count == 319)
    #expect(try await ids(user, "roots Probes") == probes)
    #expect(try await ids(user, "drill PROBES --cached") == probes)
  }

  @Test func `before the first refresh lists say how to begin`() async throws {
    let user = try await LabUser.loggedIn()
    for line in ["roots", "categories", "search kinase"] {
      #expect(try await user.codes(line).contains("openbis.never-synced"), "\(line)")
    }
    try await user.run("sync")
    #expect(try await user.codes("roots") == [])
  }

  @Test func `after a logout cached data is shown with a warning`() async throws {
    let user = try await LabUser.synced()
    try await user.run("logout")
    #expect(try await user.codes("detail 20130115094021737-249") == ["openbis.logged-out"])
    let drilled = try await user.run("drill PROBES --limit 5")
    #expect(drilled.value.list?.count == 5)
    #expect(drilled.diagnostics.first?.message == "logged out; showing cached data")
  }

  @Test func `details show inherited properties with the labels, order and values of a refresh`() async throws {
    let user = try await LabUser.loggedIn(.yeastlab, "--native")
    let folder = CacheFolder()
    let rules = """
      {"mapping":1,"rules":[{"kind":"DATA_SET","root":true,"takes":["sample"]},{"kind":"SAMPLE","show":false}]}
      """
    try rules.write(toFile: folder.path + "/taking.json", atomically: true, encoding: .utf8)
    try await user.run("mapping use \(folder.path)/taking.json")
    try await user.run("sync --no-index")
    // A data set of a yeast, whose storage is a term of a vocabulary.
    let taking = "DATA_SET.20240102080000000-241"
    let refreshed = try await user.entity(taking)["properties"]
    #expect(refreshed.list?.contains { $0["label"] == "YEA17: Storage" && $0["value"] != "MINUS_80" } == true)
    #expect(try await user.run("detail \(taking)").value["properties"] == refreshed)
  }

  @Test func `a code instead of an id is refused with the id as a suggestion`() async throws {
    let user = try await LabUser.synced(.yeastlab, "--native")
    // The identifier of a data set is its code; that of a sample is a path without its permanent id.
    let sample = "SAMPLE.20130115094021737-1"
    #expect(try await user.entity(sample)["identifier"].text?.hasPrefix("/") == true)
    for id in ["DATA_SET.20240102080000000-341", sample] {
      let code = try #require(id.split(separator: ".").last)
      for line in ["detail \(code)", "export \(code)"] {
        let report = await user.report(line)
        #expect(report?.code == "openbis.unknown-entity", "\(line)")
        #expect(report?.advice == "did you mean '\(id)'?", "\(line)")
      }
    }
  }

  @Test func `cached data is shown with the error if the server responds with one`() async throws {
    let user = try await LabUser.synced()
    user.server.add(SimulatorFaultRule(.scriptFails, on: "DETAIL"))
    let shown = try await user.run("detail 20130115094021737-249")
    #expect(shown.value["permId"] == "20130115094021737-249")
    let warning = try #require(shown.diagnostics.first)
    #expect(warning.severity == .warning && warning.message.hasSuffix("; showing cached data"), "\(warning)")
    #expect(await user.report("detail NOPE")?.code == "openbis.unknown-entity")
  }

  @Test func `options of the other kind of search, unknown domains and empty texts are refused`() async throws {
    let user = try await LabUser.synced()
    for (line, code) in [
      ("search kinase --remote --under PROBES", "openbis.other-search"),
      ("search kinase --remote --anywhere", "openbis.other-search"),
      ("search kinase --domain x", "openbis.other-search"),
      ("search kinase --remote --domain NOPE", "openbis.unknown-domain"),
      ("search kinase --under NOPE", "openbis.unknown-entity"), ("search ' '", "openbis.empty-text"),
      ("search ''", "openbis.empty-text"),
    ] {
      #expect(await user.report(line)?.code == code, "\(line)")
    }
    let long = String(repeating: "x", count: 10_000)
    let note = try await user.run("search \(long)").diagnostics.first
    #expect(note?.code == "openbis.nothing-found" && note?.message.count ?? 0 < 120)
  }

  @Test func `a search for objects on the server returns the requested number`() async throws {
    let user = try await LabUser.synced(.plain, "--native") { $0.entities = 400 }
    let some = try await user.run("search sample --remote --limit 20")
    let more = try await user.run("search sample --remote --limit 1000")
    #expect(some.value.list?.count == 20 && some.diagnostics.map(\.code) == ["openbis.more"])
    #expect(more.value.list?.count ?? 0 > 100)
  }

  @Test func `a tree has the requested number of rows, and reports truncation`() async throws {
    let user = try await LabUser.synced()
    let cut = try await user.run("tree PROBES --rows 3")
    #expect(cut.value.list?.count == 3 && cut.diagnostics.map(\.code) == ["openbis.more"])
    let whole = try await user.run("tree PROBES --depth 0")
    #expect(whole.value.list?.map { $0["kind"] } == ["entity", "deeper"] && whole.diagnostics.isEmpty)
  }

  @Test func `an export without a file prints the same document as in a file`() async throws {
    let user = try await LabUser.synced()
    let folder = CacheFolder()
    for format in ["json", "csv", "html"] {
      let file = folder.path + "/export." + format
      _ = try await user.plugin.run(
        "export", ["perm-id": "PROBES", "depth": 1, "format": .text(format), "output": .text(file)])
      let written = String(decoding: try #require(FileManager.default.contents(atPath: file)), as: UTF8.self)
      let value = try await user.run("export PROBES --depth 1 --format \(format)").value
      let printed = try user.plugin.text(value) + "\n"
      #expect(printed == written.split(separator: "\r\n", omittingEmptySubsequences: false).joined(separator: "\n"))
      switch format {
      case "json":
        #expect(value["format"] == "openbis-export" && value["entities"].list?.count == 320)
        #expect(value["entities"].list?.first?["state"] == ["root", "navigation"])
      case "csv": #expect(value.table?.rowCount == 320 && value.table?.columns.first?.name == "permId")
      default: #expect(value.text == written)
      }
    }
  }

  @Test func `ids and codes are completed from the cache only, most recent first`() async throws {
    let user = try await LabUser.loggedIn(.plain, "--native") { $0.entities = 50 }
    #expect(try await user.codes("entities") == ["openbis.never-synced"])
    try await user.run("sync --no-index")
    user.server.forgetCalls()
    let sets = try #require(try await user.run("data-sets").value.table)
    let codes = (0..<sets.rowCount).compactMap { sets.row($0)["code"]?.text }
    #expect(Set(codes) == Set(stride(from: 0, to: 50, by: 10).map(SimulatedDataSet.code)) && codes.count == 5)
    let all = try #require(try await user.run("entities").value.table)
    let ids = (0..<all.rowCount).compactMap { all.row($0)["permId"]?.text }
    #expect(ids.count == 5 + 50 + 6 + 6 + 3 && Set(codes.map { "DATA_SET." + $0 }).isSubset(of: ids))
    #expect(ids.first?.hasPrefix("DATA_SET.") == true && ids.last?.hasPrefix("SPACE.") == true)
    let some = try await user.run("entities --limit 7")
    #expect(some.value.table?.rowCount == 7 && some.diagnostics.map(\.code) == ["openbis.more"])
    #expect(user.server.callCount == 0)
  }

  @Test func `every argument for an entity or a data set is completed from the cache`() {
    for command in OpenBISPlugin().contributions.commands where !command.name.hasPrefix("mapping") {
      for parameter in command.arguments + command.options {
        let source: String? =
          switch parameter.name {
          case "perm-id", "under": "entities"
          case "data-set": "data-sets"
          case "category": "categories"
          default: nil
          }
        #expect(parameter.completion?.command == source, "\(command.name) \(parameter.name)")
      }
    }
  }

  @Test func `a table without room for all properties reports the number of omitted values`() async throws {
    let lab = try await WrittenLab()
    lab.write("ROOT", WrittenLab.rootColumns, [WrittenLab.root("A")])
    let properties = (0..<2100).map { #"{"key":"K\#($0)","label":"","value":"v\#($0)"}"# }.joined(separator: ",")
    lab.write("DETAIL", WrittenLab.detailColumns, [["A", "{}", "Things", "A", "", "/A", "", "[\(properties)]"]])
    try await lab.run("sync")
    try await lab.run("detail A")
    let folder = CacheFolder()
    for output in [[:], ["output": .text(folder.path + "/a.csv")]] as [Record] {
      var arguments: Record = ["perm-id": "A", "format": "csv"]
      for field in output.fields { arguments[field.name] = field.value }
      let warning = try await lab.plugin.run("export", arguments).diagnostics.first
      #expect(warning?.code == "openbis.columns-left-out" && warning?.message.hasPrefix("100 values") == true)
    }
    #expect(try await lab.codes("export A") == [])
  }

  @Test func `'mapping show' prints the rules, and its text is a valid mapping`() async throws {
    let user = try await LabUser.loggedIn(.demo, "--native")
    let shown = try await user.run("mapping show")
    #expect(shown.value["rules"].list?.isEmpty == false)
    let folder = CacheFolder()
    let file = folder.path + "/lab.json"
    let text = try user.plugin.text(shown.value)
    #expect(text.split(separator: "\n").count > 10)
    #expect(FileManager.default.createFile(atPath: file, contents: Data(text.utf8)))
    let (mine, shipped) = (
      try MappingFile.value(file), try MappingFile.value(LabBrowser.defaultMapping(user.plugin.context))
    )
    #expect(mine == shipped)
  }

  @Test func `a file is previewed as a picture, a table or text`() async throws {
    let user = try await LabUser.synced(.demo, "--native")
    let sets = try await user.run("search DATA_SET --anywhere --limit 50").value.list ?? []
    var kinds: Set<String> = []
    for set in sets.prefix(6) {
      let id = try #require(set["permId"].text)
      guard let files = try? await user.plugin.run("files", ["data-set": .text(id)]).value.table else { continue }
      for row in 0..<files.rowCount {
        let path = files.row(row)["path"]?.text ?? ""
        let value = try await user.plugin.run("preview", ["data-set": .text(id), "path": .text(path)]).value
        switch value.content {
        case .picture: kinds.insert("picture")
        case .table(let table):
          kinds.insert("table")
          #expect(table.columns.map(\.name) == table.columns.map(\.title))
        case .text: kinds.insert("text")
        default: Issue.record("\(path) is shown as \(value)")
        }
      }
    }
    #expect(kinds == ["picture", "table", "text"])
  }

  @Test func `a number of entities is refused for a simulated lab of fixed size`() async throws {
    let user = try await LabUser()
    #expect(await user.report("simulate --shape demo --entities 3")?.code == "openbis.fixed-size")
  }
}
