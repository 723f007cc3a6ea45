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

  @Test func `in every bundled pathway all names are there and no two cover each other`() throws {
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
          // Lines of one name are closer than the boxes of their letters are high.
          if width > 1.5, height > 3 { bad.append("\(one.text) on \(other.text)") }
        }
      }
      #expect(bad.isEmpty, "\(graph.id): \(bad.prefix(5))")
    }
  }

  @Test func `a reversible line has two heads, one of an inhibitor a bar`() {
    let picture = PathwayPicture.picture(PictureFileTests.graph)
    func shapes(_ title: String) -> Int {
      picture.items.filter { $0.kind == .edge && $0.title == title }.flatMap(\.shapes).count
    }
    #expect(shapes("Transporter → Glucose") == 2)
    let inhibitor = picture.items.filter { $0.title.hasSuffix("acts") }
    #expect(inhibitor.count == 2)
    #expect(PictureLabel.shown("a\u{1B}b\u{202E}c") == "a bc")
  }

  @Test func `long names are broken, and cut where they do not end`() {
    let label = PictureLabel("Glyceraldehyde-3-phosphate dehydrogenase", size: 10, width: 104)
    #expect((2...3).contains(label.lines.count) && label.lines[0].hasPrefix("Glyceraldehyde-"))
    #expect(label.lines.joined().filter { $0 != " " } == "Glyceraldehyde-3-phosphatedehydrogenase")
    let endless = PictureLabel(String(repeating: "x", count: 1_000_000), size: 10, width: 100)
    #expect(endless.lines.count == 1 && endless.width <= 170 && endless.lines[0].hasSuffix("…"))
    #expect(PictureLabel("", size: 10, width: 100).lines.isEmpty)
  }

  @Test func `numbers laid over turn and widen the lines of their process`() {
    var overlay = GraphOverlay(title: "fluxes")
    overlay.processes["h"] = .init(value: -8)
    overlay.processes["t"] = .init(value: 0)
    let plain = PathwayPicture.picture(PictureFileTests.graph)
    let marked = PathwayPicture.picture(PictureFileTests.graph, options: .init(overlay: overlay))
    #expect(texts(marked).contains { $0.text == "−8" } && !texts(plain).contains { $0.text == "−8" })
    #expect(marked.items.contains { $0.kind == .legend } && !plain.items.contains { $0.kind == .legend })
    // Nothing flows through the transporter, so that its lines have no heads.
    let idle = marked.items.filter { $0.title.hasPrefix("Transporter →") }
    #expect(!idle.isEmpty && idle.allSatisfy { $0.shapes.count == 1 })
  }

  @Test(arguments: [(0.0, "0"), (1, "1"), (0.8739, "0.874"), (12.345, "12.3"), (-1234.5, "−1234"), (2e-7, "2e-7")])
  func `numbers are short`(_ value: Double, _ text: String) {
    #expect(PictureNumber.short(value) == text || (text == "−1234" && PictureNumber.short(value) == "−1235"))
  }

  @Test(.enabled(if: SharedData.folder != nil)) func `maps are drawn where their files have them`() throws {
    let path = try #require(SharedData.folder).path + "/pathcase/escher/e_coli_core.Core_metabolism.json"
    let graph = try OpenedNetwork.file(path, NetworkFile.read(path)).graph()
    let picture = PathwayPicture.picture(graph)
    #expect(texts(picture).contains { $0.text == "g6p_c" })
    let named = PathwayPicture.picture(graph, options: .init(showsIDs: false))
    #expect(texts(named).contains { $0.text == "D-Glucose 6-phosphate" })
    // The drawing is as wide as the paper's content, names aside.
    let frames = graph.nodes.compactMap(\.frame)
    let width = (frames.map(\.x).max() ?? 0) - (frames.map(\.x).min() ?? 0)
    #expect(picture.width >= width && picture.width < 1.3 * width)
  }
}
