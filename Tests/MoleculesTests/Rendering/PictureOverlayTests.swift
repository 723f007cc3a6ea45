import Foundation
import PluginAPI
import PluginTesting
import TestSupport
import Testing

@testable import Molecules

/// Tests of labels and legends over pictures.
struct PictureOverlayTests {
  private static let chain = (0..<4).flatMap { index in
    ["N", "CA", "C"].enumerated().map { place, name in
      Fixture.atom(
        index * 3 + place + 1, name, "GLY", index + 1, Double(index) * 3.8 + Double(place) * 1.2, 0, 0,
        element: name == "N" ? " N" : " C")
    }
  }

  /// The color of rims.
  private static let rim = RGBColor(0x101010)

  private func structure() throws -> Structure {
    try Fixture.pdb(
      Self.chain + [Fixture.atom(20, "ZN", "ZN", 9, 5, 5, 0, element: "ZN", record: "HETATM")])
  }

  @Test func `only drawn atoms have labels`() throws {
    let structure = try structure()
    func texts(_ mode: RenderMode, _ kind: LabelKind = .atoms, of some: AtomSelection? = nil) -> [String] {
      let drawn = DrawnAtoms(structure, model: 0, selection: some, mode: mode)
      return SceneLabel.labels(kind, of: structure, drawn: drawn).map(\.text)
    }
    for mode in [RenderMode.cartoon, .backbone, .surface] { #expect(texts(mode) == ["ZN"], "\(mode)") }
    #expect(texts(.sticks).count == 13)
    #expect(texts(.cartoon, .residues).count == 5)
    let some = AtomSelection(atomCount: 13, range: 0..<5)
    #expect(texts(.cartoon, of: some).isEmpty)
  }

  @Test func `an overlay is SVG with escaped texts`() {
    var overlay = PictureOverlay(size: Size(width: 40, height: 30), fontSize: 10)
    overlay.texts = [.init(text: "A<&>\u{1}\"O5'", x: 20, y: 15)]
    overlay.patches = [.init(x: 1, y: 2, width: 3, height: 4, color: RGBColor(0x0A5BFF))]
    #expect(overlay.svg.hasPrefix("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"40\" height=\"30\">"))
    #expect(overlay.svg.contains(">A&lt;&amp;&gt;\u{FFFD}&quot;O5'</text>") && overlay.svg.contains("fill=\"#0A5BFF\""))
  }

  @Test func `a legend has a line per color and counts those that do not fit`() {
    let entries = (1...20).map { ColorLegend.Entry(title: "\($0)", color: RGBColor(UInt32($0))) }
    var tall = PictureOverlay(size: Size(width: 100, height: 1000), fontSize: 10)
    tall.add(ColorLegend(scheme: .chain, entries: entries))
    #expect(tall.texts.map(\.text) == [ColorScheme.chain.title] + entries.map(\.title))
    #expect(tall.patches.filter { $0.color != Self.rim }.map(\.color) == entries.map(\.color))
    #expect(tall.texts.allSatisfy { $0.y > 0 && $0.y < 1000 })
    var low = PictureOverlay(size: Size(width: 100, height: 80), fontSize: 10)
    low.add(ColorLegend(scheme: .chain, entries: entries))
    #expect(low.texts.map(\.text) == [ColorScheme.chain.title, "1", "2", "3", "and 17 more"])
    var ramp = PictureOverlay(size: Size(width: 100, height: 80), fontSize: 10)
    ramp.add(ColorLegend(scheme: .bFactor, ramp: ColorTable.coolToWarm, low: "5 Å²", high: "60 Å²"))
    let colors = ramp.patches.filter { $0.color != Self.rim }.map(\.color)
    #expect(ramp.texts.last?.text == "5 Å² – 60 Å²" && colors.count == 48)
    #expect(colors.first == ColorTable.coolToWarm.stops.first)
  }

  @Test func `a white color in a legend has a dark border for white pages`() throws {
    var overlay = PictureOverlay(size: Size(width: 100, height: 80), fontSize: 10)
    overlay.add(ColorLegend(scheme: .element, entries: [.init(title: "H", color: RGBColor(0xFFFFFF))]))
    let (rim, white) = (try #require(overlay.patches.first), try #require(overlay.patches.last))
    #expect(overlay.patches.map(\.color) == [Self.rim, RGBColor(0xFFFFFF)])
    #expect(rim.x < white.x && rim.x + rim.width > white.x + white.width)
    #expect(rim.y < white.y && rim.y + rim.height > white.y + white.height)
  }

  @Test func `borders of the bitmap legend are closed at any picture size`() {
    let white = RGBColor(0xFFFFFF)
    let legend = ColorLegend(
      scheme: .element, entries: [.init(title: "H", color: white), .init(title: "X", color: white)])
    let size = Size(width: 100, height: 80)
    let written = LabelPainter(for: size).written(
      [], legend, over: Picture(width: size.width, height: size.height), from: Camera(), by: nil)
    func isCovered(_ x: Int, _ y: Int) -> Bool { written.pixels[4 * (y * size.width + x) + 3] == 255 }
    let whites = (0..<size.width * size.height).filter { written.pixels[4 * $0] == 255 }
      .map { Point(x: $0 % size.width, y: $0 / size.width) }
    let bare = whites.filter { point in
      ![(-1, 0), (1, 0), (0, -1), (0, 1)].allSatisfy { isCovered(point.x + $0.0, point.y + $0.1) }
    }
    #expect(whites.count > 100 && bare.isEmpty)
  }

  @Test func `a layer is blended over a picture by its alpha`() {
    var picture = Picture(width: 3, height: 1, pixels: [100, 0, 0, 255, 0, 0, 0, 0, 7, 7, 7, 255])
    picture.lay(Picture(width: 3, height: 1, pixels: [200, 50, 0, 128, 9, 8, 7, 100, 1, 1, 1, 0]))
    #expect(Array(picture.pixels[4...]) == [9, 8, 7, 100, 7, 7, 7, 255])
    #expect(abs(Int(picture.pixels[0]) - 150) <= 1 && abs(Int(picture.pixels[1]) - 25) <= 1)
    #expect(picture.pixels[3] == 255)
  }

  @Test func `render draws the legend in its corner`() async throws {
    let plugin = try await LibraryFixture.plugin()
    let path = plugin.context.folders.state + "/chain.pdb"
    try (Self.chain.joined(separator: "\n") + "\nEND\n").write(toFile: path, atomically: true, encoding: .utf8)
    func corner(_ options: Record) async throws -> [UInt8] {
      var arguments = options
      arguments["molecule"] = .text(path)
      arguments["background"] = "black"
      let value = try await plugin.run("render", arguments, pictureSize: Size(width: 640, height: 480)).value
      let picture = try #require(value.picture)
      return (400..<480).flatMap { row in picture.pixels[4 * row * 640..<4 * (row * 640 + 100)] }
    }
    #expect(try await corner([:]).enumerated().allSatisfy { $0 % 4 == 3 || $1 == 0 })
    func namesNitrogen(_ mode: String) async throws -> Bool {
      let legend = try await corner(["legend": true, "color": "element", "mode": .text(mode)])
      // Nitrogen is blue, 0x3050F8.
      return stride(from: 0, to: legend.count, by: 4).contains { legend[$0...].prefix(3).elementsEqual([48, 80, 248]) }
    }
    #expect(try await namesNitrogen("sticks"))
    // A ribbon has the colors of the alpha carbons.
    #expect(try await !namesNitrogen("cartoon"))
  }

  @Test func `confidence colors on a structure not known to be predicted give a warning`() throws {
    var structure = try structure()
    #expect(structure.doubtAboutConfidence(ofModel: 0)?.contains("does not say") == true)
    structure.metadata.title = "ALPHAFOLD MONOMER V2.0 PREDICTION FOR HEMOGLOBIN"
    #expect(structure.doubtAboutConfidence(ofModel: 0) == nil)
    structure.metadata.method = "X-RAY DIFFRACTION"
    let doubt = structure.doubtAboutConfidence(ofModel: 0)
    #expect(doubt?.contains("X-RAY DIFFRACTION") == true)
    // The status line of the viewer shows only its beginning.
    #expect(doubt?.hasPrefix("the B factors are not pLDDT") == true)
    structure.metadata.method = "THEORETICAL MODEL"
    #expect(structure.doubtAboutConfidence(ofModel: 0) == nil)
    structure.atoms.bFactor[0] = 180
    #expect(structure.doubtAboutConfidence(ofModel: 0) != nil)
  }
}
