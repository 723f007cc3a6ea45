import FoundationEssentials
import PluginAPI
import PluginTesting
import TestSupport
import Testing

@testable import PathCase

@MainActor @Suite(.enabled(if: !ScenarioTruth.names.isEmpty, "the shared data is missing"))
struct ScenarioControllerTests {
  private func plugin() async throws -> TestPlugin {
    try await TestPlugin(PathCasePlugin(), resources: Checkout.root.path + "/Plugins/PathCase/Resources")
  }

  /// Returns the pathway screen with the scenarios of a known network.
  private func screen(
    _ name: String, _ plugin: TestPlugin? = nil, width: Int = 120, height: Int = 30
  ) async throws -> ScreenDriver {
    let folder = try #require(ScenarioTruth.folder)
    let used: TestPlugin = if let plugin { plugin } else { try await self.plugin() }
    return try await ScreenDriver(
      used,
      ScreenRequest(
        "pathway",
        arguments: [
          "document": .text(folder.appendingPathComponent(name + ".json").path), "content": "scenarios",
        ]), size: Size(width: width, height: height)
    ).settled()
  }

  private func lastStatus(_ driver: ScreenDriver) -> String? {
    driver.requests.reversed().lazy.compactMap { request -> String? in
      if case .status(let diagnostic) = request { diagnostic.message } else { nil }
    }.first
  }

  @Test func `observations, the number of scenarios and a page of them are shown`() async throws {
    let driver = try await screen("t07_glycolysis_gng")
    let text = driver.text
    #expect(text.contains("16 scenarios  necessary") && text.contains("Observed: 3 of 10 pools"))
    #expect(text.contains(" C      g6p") && text.contains("[scenarios]") && text.contains("1–16"))
    let rows = text.split(separator: "\n").filter { $0.contains(" run  ") }
    let signs = rows.compactMap { $0.split(separator: " ").drop { $0 != "run" }.dropFirst().first.map(String.init) }
    // The aligned signs of the processes in which the page differs distinguish each scenario from all others.
    #expect(signs.count == 16 && Set(signs).count == 16 && Set(signs.map(\.count)).count == 1, "\(text)")
    #expect(signs.allSatisfy { $0.allSatisfy("+-0".contains) })
    #expect(driver.outline.title.hasSuffix("Scenarios") && driver.outline.items.count == 16)
  }

  @Test func `labels are edited in place, and the count is updated`() async throws {
    let driver = try await screen("t05_glycolysis_free")
    #expect(driver.text.contains("208 scenarios"))
    driver.press("left", "down", "c")
    #expect(driver.text.contains("▌C      g6p") && !driver.text.contains("208 scenarios"))
    driver.press("down", "u")
    #expect(driver.text.contains("Observed: 2 of 10 pools"))
    driver.press("space")
    #expect(driver.text.contains("▌A      f6p"))
    driver.press("x", "X")
    #expect(driver.text.contains("208 scenarios") && driver.text.contains("Observed: 0 of 10"))
  }

  @Test func `labels are assigned without moving to the pools first, as the footer states`() async throws {
    let driver = try await screen("t05_glycolysis_free")
    #expect(driver.rows.last { $0.contains("enter on graph") }?.contains("u a c label") == true)
    driver.press("c")
    #expect(driver.text.contains("Observed: 1 of 10 pools") && driver.text.contains("▏C "), "\(driver.text)")
    // Where the pools are not visible, none can be labeled, and the footer does not offer it.
    driver.resize(50, 14)
    #expect(!driver.text.contains("u a c label"))
    driver.press("u", "left")
    #expect(driver.text.contains("▌C "), "\(driver.text)")
  }

  @Test func `every key in the footer has an action`() throws {
    for side in [true, false] {
      for panel in ScenarioBrowserState.Panel.allCases {
        var state = ScenarioBrowserState()
        (state.isAtPools, state.panel, state.size) = (side, panel, Size(width: 120, height: 30))
        state.network.rules.levels = 4
        let words = ScenarioKey.footer(state).split(separator: "  ").flatMap { part in
          part.split(separator: " ").prefix { $0.count == 1 || ["space", "enter"].contains($0) }
        }
        #expect(words.count > 3)
        for word in words where !"↑↓←→".contains(word) {
          let key = try #require(Key(String(word)))
          #expect(ScenarioKey.action(of: key, state) != nil, "\(word) at \(panel), pools: \(side)")
        }
      }
    }
  }

  @Test func `a narrow screen shows the keys that lead to other parts`() async throws {
    let driver = try await screen("t05_glycolysis_free", width: 60, height: 20)
    #expect(driver.rows.contains { $0.contains("← pools  v panel  m mode  enter on graph") }, "\(driver.text)")
    driver.press("v")
    #expect(driver.rows.contains { $0.contains("← pools  v panel  m mode  + - 0 only with") }, "\(driver.text)")
    driver.press("v")
    #expect(driver.rows.contains { $0.contains("enter why  ← pools  v panel  m mode") }, "\(driver.text)")
    driver.press("left")
    #expect(driver.rows.contains { $0.contains("→ scenarios  v panel  m mode  u a c label") }, "\(driver.text)")
    #expect(ScenarioKey.footer(ScenarioBrowserState(), width: 0).isEmpty)
  }

  @Test func `keys cycle through modes and panels`() async throws {
    let driver = try await screen("t07_glycolysis_gng")
    driver.press("m")
    #expect(driver.text.contains("0 scenarios  strict") && driver.text.contains("an unlisted inhibitor"))
    driver.press("m")
    #expect(driver.text.contains("4 scenarios  realizable") && driver.text.contains("4 of 16 scenarios"))
    driver.press("v")
    #expect(driver.text.contains("[shares]") && driver.text.contains("50.0 %"))
    driver.press("v")
    #expect(driver.text.contains("G6Pase  always runs forward") && driver.text.contains("PDH  never runs"))
    driver.press("enter")
    #expect(driver.text.contains("[why]") && driver.text.contains("1. pool g6p is accumulated"))
  }

  @Test func `the rules that exclude every scenario are listed one by one`() async throws {
    let driver = try await screen("t08_glycolysis_conflict")
    #expect(driver.text.contains("0 scenarios"))
    #expect(driver.text.contains("there is no scenario with f6p = U and fbp = C together"))
    #expect(driver.text.contains("1. pool f6p is unavailable: a pool has its observed level"))
    driver.press("left", "down", "down", "x")
    #expect(driver.text.contains("[scenarios]") && !driver.text.contains(" 0 scenarios"))
  }

  @Test func `long reasons are scrolled to their end`() async throws {
    let driver = try await screen("t08_glycolysis_conflict", width: 40, height: 12)
    #expect(!driver.text.contains("can have no level"))
    for _ in 0..<60 { driver.press("down") }
    #expect(driver.text.contains("can have no level"))
  }

  @Test func `any page among trillions of scenarios can be shown`() async throws {
    let driver = try await screen("e1_e_coli_core_free")
    #expect(driver.text.contains("4\u{202F}107\u{202F}427\u{202F}068\u{202F}928 (10^12.6) scenarios"))
    driver.press("g")
    await driver.reply("4 107 427 068 900")
    #expect(driver.text.contains("4\u{202F}107\u{202F}427\u{202F}068\u{202F}900  "))
    driver.press("N")
    #expect(!driver.text.contains("068\u{202F}900  ") && driver.text.contains("068\u{202F}899  "))
    driver.press("n")
    #expect(driver.text.contains("068\u{202F}900  "))
    driver.press("g")
    await driver.reply("0")
    #expect(lastStatus(driver)?.contains("there is no scenario 0") == true)
    driver.press("r")
    let drawn = driver.text
    #expect(drawn.contains("drawn at random"))
    driver.press("r")
    #expect(driver.text != drawn)
    driver.press("n", "up")
    #expect(!driver.text.contains("drawn at random"))
  }

  @Test func `moving past the end of a page shows the next one, and moving up returns`() async throws {
    let driver = try await screen("t05_glycolysis_free", height: 16)
    for _ in 0..<12 { driver.press("down") }
    let second = driver.text
    #expect(!second.contains(" 1–"))
    for _ in 0..<12 { driver.press("up") }
    #expect(driver.text.contains("▌ 1  "))
  }

  @Test func `filters restrict the scenarios and are listed`() async throws {
    let driver = try await screen("t05_glycolysis_free")
    driver.press("v", "+")
    #expect(driver.text.contains("only with HK +") && driver.text.contains("[+]"))
    driver.press("f")
    #expect(driver.text.contains("1 scenario ") && driver.text.contains("as few as possible run"))
    driver.press("z", "t")
    await driver.reply("1")
    #expect(driver.text.contains("at most 1 run") && driver.text.contains("1 scenario "))
    driver.press("z")
    #expect(driver.text.contains("208 scenarios"))
  }

  @Test func `the selected scenario is drawn as an overlay of the graph`() async throws {
    let driver = try await screen("t07_glycolysis_gng", width: 100, height: 40)
    driver.press("enter")
    #expect(driver.text.contains("[Graph]") && driver.text.contains("scenario 1 of 16"))
    driver.press("2")
    #expect(driver.text.contains("[Scenarios]") && driver.text.contains("16 scenarios"))
  }

  @Test func `observations and scenarios are saved and loaded`() async throws {
    let plugin = try await plugin()
    let driver = try await screen("t07_glycolysis_gng", plugin)
    await driver.go("o")
    #expect(lastStatus(driver)?.contains("there are no saved observations") == true)
    driver.press("O")
    await driver.reply("fasting")
    #expect(lastStatus(driver) == "saved 'fasting'")
    driver.press("right", "down", "e")
    await driver.reply("second")
    await driver.go("X", "o")
    await driver.reply("fasting")
    #expect(driver.text.contains("16 scenarios") && driver.text.contains("Observed: 3 of 10"))
    await driver.go("b")
    await driver.reply("second")
    #expect(driver.text.contains("▌ 2  "))
    let later = try await screen("t05_glycolysis_free", plugin)
    await later.go("o")
    await later.reply("fasting")
    #expect(later.text.contains("16 scenarios"))
  }

  @Test func `saved items are not overwritten by others of the same name without consent`() async throws {
    let plugin = try await plugin()
    let driver = try await screen("t07_glycolysis_gng", plugin)
    driver.press("O")
    await driver.reply("fasting")
    // Storing the same again overwrites nothing.
    driver.press("O")
    await driver.reply("fasting")
    #expect(lastStatus(driver) == "saved 'fasting'")
    driver.press("X", "O")
    await driver.reply("fasting")
    await driver.reply("rename")
    await driver.reply("nothing")
    #expect(lastStatus(driver) == "saved 'nothing'")
    await driver.go("o")
    await driver.reply("fasting")
    #expect(driver.text.contains("Observed: 3 of 10"))
    driver.press("X", "O")
    await driver.reply("fasting")
    await driver.reply("replace")
    await driver.go("o")
    await driver.reply("nothing")
    await driver.go("o")
    await driver.reply("fasting")
    #expect(driver.text.contains("Observed: 0 of 10"))
    // Scenarios of other observations have the same numbers, and so the same suggested names.
    driver.press("right", "e")
    await driver.reply("scenario 1")
    driver.press("down", "e")
    await driver.reply("scenario 1")
    await driver.reply(nil)
    await driver.go("b")
    await driver.reply("scenario 1")
    #expect(driver.text.contains("▌ 1  "))
  }

  @Test func `realizable scenarios are selected by their shown numbers`() async throws {
    let driver = try await screen("t07_glycolysis_gng")
    driver.press("m", "m")
    let numbers = driver.rows.filter { $0.contains(" run  ") }.compactMap { row in
      row.split(separator: "┃").last?.split(separator: " ").compactMap { Int($0) }.first
    }
    let last = try #require(numbers.last)
    #expect(numbers.count == 4 && last > 4, "\(driver.text)")
    driver.press("right", "e")
    await driver.reply("balanced")
    driver.press("g")
    await driver.reply("\(last)")
    #expect(driver.text.contains("▌ \(last)  "), "\(driver.text)")
    // The number of a scenario that is not realizable leads to the next one that is.
    driver.press("g")
    await driver.reply("\(numbers[2] + 1)")
    #expect(driver.text.contains("▌ \(last)  "))
    driver.press("g")
    await driver.reply("\(last + 1)")
    #expect(lastStatus(driver)?.contains("there is no scenario \(last + 1)") == true)
    await driver.go("b")
    await driver.reply("balanced")
    #expect(lastStatus(driver)?.contains("shown over the graph") != true && driver.text.contains("▌ \(numbers[0])  "))
  }

  @Test func `a limit that is not a number is rejected with a message`() async throws {
    let driver = try await screen("t05_glycolysis_free")
    driver.press("t")
    await driver.reply("1")
    for text in ["one", "-1", "99999999999999999999"] {
      driver.press("t")
      await driver.reply(text)
      #expect(driver.text.contains("at most 1 run") && lastStatus(driver)?.contains("not a number") == true, "\(text)")
    }
    driver.press("t")
    await driver.reply("")
    #expect(!driver.text.contains("at most"))
  }

  @Test func `small screens show either the pools or the scenarios`() async throws {
    let driver = try await screen("t07_glycolysis_gng", width: 50, height: 14)
    #expect(driver.text.contains("[scenarios]") && !driver.text.contains("Observed:"))
    driver.press("left")
    #expect(driver.text.contains("Observed:") && !driver.text.contains("[scenarios]"))
    for (width, height) in [(0, 0), (1, 1), (3, 40), (200, 2), (20, 5)] {
      driver.resize(width, height)
      _ = driver.frame
    }
    driver.resize(120, 30)
    #expect(driver.text.contains("16 scenarios"))
  }

  @Test func `a pathway of the database is browsed by the names of its metabolites`() async throws {
    let plugin = try await plugin()
    let table = try #require(try await plugin.run(line: "list --filter glycolysis").value.table)
    let id = try #require(table.row(0)["id"]?.text)
    let driver = try await ScreenDriver(
      plugin, ScreenRequest("pathway", arguments: ["pathway": .text(id), "content": "scenarios"]),
      size: Size(width: 120, height: 30)
    ).settled()
    #expect(driver.text.contains("scenarios  necessary") && driver.text.contains("["))
    driver.press("w")
    await driver.reply("off \(id)")
    #expect(driver.text.contains("1 scenario "))
  }

  @Test func `pools with equal names are distinguished by their ids`() async throws {
    let shared = try #require(SharedData.folder).path
    let driver = try await ScreenDriver(
      try await plugin(),
      ScreenRequest(
        "pathway",
        arguments: ["document": .text(shared + "/pathcase/sbml/e_coli_core.xml"), "content": "scenarios"]),
      size: Size(width: 120, height: 40)
    ).settled()
    #expect(driver.text.contains("Acetate [M_ac_c]") && driver.text.contains("Acetate [M_ac_e]"), "\(driver.text)")
    #expect(driver.text.contains("Acetyl-CoA   "))
  }

  @Test func `a drawn map has no scenarios, and the whole advice is shown`() async throws {
    let shared = try #require(SharedData.folder).path
    let driver = try await ScreenDriver(
      try await plugin(),
      ScreenRequest(
        "pathway",
        arguments: ["document": .text(shared + "/pathcase/sbgn/glycolysis.sbgn"), "content": "scenarios"]),
      size: Size(width: 60, height: 20)
    ).settled()
    let text = driver.text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(text.contains("not counted") && text.contains("scenario analysis cannot use a drawn map: "), "\(text)")
    #expect(text.contains("or give a pathway, a model or a scenario network"), "\(text)")
  }
}
