import FoundationEssentials
import TestSupport
import Testing

@testable import PathCase

struct PathwayPictureTests {
  private func texts(_ picture: VectorPicture, _ kind: PictureItem.Kind? = nil) -> [PictureText] {
    picture.items.filter { kind == nil || $0.kind == kind }.flatMap(\.shapes).compactMap {
      if case .text(let text) = $0 { text } else { nil }
    }
  }

  @Test func `pictures of all bundled pathways show every process and no overlapping names`() throws {
    let database = try BundledDatabase.linked.get()
    for pathway in database.pathways.indices {
      let graph = database.graph(ofPathway: pathway)
      let picture = PathwayPicture.picture(graph)
      var bad: [String] = []
      let processes = picture.items.filter { $0.kind == .process }
      #expect(processes.count == graph.nodes.count { $0.kind == .process }, "\(graph.id)")
      let boxes = texts(picture).map { (text: $0.text, box: $0.bounds) }
      for (index, one) in boxes.enumerated() {
        for other in boxes[(index + 1)...] {
          let width = min(one.box.right, other.box.right) - max(one.box.left, other.box.left)
          let height = min(one.box.bottom, other.box.bottom) - max(one.box.top, other.box.top)
          // The lines of a name are closer together than the height of their letters' boxes.
          if width > 1.5, height > 3 { bad.append("\(one.text) on \(other.text)") }
        }
      }
      #expect(bad.isEmpty, "\(graph.id): \(bad.prefix(5))")
    }
  }

  @Test func `a reversible edge has two arrowheads, and an inhibition a bar`() {
    let picture = PathwayPicture.picture(PictureFileTests.graph)
    func shapes(_ title: String) -> Int {
      picture.items.filter { $0.kind == .edge && $0.title == title }.flatMap(\.shapes).count
    }
    #expect(shapes("Transporter → Glucose") == 2)
    let inhibitor = picture.items.filter { $0.title.hasSuffix("acts") }
    #expect(inhibitor.count == 2)
    #expect(PictureLabel.shown("a\u{1B}b\u{202E}c") == "a\u{FFFD}b\u{FFFD}c")
  }

  @Test func `with ids shown, no node or side molecule shows its name`() throws {
    let database = try BundledDatabase.linked.get()
    let pathway = try #require(database.pathways.firstIndex { $0.id == "w-pentose-phosphate" })
    let graph = database.graph(ofPathway: pathway)
    let picture = PathwayPicture.picture(graph, options: .init(showsIDs: true))
    let shown = texts(picture).map(\.text)
    #expect(!shown.contains("NADPH") && !shown.contains("CO₂"))
    #expect(shown.contains { $0.contains("nadph") })
    #expect(texts(PathwayPicture.picture(graph)).contains { $0.text == "NADPH" })
  }

  @Test func `no edge crosses the name of a compartment`() throws {
    let database = try BundledDatabase.linked.get()
    for pathway in database.pathways.indices {
      let picture = PathwayPicture.picture(database.graph(ofPathway: pathway))
      let names = texts(picture, .frame).map { (text: $0.text, box: $0.bounds) }
      for item in picture.items where item.kind == .edge {
        guard case .path(let path, _) = item.shapes.first else { continue }
        let points = path.steps.reduce(into: [FrozenPath.Point]()) { points, step in
          switch step {
          case .move(let point): points.append(point)
          case .line(let end):
            if let start = points.last { points += PictureCurve(pieces: [.line(start, end)]).samples(step: 2) }
          case .curve(let first, let second, let end):
            guard let start = points.last else { return }
            let piece = PictureCurve.Piece(start: start, first: first, second: second, end: end)
            points += PictureCurve(pieces: [piece]).samples(step: 2)
          case .close: break
          }
        }
        let struck = names.filter { name in
          points.contains {
            $0.x > name.box.left && $0.x < name.box.right && $0.y > name.box.top && $0.y < name.box.bottom
          }
        }
        #expect(struck.isEmpty, "\(picture.title): \(item.title) through \(struck.map(\.text))")
      }
    }
  }

  @Test func `an edge down the page is smooth, starts and ends vertically and stays between its points`() throws {
    let places = [(0.0, 0.0), (0, 10), (80, 30), (95, 50), (95, 60), (20, 75)].map {
      FrozenPath.Point(x: $0.0, y: $0.1)
    }
    let curve = try #require(PictureCurve(flowing: places))
    #expect(curve.pieces.count == 5)
    for (before, behind) in zip(curve.pieces, curve.pieces.dropFirst()) {
      // The direction is the same on both sides of a point.
      let (one, other) = (before.end.slope(from: before.second), behind.first.slope(from: behind.start))
      #expect(before.end == behind.start && abs(one - other) < 1e-9)
    }
    for piece in curve.pieces {
      let (low, high) = (min(piece.start.x, piece.end.x), max(piece.start.x, piece.end.x))
      #expect((0...40).allSatisfy { (low - 1e-9...high + 1e-9).contains(piece.point(Double($0) / 40).x) })
    }
    #expect(curve.pieces.last.map { $0.second.x == $0.end.x } ?? false)
    #expect(PictureCurve(flowing: places.reversed()) != nil)
    #expect(PictureCurve(flowing: places + [places[0]]) == nil && PictureCurve(flowing: [places[0]]) == nil)
  }

  @Test func `a picture states whether its layout is coarse`() {
    let graph = SampleGraphs.tangle(300)
    let isCoarse = PathwayPicture.picture(graph, shouldStop: { true }).isCoarse
    let isUsualCoarse = PathwayPicture.picture(SampleGraphs.ring(12)).isCoarse
    #expect(isCoarse && !isUsualCoarse)
  }

  @Test func `long names are wrapped, and truncated if they are too long`() {
    let label = PictureLabel("Glyceraldehyde-3-phosphate dehydrogenase", size: 10, width: 104)
    #expect((2...3).contains(label.lines.count) && label.lines[0].hasPrefix("Glyceraldehyde-"))
    #expect(label.lines.joined().filter { $0 != " " } == "Glyceraldehyde-3-phosphatedehydrogenase")
    let endless = PictureLabel(String(repeating: "x", count: 1_000_000), size: 10, width: 100)
    #expect(endless.lines.count == 1 && endless.width <= 170 && endless.lines[0].hasSuffix("…"))
    #expect(PictureLabel("", size: 10, width: 100).lines.isEmpty)
  }

  @Test func `an overlay's numbers set the direction and width of their process's edges`() {
    var overlay = GraphOverlay(title: "fluxes")
    overlay.processes["h"] = .init(value: -8)
    overlay.processes["t"] = .init(value: 0)
    let plain = PathwayPicture.picture(PictureFileTests.graph)
    let marked = PathwayPicture.picture(PictureFileTests.graph, options: .init(overlay: overlay))
    #expect(texts(marked).contains { $0.text == "−8" } && !texts(plain).contains { $0.text == "−8" })
    #expect(marked.items.contains { $0.kind == .legend } && !plain.items.contains { $0.kind == .legend })
    // Nothing flows through the transporter, so its lines have no heads.
    let idle = marked.items.filter { $0.title.hasPrefix("Transporter →") }
    #expect(!idle.isEmpty && idle.allSatisfy { $0.shapes.count == 1 })
  }

  @Test(arguments: [
    (0.0, "0"), (1, "1"), (0.8739, "0.874"), (12.345, "12.3"), (-1234.5, "−1234"), (2e-7, "2e-7"), (9.97e6, "1e7"),
  ])
  func `numbers are abbreviated`(_ value: Double, _ text: String) {
    #expect(PictureNumber.short(value) == text || (text == "−1234" && PictureNumber.short(value) == "−1235"))
  }

  @Test(.enabled(if: SharedData.folder != nil)) func `maps are drawn at the positions in their files`() throws {
    let path = try #require(SharedData.folder).path + "/pathcase/escher/e_coli_core.Core_metabolism.json"
    let graph = try OpenedNetwork.file(path, NetworkFile.read(path)).graph()
    let picture = PathwayPicture.picture(graph)
    #expect(texts(picture).contains { $0.text == "g6p_c" })
    let named = PathwayPicture.picture(graph, options: .init(showsIDs: false))
    #expect(texts(named).contains { $0.text == "D-Glucose 6-phosphate" })
    // The drawing is as wide as the contents of the canvas, except for names.
    let frames = graph.nodes.compactMap(\.frame)
    let width = (frames.map(\.x).max() ?? 0) - (frames.map(\.x).min() ?? 0)
    #expect(picture.width >= width && picture.width < 1.3 * width)
  }
}

extension FrozenPath.Point {
  /// Returns the horizontal offset per unit down on the line from another point.
  fileprivate func slope(from other: FrozenPath.Point) -> Double { (x - other.x) / (y - other.y) }
}
