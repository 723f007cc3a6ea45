import PluginAPI
import Testing

struct TableStateTests {
  typealias Samples = ViewSamples

  @Test func `numbers are right-aligned, with their unit in the heading`() {
    #expect(
      Samples.shown(TableView("Heights", Samples.heights), 60, 4) == """
          Port        High water (m)  Station  Note
        ▌ Helgoland             2.40      509  calm
          Cuxhaven              2.95      505
          Saint-Malo            8.01        7  3.0 kn
        """)
  }

  @Test func `a wide table scrolls by columns and marks hidden ones`() {
    var state = Samples.heights
    let rect = Samples.rect(30, 4)
    for _ in 0..<9 { _ = state.handle(Samples.key("right"), in: rect) }
    #expect(
      Samples.shown(TableView("Heights", state), 30, 4) == """
        ‹ Station  Note
        ▌     509  calm
              505
                7  3.0 kn
        """)
  }

  @Test func `a table of a hundred thousand rows scrolls page by page`() {
    let count = 100_000
    var state = TableState(
      Table(columns: [
        Table.Column("id", .integers(Array(0..<count))),
        Table.Column("x", unit: "angstrom", .numbers((0..<count).map { Double($0) / 7 }, decimals: 3)),
      ]))
    let rect = Samples.rect(40, 10)
    var cells = 0
    for _ in 0..<200 {
      _ = state.handle(Samples.key("page-down"), in: rect)
      cells += Samples.frame(TableView("", state), 40, 10).cells.count
    }
    #expect(cells == 80_000)
    let outcome1 = state.handle(Samples.key("end"), in: rect)
    #expect(outcome1 == .changed)
    #expect(Samples.shown(TableView("", state), 40, 3).split(separator: "\n").last?.hasPrefix("▌ 99999") ?? false)
    let outcome2 = state.handle(Samples.key("enter"), in: rect)
    #expect(outcome2 == .chosen("99999"))
  }

  @Test func `the outline has every value with its heading`() {
    let items = TableView("Heights", Samples.heights, action: "show").outline.items
    #expect(items[1].text == "Port Cuxhaven, High water 2.95 m, Station 505")
    #expect(items[1].action == ActionInvocation("show", ["row": 1]))
  }

  @Test func `numbers are rounded by their exact value`() {
    let cases: [(Double, Int, String)] = [
      (1.115, 2, "1.11"), (1.005, 2, "1.00"), (2.675, 2, "2.67"), (0.125, 2, "0.12"), (0.375, 2, "0.38"),
      (-0.001, 2, "0.00"), (-12.5, 2, "-12.50"), (7, 0, "7"), (1e300, 2, "1e+300"), (0.05, 3, "0.050"),
    ]
    #expect(cases.map { NumberText.fixed($0.0, decimals: $0.1) } == cases.map(\.2))
  }
}
