import PluginAPI
import PluginImages
import PluginXML
import TestSupport
import Testing

@testable import PathCase

struct PictureFileTests {
  /// A pathway with every kind of line and a hostile name.
  static let graph: ReactionGraph = {
    var graph = ReactionGraph(id: "g", name: "<script>alert(\"1\")</script> & more")
    graph.compartments = [
      GraphCompartment(id: "out", name: "Plasma"), GraphCompartment(id: "in", name: "Cell"),
    ]
    graph.nodes = [
      GraphNode(id: "a", label: "Glucose \u{1B}]0;x\u{7}\u{0}", kind: .pool, compartment: 0),
      GraphNode(id: "b", label: "Glucose", kind: .pool, compartment: 1),
      GraphNode(id: "t", label: "Transporter", kind: .process),
      GraphNode(id: "c", label: "葡萄糖 6-phosphate", kind: .pool, compartment: 1),
      GraphNode(id: "h", label: "Hexokinase \"1\"", kind: .process, compartment: 1),
      GraphNode(id: "atp", label: "ATP", kind: .pool, compartment: 1, isCommon: true),
      GraphNode(id: "h+", label: "H⁺", kind: .pool, compartment: 1, isCommon: true),
      GraphNode(id: "w", label: "Other pathway", kind: .pathway, isPrimary: false),
    ]
    graph.edges = [
      GraphEdge(source: 0, target: 2, isReversible: true), GraphEdge(source: 2, target: 1, isReversible: true),
      GraphEdge(source: 1, target: 4), GraphEdge(source: 4, target: 3), GraphEdge(source: 5, target: 4),
      GraphEdge(source: 4, target: 6, stoichiometry: 2), GraphEdge(source: 3, target: 4, kind: .inhibition),
      GraphEdge(source: 5, target: 4, kind: .activation), GraphEdge(source: 3, target: 7, kind: .association),
    ]
    return graph
  }()

  private func svg(_ graph: ReactionGraph, _ options: PathwayPicture.Options = .init()) -> String {
    String(decoding: SVGPictureWriter.bytes(PathwayPicture.picture(graph, options: options)), as: UTF8.self)
  }

  @Test func `SVG is well-formed and holds every name, escaped, as text`() throws {
    let text = svg(Self.graph)
    var words: [String] = []
    var elements: [String: Int] = [:]
    var current = ""
    let reader = try XMLReader { event in
      switch event {
      case .begin(let element):
        elements[element.name.local, default: 0] += 1
        current = ""
      case .text(let text): current += String(decoding: text, as: UTF8.self)
      case .end: words.append(current)
      default: break
      }
    }
    try reader.push(Array(text.utf8))
    try reader.finish()
    #expect(elements["script"] == nil && elements["svg"] == 1)
    let all = Set(words)
    for name in ["Plasma", "Cell", "Glucose", "Transporter", "Hexokinase \"1\"", "ATP", "H⁺", "Other pathway"] {
      #expect(all.contains(name), "\(name)")
    }
    #expect(all.contains("<script>alert(\"1\")</script> & more"))
    #expect(!text.utf8.contains(0x1B) && !text.utf8.contains(0) && !text.utf8.contains(7))
  }

  @Test func `a picture has the same bytes each time`() throws {
    let picture = PathwayPicture.picture(Self.graph)
    #expect(svg(Self.graph) == svg(Self.graph))
    #expect(try CairoPicture.pdf(picture) == CairoPicture.pdf(picture))
    #expect(try CairoPicture.png(picture) == CairoPicture.png(picture))
  }

  @Test func `PDF and PNG have their format and the requested width`() throws {
    let picture = PathwayPicture.picture(Self.graph)
    let pdf = String(decoding: try CairoPicture.pdf(picture, width: 300), as: UTF8.self)
    #expect(pdf.hasPrefix("%PDF-") && pdf.utf8.count > 2000)
    let size = try ImageReader.size(of: try CairoPicture.png(picture, width: 300))
    #expect(size.width == 300)
    #expect(abs(Double(size.height) - picture.height * 300 / picture.width) <= 1)
    let image = try ImageReader.picture(from: try CairoPicture.png(picture, width: 300))
    #expect(image.width == 300)
  }

  @Test func `a PNG of too many pixels is refused`() {
    var picture = PathwayPicture.picture(Self.graph)
    picture.height = picture.width * 1000
    #expect(throws: ErrorReport.self) { try CairoPicture.png(picture, width: 20_000) }
  }

  @Test func `an empty network gives an empty picture`() throws {
    let picture = PathwayPicture.picture(ReactionGraph())
    #expect(picture.width > 0 && picture.height > 0)
    #expect(svg(ReactionGraph()).hasSuffix("</svg>\n"))
    #expect(try CairoPicture.png(picture).count > 100)
  }

  @Test func `numbers of SVG have two decimals and no exponent`() {
    #expect(SVGPictureWriter.number(1.005) == "1" || SVGPictureWriter.number(1.005) == "1.01")
    #expect(SVGPictureWriter.number(-0.1) == "-0.1")
    #expect(SVGPictureWriter.number(12.04) == "12.04")
    #expect(SVGPictureWriter.number(1e-9) == "0")
    #expect(SVGPictureWriter.number(.nan) == "0" && SVGPictureWriter.number(.infinity) == "0")
    #expect(SVGPictureWriter.number(123456) == "123456")
  }
}
