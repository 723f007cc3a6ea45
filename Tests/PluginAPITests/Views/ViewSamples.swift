import PluginAPI

/// Views as a person sees them, and the states the tests of views start from.
enum ViewSamples {
  /// Returns the view drawn in a size, as text.
  static func shown(_ view: any View, _ width: Int, _ height: Int) -> String {
    frame(view, width, height).plainText
  }

  static func frame(_ view: any View, _ width: Int, _ height: Int) -> TextFrame {
    var frame = TextFrame(size: Size(width: width, height: height))
    view.draw(into: &frame)
    return frame
  }

  static func rect(_ width: Int, _ height: Int) -> Rect { Rect(Size(width: width, height: height)) }

  static func key(_ text: String) -> Event { .key(Key(text) ?? Key(.escape)) }

  static let ports = ListState(rows: [
    ListRow(id: "new", title: "Add a port"),
    ListRow(id: "hel", title: "Helgoland", detail: "North Sea", badge: "2.4 m", hasDisclosure: true),
    ListRow(id: "cux", title: "Cuxhaven", detail: "mouth of the Elbe", badge: "2.9 m", hasDisclosure: true),
    ListRow(id: "stm", title: "Saint-Malo", detail: "Channel coast", badge: "8.0 m", hasDisclosure: true),
    ListRow(id: "tok", title: "東京", detail: "Tokyo Bay", badge: "1.5 m", hasDisclosure: true),
    ListRow(id: "bri", title: "Bristol", detail: "Severn estuary", badge: "9.6 m", hasDisclosure: true),
  ])

  static let heights = TableState(
    Table(columns: [
      Table.Column("port", title: "Port", .texts(["Helgoland", "Cuxhaven", "Saint-Malo"])),
      Table.Column("high", title: "High water", unit: "m", .numbers([2.4, 2.95, 8.005], decimals: 2)),
      Table.Column("station", title: "Station", .integers([509, 505, 7])),
      Table.Column("note", title: "Note", .values(["calm", nil, .quantity(3, unit: "kn")])),
    ]))

  static let form = FormState([
    FormSection(
      "Place",
      [
        .init("Name", "Helgoland"),
        .init("Remarks", "an island of red sandstone, seventy kilometres from the coast,\nwith a long harbour wall"),
      ]),
    FormSection("Tide", [.init("Mean range", "2.4 m"), .init("Datum", "chart datum")]),
  ])

  static let page = TextPageState(
    "The tide is the rise and fall of sea level.\n\n  It follows the Moon, and less so the Sun, with a delay that every "
      + "harbour has for itself.\nSpring tides come after new and full moon.")

  static let picture = Picture(width: 4, height: 4, pixels: [UInt8](repeating: 200, count: 64))

  /// One of each standard view.
  static var all: [any View] {
    var filtering = ports
    for word in ["/", "a", "e"] { _ = filtering.handle(key(word), in: rect(20, 5)) }
    var searching = page
    for word in ["/", "m", "o", "enter"] { _ = searching.handle(key(word), in: rect(20, 5)) }
    return [
      ListView("Ports", ports), ListView("Ports", filtering), ListView("None", ListState()),
      TableView("Heights", heights), TableView("None", TableState(Table(columns: []))), FormView("Port", form),
      FormView("None", FormState()), TextPageView("Tides", page), TextPageView("Tides", searching),
      SplitView(ListView("Ports", ports), FormView("Port", form), layout: .init(minimumWidth: 20)),
      PictureView(
        picture, description: "a grey square",
        overlays: [.init(.topLeft, [.init("東京")]), .init(.bottomRight, [.init("ⓘ")])]
      ),
      ProgressView(Progress("reading", fraction: 0.42), hint: "esc cancels"),
      ProgressView(Progress("waiting"), phase: 3),
    ]
  }
}
