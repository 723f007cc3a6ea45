import Foundation
import PluginAPI
import Testing

@testable import PathCase

/// Pictures of maps as drawn in their files.
struct DrawnMapTests {
  private func texts(_ picture: VectorPicture) -> [PictureText] {
    picture.items.flatMap(\.shapes).compactMap { if case .text(let text) = $0 { text } else { nil } }
  }

  private func styles(_ picture: VectorPicture, _ kind: PictureItem.Kind) -> [PictureStyle] {
    picture.items.filter { $0.kind == kind }.flatMap(\.shapes).compactMap {
      if case .path(_, let style) = $0 { style } else { nil }
    }
  }

  private func terminal(_ graph: ReactionGraph, _ zoom: TextDrawing.Zoom = .names) -> String {
    var options = TextDrawing.Options()
    options.zoom = zoom
    return TextDrawing(graph, LayeredLayout.layout(graph), options: options).text
  }

  @Test func `states and units of information of SBGN are drawn at their positions in the file`() throws {
    let graph = try MapReader.read(Array(Self.sbgn.utf8)).graph
    let picture = PathwayPicture.picture(graph)
    let found = texts(picture)
    #expect(found.filter { $0.text == "P@T308" }.count == 1 && found.contains { $0.text == "mt:prot" })
    let stored = try #require(StoredPlaces(graph, LayeredLayout.layout(graph)))
    let frame = stored.frame(GraphFrame(x: 130, y: 100, width: 40, height: 14))
    let state = try #require(found.first { $0.text == "P@T308" })
    #expect(abs(state.position.x - frame.x) < 1 && abs(state.position.y - frame.y) < frame.height)
    // The cardinality of an arc, and a state without a value.
    #expect(found.contains { $0.text == "2" })
    #expect(terminal(graph).contains("AKT (P@T308)"))
  }

  @Test func `decorations without positions are drawn on the upper border of their node`() throws {
    var graph = try MapReader.read(Array(Self.sbgn.utf8)).graph
    for index in graph.nodes.indices { graph.nodes[index].frame = nil }
    #expect(texts(PathwayPicture.picture(graph)).contains { $0.text == "P@T308" })
  }

  @Test func `unnamed glyphs show no ids, in pictures and in the terminal`() throws {
    let graph = try MapReader.read(Array(Self.sbgn.utf8)).graph
    let picture = PathwayPicture.picture(graph)
    #expect(!texts(picture).contains { $0.text.contains("glyph") })
    #expect(!picture.items.contains { $0.title.contains("glyph") })
    for zoom in [TextDrawing.Zoom.names, .full] { #expect(!terminal(graph, zoom).contains("glyph")) }
    // A complex without a name is named by its parts.
    #expect(terminal(graph).contains("IGF:IGFR"))
  }

  @Test func `nodes without a name are drawn in the terminal with a symbol instead of their kind's name`() throws {
    let kinds = ["macromolecule", "unspecified entity", "process", "complex"]
    let glyphs = kinds.enumerated().map { index, kind in
      "<glyph id='g\(index)' class='\(kind)'><bbox x='\(300 * index)' y='0' w='60' h='60'/></glyph>"
    }
    let start = "<sbgn xmlns='http://sbgn.org/libsbgn/0.3'><map language='process description'>"
    let sbgn = try MapReader.read(Array((start + glyphs.joined() + "</map></sbgn>").utf8)).graph
    let gpml = try MapReader.read(Array(Self.gpml.utf8)).graph
    #expect(gpml.nodes.contains { $0.label.isEmpty && $0.category == "Label" })
    for zoom in [TextDrawing.Zoom.names, .full] {
      let text = terminal(sbgn, zoom)
      for kind in kinds { #expect(!text.contains(kind), "\(text)") }
      for mark in ["◆", "●", "■"] { #expect(text.contains(mark), "\(text)") }
      #expect(!terminal(gpml, zoom).contains("label"))
    }
  }

  @Test func `anchors are points, and edge ends are unnamed`() throws {
    let graph = try MapReader.read(Array(Self.gpml.utf8)).graph
    let picture = PathwayPicture.picture(graph)
    #expect(picture.items.allSatisfy { $0.kind != .process })
    for id in ["anchor", "ca950", "g1"] {
      #expect(!texts(picture).contains { $0.text.contains(id) }, "\(id)")
      #expect(!picture.items.contains { $0.title.contains(id) }, "\(id)")
      #expect(!terminal(graph).contains(id), "\(id)")
    }
  }

  @Test func `colors, line styles and group shapes of GPML are kept`() throws {
    let picture = PathwayPicture.picture(try MapReader.read(Array(Self.gpml.utf8)).graph)
    let node = try #require(styles(picture, .pool).first { $0.fill == .init(0xFF, 0xCC, 0xCC) })
    #expect(node.stroke == .init(0, 0, 0xFF))
    #expect(texts(picture).first { $0.text == "Cholesterol" }?.color == .init(0, 0, 0xFF))
    let line = try #require(styles(picture, .edge).first { $0.stroke == .init(0, 0x99, 0) })
    #expect(!line.dashes.isEmpty)
    // A complex has cut corners, a plain group a dashed frame, a transparent one none.
    let groups = picture.items.filter { $0.title == "E1:E2" || $0.title == "F1:F2" || $0.title == "H1:H2" }
    let paths = groups.flatMap(\.shapes).compactMap {
      if case .path(let path, let style) = $0 { (path, style) } else { nil }
    }
    #expect(paths.count == 2)
    #expect(paths.first?.0.steps.count == 9)
    #expect(paths.last?.1.dashes.isEmpty == false)
    // On backgrounds other than white, the picture's own colors are used.
    let dark = PathwayPicture.picture(
      try MapReader.read(Array(Self.gpml.utf8)).graph, options: .init(theme: .dark))
    #expect(!styles(dark, .pool).contains { $0.fill == .init(0xFF, 0xCC, 0xCC) })
  }

  @Test func `logical operators of SBGN are circles around their name, also in the terminal`() throws {
    let words = ["and": "AND", "or": "OR", "not": "NOT", "delay": "τ"]
    let glyphs = words.keys.sorted().enumerated().map { index, kind in
      "<glyph id='\(kind)1' class='\(kind)'><bbox x='\(300 * index)' y='200' w='42' h='42'/></glyph>"
        + "<glyph id='m\(index)' class='macromolecule'><label text='M\(index)'/>"
        + "<bbox x='\(300 * index)' y='0' w='108' h='60'/></glyph>"
    }
    let start = "<sbgn xmlns='http://sbgn.org/libsbgn/0.3'><map language='process description'>"
    let graph = try MapReader.read(Array((start + glyphs.joined() + "</map></sbgn>").utf8)).graph
    let picture = PathwayPicture.picture(graph)
    for word in words.values {
      let item = try #require(picture.items.first { $0.kind == .other && $0.title == word })
      guard case .path(let path, _) = item.shapes.first, case .text(let text) = item.shapes.last else {
        Issue.record("\(word) is not in a shape")
        continue
      }
      #expect(!hasStraightSide(path), "\(word)")
      #expect(text.text == word)
      for zoom in [TextDrawing.Zoom.names, .full] { #expect(terminal(graph, zoom).contains(word), "\(word)") }
    }
  }

  @Test(arguments: [PictureTheme.light, .dark])
  func `SBGN's glyphs have their outlines: discs, double circles, cut corners`(theme: PictureTheme) throws {
    let glyphs = ["association", "dissociation", "process", "complex", "phenotype"].enumerated().map { index, kind in
      let size = index < 3 ? 20 : 90
      return "<glyph id='g\(index)' class='\(kind)'><label text='\(kind)'/>"
        + "<bbox x='\(200 * index)' y='0' w='\(size)' h='\(size)'/></glyph>"
    }
    let start = "<sbgn xmlns='http://sbgn.org/libsbgn/0.3'><map language='process description'>"
    let graph = try MapReader.read(Array((start + glyphs.joined() + "</map></sbgn>").utf8)).graph
    let picture = PathwayPicture.picture(graph, options: .init(theme: theme))
    func drawn(_ title: String) -> [(path: PicturePath, style: PictureStyle)] {
      picture.items.filter { $0.kind != .label && $0.title == title }.flatMap(\.shapes).compactMap {
        if case .path(let path, let style) = $0 { (path, style) } else { nil }
      }
    }
    let disc = drawn("association")
    #expect(disc.count == 1 && disc.allSatisfy { !hasStraightSide($0.path) && $0.style.fill == $0.style.stroke })
    let rings = drawn("dissociation")
    #expect(rings.count == 2 && rings.allSatisfy { !hasStraightSide($0.path) && $0.style.fill != $0.style.stroke })
    let square = drawn("process")
    #expect(square.count == 1 && square.allSatisfy { hasStraightSide($0.path) && $0.style.fill != $0.style.stroke })
    #expect(drawn("complex").map { points($0.path).count } == [8])
    #expect(drawn("phenotype").map { points($0.path).count } == [6])
  }

  @Test(arguments: ["simple chemical", "macromolecule", "complex"])
  func `only clones of SBGN have a filled lower part`(kind: String) throws {
    let glyphs = ["", "<clone/>"].enumerated().map { row, clone in
      "<glyph id='g\(row)' class='\(kind)'><label text='N\(row)'/>\(clone)<bbox x='0' y='\(200 * row)' w='90' h='60'/>"
        + "</glyph>"
    }
    let start = "<sbgn xmlns='http://sbgn.org/libsbgn/0.3'><map language='process description'>"
    let document = try MapReader.read(Array((start + glyphs.joined() + "</map></sbgn>").utf8))
    // JSON keeps the marker.
    let json = try MapReader.read(GraphJSONWriter.write(document.graph))
    for graph in [document.graph, json.graph] {
      let items = PathwayPicture.picture(graph).items
      func item(_ title: String) -> PictureItem? { items.first { $0.title == title } }
      #expect(item("N0")?.shapes.count == 2)
      let shapes = try #require(item("N1")?.shapes)
      guard shapes.count == 3, case .path(let outline, let style) = shapes[0],
        case .path(let marker, let fill) = shapes[1]
      else {
        Issue.record("\(shapes)")
        return
      }
      #expect(fill.stroke == nil && fill.fill?.red == style.stroke?.red)
      let whole = points(outline).map(\.y).sorted()
      let part = points(marker).map(\.y).sorted()
      let (top, bottom) = (try #require(whole.first), try #require(whole.last))
      let (upper, lower) = (try #require(part.first), try #require(part.last))
      #expect(abs(lower - bottom) < 1e-6 && abs(upper - (bottom - 0.3 * (bottom - top))) < 1e-6)
    }
  }

  @Test(arguments: ["stimulation", "necessary stimulation"])
  func `necessary stimulation has a bar before its triangle`(kind: String) throws {
    let map =
      "<sbgn xmlns='http://sbgn.org/libsbgn/0.3'><map language='process description'>"
      + "<glyph id='m' class='macromolecule'><label text='M'/><bbox x='0' y='0' w='90' h='60'/></glyph>"
      + "<glyph id='p' class='process'><bbox x='300' y='20' w='20' h='20'/></glyph>"
      + "<arc id='a' class='\(kind)' source='m' target='p'><start x='90' y='30'/><end x='300' y='30'/></arc></map></sbgn>"
    let picture = PathwayPicture.picture(try MapReader.read(Array(map.utf8)).graph)
    let edge = try #require(picture.items.first { $0.kind == .edge })
    guard edge.shapes.count == 2, case .path(let head, _) = edge.shapes[1] else {
      Issue.record("\(edge.shapes)")
      return
    }
    let corners = points(head)
    // The last three corners are the triangle, the first two the bar.
    #expect(corners.count == (kind == "stimulation" ? 3 : 7))
    let triangle = try #require(corners.suffix(3).map(\.x).min())
    if kind != "stimulation" {
      #expect(abs(corners[0].x - corners[1].x) < 1e-6 && corners[0].x < triangle)
      #expect(abs(corners[0].y - corners[1].y) > 1)
    }
  }

  private func hasStraightSide(_ path: PicturePath) -> Bool {
    path.steps.contains { if case .line = $0 { true } else { false } }
  }

  private func points(_ path: PicturePath) -> [FrozenPath.Point] {
    path.steps.compactMap { step in
      switch step {
      case .move(let point), .line(let point), .curve(_, _, let point): point
      case .close: nil
      }
    }
  }

  private func paths(_ picture: VectorPicture, _ kind: PictureItem.Kind, titled title: String) -> [PicturePath] {
    picture.items.filter { $0.kind == kind && $0.title == title }.flatMap(\.shapes).compactMap {
      if case .path(let path, _) = $0 { path } else { nil }
    }
  }

  @Test func `the name in a hexagon stays inside its slanted sides`() throws {
    let map =
      "<sbgn xmlns='http://sbgn.org/libsbgn/0.3'><map language='process description'><glyph id='g' class='phenotype'>"
      + "<label text='gene&#xA;transcription'/><bbox x='0' y='0' w='140' h='60'/></glyph>"
      + "<glyph id='p' class='macromolecule'><label text='RAS'/><bbox x='300' y='0' w='100' h='60'/></glyph></map></sbgn>"
    let picture = PathwayPicture.picture(try MapReader.read(Array(map.utf8)).graph)
    let paths = picture.items.flatMap(\.shapes).compactMap { if case .path(let path, _) = $0 { path } else { nil } }
    let corners = try #require(paths.map(points).first { $0.count == 6 })
    let (top, bottom) = (corners.map(\.y).min() ?? 0, corners.map(\.y).max() ?? 0)
    let (left, right) = (corners.map(\.x).min() ?? 0, corners.map(\.x).max() ?? 0)
    let middle: Double = (top + bottom) / 2
    let lines = texts(picture).filter { ["gene", "transcription"].contains($0.text) }
    #expect(lines.count == 2)
    for line in lines {
      let upper: Double = line.position.y - line.size * PictureLabel.ascent
      let lower: Double = upper + line.size
      // The distance of the line's farther border from the middle: 1 at the top and bottom of the hexagon.
      let distance: Double = max(middle - upper, lower - middle) / (middle - top)
      let room: Double = (right - left) * (1 - 0.5 * distance)
      #expect(LetterWidths.width(line.text, size: line.size) <= room, "\(line.text)")
    }
  }

  @Test func `cells and organelles of GPML have the double outline of their shape`() throws {
    let graph = try MapReader.read(Array(Self.cells.utf8)).graph
    let picture = PathwayPicture.picture(graph)
    for (title, isOval) in [("Late endosome", false), ("Nucleus", true)] {
      let lines = paths(picture, .frame, titled: title)
      #expect(lines.count == 2, "\(title)")
      #expect(lines.allSatisfy { hasStraightSide($0) != isOval }, "\(title)")
    }
    // The name of an oval is inside it.
    let wall = try #require(paths(picture, .frame, titled: "Nucleus").first)
    let box = points(wall).dropFirst().reduce(LayoutBounds(points(wall)[0])) { LayoutBounds($1).joined($0) }
    let name = try #require(texts(picture).first { $0.text == "Nucleus" })
    let glyph = NodeGlyph(frame: box.frame, shape: .outline(.oval))
    for x in [name.bounds.left, name.bounds.right] {
      #expect(glyph.contains(.init(x: x, y: name.bounds.top), gap: 0))
      #expect(glyph.contains(.init(x: x, y: name.bounds.bottom), gap: 0))
    }
  }

  @Test func `shapes with text have an outline, single or double as in the file, and labels have none`() throws {
    let picture = PathwayPicture.picture(try MapReader.read(Array(Self.cells.utf8)).graph)
    #expect(paths(picture, .figure, titled: "plaque").count == 1)
    #expect(paths(picture, .figure, titled: "wall").count == 2)
    #expect(paths(picture, .figure, titled: "remark").isEmpty)
  }

  private static let cells = """
    <Pathway xmlns="http://pathvisio.org/GPML/2021" title="cells"><DataNodes>
    <DataNode elementId="a" textLabel="A" type="Metabolite"><Graphics centerX="60" centerY="100" width="80" height="24"/>
    </DataNode><DataNode elementId="b" textLabel="B" type="Metabolite">
    <Graphics centerX="500" centerY="100" width="80" height="24"/></DataNode></DataNodes><Shapes>
    <Shape elementId="c" textLabel="Late endosome">
    <Graphics centerX="100" centerY="100" width="200" height="150" borderStyle="Double" shapeType="Cell"/></Shape>
    <Shape elementId="n"><Graphics centerX="500" centerY="100" width="240" height="180" shapeType="Nucleus"/></Shape>
    <Shape elementId="p" textLabel="plaque"><Graphics centerX="800" centerY="100" width="90" height="60" shapeType="Plaque"/>
    </Shape><Shape elementId="w" textLabel="wall">
    <Graphics centerX="800" centerY="300" width="90" height="60" borderStyle="Double" shapeType="RoundedRectangle"/></Shape>
    </Shapes><Labels><Label elementId="l" textLabel="remark">
    <Graphics centerX="60" centerY="300" width="90" height="20" shapeType="None"/></Label></Labels></Pathway>
    """

  @Test func `a compartment name that fits its frame is complete, on several lines or in smaller letters`() throws {
    var graph = SampleGraphs.chain(3)
    for node in graph.nodes.indices {
      graph.nodes[node].frame = GraphFrame(x: 100 * Double(node), y: 400, width: 60, height: 24)
    }
    let names = ["Late endosome and lysosome", "Compartment", "Endoplasmic reticulum, a name that no frame holds"]
    let sizes = [(100.0, 80.0), (70.0, 60.0), (60.0, 14.0)]
    for (index, (name, size)) in zip(names, sizes).enumerated() {
      graph.compartments.append(
        GraphCompartment(
          id: Identifier(name), name: name,
          frame: GraphFrame(x: 150 * Double(index), y: 100, width: size.0, height: size.1)))
    }
    let picture = PathwayPicture.picture(graph)
    func lines(_ name: String) -> [PictureText] {
      picture.items.filter { $0.kind == .frame && $0.title == name }.flatMap(\.shapes).compactMap {
        if case .text(let text) = $0 { text } else { nil }
      }
    }
    for name in names.dropLast() { #expect(lines(name).map(\.text).joined(separator: " ") == name) }
    #expect(lines(names[2]).last?.text.hasSuffix("…") == true)
    for (index, name) in names.enumerated() {
      let walls = paths(picture, .frame, titled: name).flatMap(points)
      let (left, right) = (walls.map(\.x).min() ?? 0, walls.map(\.x).max() ?? 0)
      #expect(lines(name).allSatisfy { $0.bounds.left >= left && $0.bounds.right <= right }, "\(index)")
    }
  }

  @Test(
    .enabled(if: FoundFiles.has("WP4016.gpml.gz"), "the shared data are absent"),
    arguments: [
      "WP4016.gpml.gz", "WP5064_gpml2021.gpml", "insulin-like_growth_factor_signaling.sbgn",
      "neuronal_muscle_signalling_color.sbgn",
    ])
  func `no id of an unnamed node is visible in a real map`(_ file: String) throws {
    let graph = try MapReader.read(try #require(FoundFiles.bytes(file))).graph
    let ids = Set(graph.nodes.filter { $0.label.isEmpty }.map(\.id.text))
    #expect(!ids.isEmpty)
    let picture = PathwayPicture.picture(graph)
    let shown = texts(picture).map(\.text) + picture.items.flatMap { $0.title.components(separatedBy: " → ") }
    #expect(shown.filter(ids.contains) == [])
    let drawing = terminal(graph, .full)
    #expect(!drawing.contains("│ label │"))
    #expect(ids.filter { drawing.contains("[\($0)]") || drawing.contains(" \($0) ") } == [])
  }

  static let sbgn = """
    <sbgn xmlns="http://sbgn.org/libsbgn/0.2"><map language="process description">
    <glyph id="glyph1" class="macromolecule"><label text="AKT"/><bbox x="100" y="100" w="100" h="50"/>
    <glyph id="glyph1a" class="state variable"><state value="P" variable="T308"/><bbox x="110" y="93" w="40" h="14"/></glyph>
    <glyph id="glyph1b" class="unit of information"><label text="mt:prot"/><bbox x="155" y="93" w="40" h="14"/></glyph>
    </glyph>
    <glyph id="glyph2" class="process"><bbox x="290" y="115" w="20" h="20"/></glyph>
    <glyph id="glyph3" class="complex"><bbox x="400" y="60" w="140" h="140"/>
    <glyph id="glyph4" class="macromolecule"><label text="IGF"/><bbox x="420" y="70" w="100" h="50"/></glyph>
    <glyph id="glyph5" class="macromolecule"><label text="IGFR"/><bbox x="420" y="130" w="100" h="50"/></glyph></glyph>
    <arc id="arc1" class="consumption" source="glyph1" target="glyph2"><glyph id="glyph6" class="cardinality">
    <label text="2"/><bbox x="240" y="115" w="12" h="12"/></glyph><start x="200" y="125"/><end x="290" y="125"/></arc>
    <arc id="arc2" class="production" source="glyph2" target="glyph3"><start x="310" y="125"/><end x="400" y="125"/></arc>
    </map></sbgn>
    """

  private static let gpml = """
    <Pathway xmlns="http://pathvisio.org/GPML/2013a" Name="small"><Graphics BoardWidth="600" BoardHeight="500"/>
    <DataNode TextLabel="Cholesterol" GraphId="n1" Type="Metabolite">
    <Graphics CenterX="60" CenterY="50" Width="90" Height="20" Color="0000ff" FillColor="ffcccc"/></DataNode>
    <DataNode TextLabel="Oxysterol" GraphId="n2" Type="Metabolite">
    <Graphics CenterX="400" CenterY="50" Width="90" Height="20"/></DataNode>
    <DataNode TextLabel="CYP" GraphId="n3" Type="Protein"><Graphics CenterX="230" CenterY="150" Width="90" Height="20"/>
    </DataNode>
    <DataNode TextLabel="E1" GraphId="n4" GroupRef="c1" Type="Protein">
    <Graphics CenterX="60" CenterY="300" Width="90" Height="20"/></DataNode>
    <DataNode TextLabel="E2" GraphId="n5" GroupRef="c1" Type="Protein">
    <Graphics CenterX="60" CenterY="320" Width="90" Height="20"/></DataNode>
    <DataNode TextLabel="F1" GraphId="n6" GroupRef="c2" Type="Protein">
    <Graphics CenterX="260" CenterY="300" Width="90" Height="20"/></DataNode>
    <DataNode TextLabel="F2" GraphId="n7" GroupRef="c2" Type="Protein">
    <Graphics CenterX="260" CenterY="320" Width="90" Height="20"/></DataNode>
    <DataNode TextLabel="H1" GraphId="n8" GroupRef="c3" Type="Protein">
    <Graphics CenterX="460" CenterY="300" Width="90" Height="20"/></DataNode>
    <DataNode TextLabel="H2" GraphId="n9" GroupRef="c3" Type="Protein">
    <Graphics CenterX="460" CenterY="320" Width="90" Height="20"/></DataNode>
    <Interaction GraphId="i1"><Graphics LineThickness="1.0" LineStyle="Broken" Color="009900">
    <Point X="105" Y="50" GraphRef="n1"/><Point X="355" Y="50" GraphRef="n2" ArrowHead="mim-conversion"/>
    <Anchor Position="0.5" Shape="None" GraphId="anchor"/></Graphics></Interaction>
    <Interaction GraphId="i2"><Graphics><Point X="230" Y="140" GraphRef="n3"/>
    <Point X="230" Y="50" GraphRef="anchor" ArrowHead="mim-catalysis"/></Graphics></Interaction>
    <Interaction GraphId="i3"><Graphics><Point X="260" Y="400" GraphRef="ca950"/>
    <Point X="60" Y="330" GraphRef="g1" ArrowHead="Arrow"/></Graphics></Interaction>
    <Label TextLabel="" GraphId="ca950"><Graphics CenterX="280" CenterY="400" Width="33" Height="25"/></Label>
    <Group GroupId="c1" GraphId="g1" Style="Complex"/><Group GroupId="c2" GraphId="g2"/>
    <Group GroupId="c3" GraphId="g3" Style="Group"/>
    </Pathway>
    """

  @Test(
    .enabled(
      if: FoundFiles.has("neuronal_muscle_signalling_color.sbgn"), "the shared data are absent"))
  func `a compartment name does not overlap another compartment`() throws {
    let bytes = try #require(FoundFiles.bytes("neuronal_muscle_signalling_color.sbgn"))
    let picture = PathwayPicture.picture(try MapReader.read(bytes).graph)
    let frames = picture.items.filter { $0.kind == .frame }
    var walls: [String: LayoutBounds] = [:]
    for item in frames {
      guard case .path(let path, _) = item.shapes.first else { continue }
      for case .line(let point) in path.steps {
        walls[item.title] = LayoutBounds(point).joined(walls[item.title])
      }
    }
    var checked = 0
    for case .text(let name) in frames.flatMap(\.shapes) where name.text == "synaptic cleft" {
      checked += 1
      for other in ["synaptic button", "muscle cytosol"] {
        #expect(!(try #require(walls[other])).overlaps(name.bounds), "\(other)")
      }
    }
    #expect(checked == 1)
  }
}
