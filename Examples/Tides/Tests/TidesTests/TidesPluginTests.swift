import PluginAPI
import PluginTesting
import Testing

@testable import Tides

struct TidesPluginTests {
  @Test func `the plugin keeps the rules of the contract`() async {
    #expect(await PluginConformance.check(TidesPlugin(), runsExamples: true) == [])
  }

  @Test func `stations are added, listed and removed`() async throws {
    let tides = try await TestPlugin(TidesPlugin())
    let added = try await tides.run(line: "add pier --latitude 50 --constant M2,1.2,95 --constant s2,0.4,-230")
    #expect(added.value["strongest"].text == "M2")
    #expect(added.value["constants"].list?[1] == ["constituent": "S2", "amplitude": 0.4, "lag": 130.0])
    #expect(
      try await tides.run("list").value.table?["name"]?.values == .texts(["equator", "pier", "temperate"]))
    #expect(await tides.report("add", ["name": "pier"])?.code == "tides.station-exists")
    _ = try await tides.run("remove", ["name": "pier"])
    #expect(await tides.report("predict", ["station": "pier"])?.exitStatus == 3)
    #expect(tides.context.notifications.map(\.topic) == ["tides.stations-changed", "tides.stations-changed"])
  }

  @Test func `a wrong word is answered with the right ones`() async throws {
    let tides = try await TestPlugin(TidesPlugin())
    let station = await tides.report("predict", ["station": "temperat"])
    #expect(station?.description == "there is no station 'temperat'; did you mean 'temperate'?")
    let date = await tides.report("predict", ["station": "equator", "from": "tomorrow"])
    #expect(date?.kind == .usage)
    let constant = await tides.report("add", ["name": "x", "constant": ["M2;1;2"]])
    #expect(constant?.code == "tides.unreadable-constant")
  }

  @Test func `a prediction has its heights and waters, in the unit set`() async throws {
    let tides = try await TestPlugin(TidesPlugin())
    let value = try await tides.run("predict", ["station": "temperate", "from": "2026-11-20", "step": 120]).value
    #expect(value["heights"].list?.count == 13)
    let text = try tides.text(value)
    #expect(text.hasPrefix("Tide at temperate, Universal Time\n  2026-11-20 "))
    #expect(text.contains(" m") && !text.contains(" ft"))
    try tides.context.set("unit", to: "foot")
    #expect(try tides.text(value).contains(" ft"))
    #expect(throws: ErrorReport.self) { try tides.context.set("unit", to: "fathom") }
  }

  @Test func `a picture has the size asked for`() async throws {
    let tides = try await TestPlugin(TidesPlugin())
    let result = try await tides.run("draw", ["station": "equator"], pictureSize: Size(width: 33, height: 7))
    #expect(result.value.picture?.size == Size(width: 33, height: 7))
    #expect(result.progress.map(\.label) == ["predicting equator"])
  }
}
