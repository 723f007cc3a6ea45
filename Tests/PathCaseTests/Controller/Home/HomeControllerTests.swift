import PluginAPI
import PluginTesting
import Testing

@testable import PathCase

@MainActor @Suite struct HomeControllerTests {
  @Test func `all pathways are listed with their contents and the database's origin`() async throws {
    let lab = try await ScreenLab()
    let screen = try await lab.home(width: 100, height: 60)
    #expect(screen.text.contains("Scenario analysis (SMDA)"))
    #expect(screen.text.contains("Glycolysis"))
    #expect(screen.text.contains("15 processes  23 metabolites  2 compartments  2 tissues"))
    let status = screen.controller.status.map(\.text)
    #expect(status.first?.hasSuffix("pathways") == true)
    #expect(status.last?.hasPrefix("bundled database") == true)
  }

  @Test func `a narrow list shows as many counts as fit`() async throws {
    let screen = try await (try await ScreenLab()).home(width: 80)
    screen.press("down")
    let row = try #require(screen.rows.first { $0.contains("Gluconeogenesis") })
    #expect(row.contains("25 processes  30 metabolites") && !screen.text.contains("compartment"))
    screen.resize(60, 24)
    #expect(screen.text.contains("25 processes") && !screen.text.contains("metabolites"))
    screen.resize(40, 24)
    #expect(!screen.text.contains("processes"))
    screen.resize(100, 24)
    let wide = try #require(screen.rows.first { $0.contains("Gluconeogenesis") })
    #expect(wide.contains("5 compartments") && wide.hasPrefix("▌"))
  }

  @Test func `counts of pathways are aligned in columns, also with one tissue`() async throws {
    let screen = try await (try await ScreenLab()).home(width: 100, height: 60)
    let rows = screen.rows.filter { $0.contains(" compartment") }
    let ends = Set(
      rows.map { row in
        let letters = Array(row)
        return letters.indices.first { letters[$0...].starts(with: " metabolite") }
      })
    #expect(rows.count > 20 && rows.contains { $0.contains("tissues") } && rows.contains { !$0.contains("tissues") })
    #expect(ends.count == 1, "\(screen.text)")
  }

  @Test func `a pathway or file given as an argument is opened at once`() async throws {
    let lab = try await ScreenLab()
    let screen = try lab.test.screen("home", ["document": "some/model.xml"], size: Size(width: 80, height: 24))
    #expect(screen.pushed.map(\.screen) == ["pathway"])
    #expect(screen.pushed.last?.arguments["pathway"] == "some/model.xml")
    screen.resize(100, 30)
    #expect(screen.pushed.count == 1)
    let types = PathCasePlugin().contributions.fileTypes
    #expect(types.contains { $0.extensions.contains("sbml") && $0.screen == "pathway" })
  }

  @Test func `files of all formats are opened, also compressed ones`() {
    let opened = Set(PathCasePlugin().contributions.fileTypes.filter { $0.screen == "pathway" }.flatMap(\.extensions))
    let known = NetworkFileFormat.extensions.filter { $0 != "gz" }
    #expect(known.contains("owl"))
    #expect(known.flatMap { [$0, $0 + ".gz"] }.filter { !opened.contains($0) } == [])
  }

  @Test func `a downloaded database is named with its date`() async throws {
    var records = DatabaseRecords(snapshot: "north")
    records.addChain("a", count: 3)
    let screen = try await (try await ScreenLab(records)).home()
    #expect(screen.controller.status.map(\.text) == ["1 pathway", "snapshot north, downloaded 2023-11-14"])
  }

  @Test func `a search finds pathways by all kinds of names and shows the match`() async throws {
    let screen = try await (try await ScreenLab()).home(width: 100)
    screen.press("/")
    #expect(screen.controller.wantsText)
    screen.type("glycol")
    #expect(screen.rows[1].contains("Glycolysis"))
    screen.press("ctrl-u")
    screen.type("2-oxoprop")
    #expect(screen.rows[1].contains("synonym 2-oxopropanoate = Pyruvate"), "\(screen.text)")
    screen.press("ctrl-u")
    screen.type("bisphosphate aldolase")
    #expect(screen.rows[1].contains("process Fructose-bisphosphate aldolase"), "\(screen.text)")
    screen.press("ctrl-u")
    screen.type("4.1.2.13")
    #expect(screen.rows[1].contains("EC 4.1.2.13 Fructose-bisphosphate aldolase"), "\(screen.text)")
    screen.press("ctrl-u")
    screen.type("pfk")
    #expect(screen.rows[1].contains("gene PFKL: 6-Phosphofructokinase"), "\(screen.text)")
    screen.press("ctrl-u")
    screen.type("krebs cycle")
    #expect(screen.rows[1].contains("Citrate cycle (TCA cycle)"), "\(screen.text)")
    #expect(screen.rows[1].contains("synonym Krebs cycle"), "\(screen.text)")
    screen.press("ctrl-u")
    screen.type("citrate urea no such thing")
    #expect(screen.text.contains("nothing matches"))
    screen.press("escape")
    #expect(!screen.controller.wantsText && screen.text.contains("Scenario analysis"))
  }

  @Test func `special letters and symbols match their plain spellings`() async throws {
    let screen = try await (try await ScreenLab()).home(width: 100)
    screen.press("/")
    for typed in ["alpha-ketoglut", "α-ketoglut", "Α-KETOGLUT"] {
      screen.press("ctrl-u")
      screen.type(typed)
      #expect(screen.rows[1].contains("synonym α-ketoglutarate"), "\(screen.text)")
    }
    screen.press("ctrl-u")
    screen.type("h2o")
    #expect(screen.text.contains("H₂O"), "\(screen.text)")
  }

  @Test func `search terms may match different parts of a pathway`() async throws {
    let screen = try await (try await ScreenLab()).home(width: 100)
    screen.press("/")
    screen.type("glycolysis lactate")
    #expect(screen.rows[1].contains("Glycolysis"), "\(screen.text)")
  }

  @Test func `the found metabolite is selected in the opened pathway`() async throws {
    let screen = try await (try await ScreenLab()).home()
    screen.press("/")
    screen.type("oxaloacetate")
    screen.press("enter")
    let request = try #require(screen.pushed.last)
    #expect(request.screen == "pathway")
    #expect(request.arguments["focus"]?.text?.hasPrefix("m-") == true)
  }

  @Test func `scenarios open with one key or after choosing a pathway`() async throws {
    let screen = try await (try await ScreenLab()).home()
    screen.press("s")
    #expect(screen.pushed.last?.arguments["content"] == "scenarios")
    #expect(screen.pushed.last?.arguments["pathway"] == "w-glycolysis")
    screen.press("home", "enter")
    #expect(screen.pushed.last?.screen == "pathways")
    screen.receive(.returned(screen: "pathways", ["open": "w-urea"]))
    #expect(screen.pushed.last?.arguments["pathway"] == "w-urea")
    #expect(screen.pushed.last?.arguments["content"] == "scenarios")
  }

  @Test func `a path opens a file, never a pathway`() async throws {
    let screen = try await (try await ScreenLab()).home()
    screen.press("I")
    screen.answer("glycolysis")
    #expect(screen.pushed.last?.arguments["pathway"] == "./glycolysis")
    screen.press("I")
    screen.answer(nil)
    #expect(screen.pushed.count == 1)
  }

  @Test func `the pathway selected last is selected at the next start`() async throws {
    let lab = try await ScreenLab()
    let screen = try await lab.home()
    screen.press("down", "down")
    let other = HomeController(lab.test.context, PathwayShelf())
    other.restore(screen.controller.saveState())
    #expect(other.saveState() == screen.controller.saveState())
    #expect(try Value(decoding: other.saveState())["selected"] == "w-tca")
  }

  @Test func `a new database is listed as soon as it is installed`() async throws {
    let lab = try await ScreenLab()
    let screen = try await lab.home()
    var records = DatabaseRecords(snapshot: "north")
    records.addChain("a", name: "Northern way", count: 3)
    try PathwayShelf.snapshots(lab.test.context).install(
      DatabaseLinker.link(records),
      origin: SnapshotOrigin(sha256: String(repeating: "a", count: 64), source: "test", fetchedAt: 0))
    lab.test.context.notify(PathwayShelf.databaseChanged, ["reason": "update"])
    await screen.settle()
    #expect(screen.text.contains("Northern way") && !screen.text.contains("Glycolysis"))
  }

  @Test func `the database is updated from the screen`() async throws {
    let lab = try await ScreenLab()
    var records = DatabaseRecords(snapshot: "north")
    records.addChain("a", name: "Northern way", count: 3)
    let folder = try PathCaseFolder()
    try folder.write(records, into: "north")
    try lab.test.context.set("server", to: .text(folder.path + "/north"))
    let screen = try await lab.home(width: 100)
    screen.press("u")
    #expect(screen.text.contains("requesting the database") && screen.text.contains("Glycolysis"))
    screen.press("u")
    #expect(screen.told?.code == "pathcase.updating")
    await screen.settle()
    #expect(screen.text.contains("Northern way") && !screen.text.contains("Glycolysis"), "\(screen.text)")
    #expect(screen.told?.code == "pathcase.update-ended")
    #expect(screen.controller.status.last?.text.hasPrefix("snapshot north, downloaded 2027") == true)
    screen.press("u")
    await screen.settle()
    #expect(screen.told?.message.contains("the database is up to date") == true, "\(String(describing: screen.told))")
  }

  @Test func `escape cancels an update, and an update without a server asks for one`() async throws {
    let screen = try await (try await ScreenLab()).home()
    let before = screen.text
    screen.press("u", "escape")
    #expect(screen.told?.message.contains("update canceled") == true)
    #expect(screen.text == before)
    screen.press("u")
    await screen.settle()
    guard case .question? = screen.requests.last else {
      Issue.record("no server is asked for")
      return
    }
    #expect(screen.text == before)
    screen.answer(nil)
    #expect(screen.text == before)
    var records = DatabaseRecords(snapshot: "north")
    records.addChain("a", name: "Northern way", count: 3)
    let folder = try PathCaseFolder()
    try folder.write(records, into: "north")
    await screen.reply(" \(folder.path)/north ")
    #expect(screen.text.contains("Northern way"), "\(screen.text)")
  }

  @Test func `networks imported from files are listed and found`() async throws {
    let lab = try await ScreenLab()
    let store = try PathwayShelf().userData(lab.test.context)
    try await store.save(
      ImportedNetwork(id: "mine", name: "My map", format: "Escher", file: "mine.json", sha256: "", importedAt: 0),
      content: [1])
    let screen = try await lab.home(width: 100)
    screen.press("end")
    #expect(screen.text.contains("My map") && screen.text.contains("imported  Escher"))
    screen.press("enter")
    #expect(screen.pushed.last?.arguments["pathway"] == "mine")
    screen.press("/")
    screen.type("mine.js")
    #expect(screen.rows[1].contains("My map") && screen.rows[0].contains("1 found"), "\(screen.text)")
    await store.close()
  }

  @Test(arguments: [(0, 0), (1, 1), (20, 5), (24, 3), (300, 2)])
  func `terminals of any size are drawn`(width: Int, height: Int) async throws {
    let screen = try await (try await ScreenLab()).home(width: width, height: height)
    screen.press("/")
    screen.type("a")
    #expect(screen.rows.count == max(1, height) || height == 0)
  }
}
