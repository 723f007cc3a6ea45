import Testing

@testable import PathCase

struct TextDrawingTests {
  private static let graphs = [
    SampleGraphs.ring(24), SampleGraphs.ladder(30), SampleGraphs.odd, SampleGraphs.tangle(120),
    SampleGraphs.compartments,
    SampleGraphs.scattered(40),
  ]

  @Test(arguments: TextDrawing.Zoom.allCases)
  func `every edge joins its boxes and crosses no other box`(zoom: TextDrawing.Zoom) {
    for graph in Self.graphs {
      let layout = LayeredLayout.layout(graph)
      var options = TextDrawing.Options()
      options.zoom = zoom
      let drawing = TextDrawing(graph, layout, options: options)
      #expect(DrawingProbe(drawing, layout).problems.isEmpty, "\(graph.nodes.count) nodes")
    }
  }

  @Test func `drawings of random graphs lose no node or edge`() {
    for seed in 0..<200 {
      let graph = SampleGraphs.random(UInt64(seed))
      var options = LayoutOptions()
      options.common = [.asOthers, .hidden, .beside][seed % 3]
      let layout = LayeredLayout.layout(graph, options: options)
      if !layout.isFrozen { #expect(SampleGraphs.overlaps(layout).isEmpty, "seed \(seed)") }
      let zoom = TextDrawing.Zoom.allCases[seed / 3 % 3]
      let drawing = TextDrawing(graph, layout, options: .init(zoom: zoom))
      let problems = DrawingProbe(drawing, layout).problems
      #expect(problems.isEmpty, "seed \(seed)")
    }
  }

  @Test func `no boxes overlap`() {
    for graph in Self.graphs {
      let layout = LayeredLayout.layout(graph)
      let drawing = TextDrawing(graph, layout)
      #expect(drawing.boxes.count == layout.places.count)
      var cells: Set<[Int]> = []
      for box in drawing.boxes.map(\.window) {
        for row in box.row..<box.row + box.height {
          for column in box.column..<box.column + box.width {
            #expect(cells.insert([column, row]).inserted)
            #expect(column >= 0 && column < drawing.width && row >= 0 && row < drawing.height)
          }
        }
      }
    }
  }

  @Test func `a chain is a column of boxes with arrows`() {
    let graph = SampleGraphs.chain(3)
    let drawing = TextDrawing(graph, LayeredLayout.layout(graph))
    let expected = """
      ╭────────╮
      │ node 0 │
      ╰────────╯
           ▼
      ┌────────┐
      │ node 1 │
      └────────┘
           ▼
      ╭────────╮
      │ node 2 │
      ╰────────╯

      """
    #expect(drawing.text == expected)
  }

  @Test func `names and dots need fewer cells than boxes`() {
    let graph = SampleGraphs.ladder(12)
    let layout = LayeredLayout.layout(graph)
    let counts = [TextDrawing.Zoom.overview, .names, .full].map { zoom in
      TextDrawing(graph, layout, options: .init(zoom: zoom)).cellCount
    }
    #expect(counts == counts.sorted() && counts[0] * 4 < counts[2])
  }

  @Test func `ASCII drawings contain only ASCII characters`() {
    var options = TextDrawing.Options()
    options.isASCII = true
    for zoom in TextDrawing.Zoom.allCases {
      options.zoom = zoom
      let graph = SampleGraphs.compartments
      let text = TextDrawing(graph, LayeredLayout.layout(graph), options: options).text
      #expect(text.utf8.allSatisfy { $0 < 0x80 })
    }
  }

  @Test func `a window shows the same cells as the whole drawing`() {
    let graph = SampleGraphs.tangle(80)
    let drawing = TextDrawing(graph, LayeredLayout.layout(graph))
    let whole = drawing.canvas()
    let window = TextDrawing.Window(column: 17, row: 9, width: 60, height: 30)
    #expect(whole.width > 17 + 40 && whole.height > 9 + 20)
    let part = drawing.canvas(window)
    for row in 0..<30 {
      for column in 0..<60 where column + 17 < whole.width && row + 9 < whole.height {
        let expected = whole[column + 17, row + 9]
        #expect(part[column, row].character == expected.character)
      }
    }
  }

  @Test func `a window outside of the drawing is empty`() {
    let graph = SampleGraphs.chain(3)
    let drawing = TextDrawing(graph, LayeredLayout.layout(graph))
    for window in [
      TextDrawing.Window(column: 500, row: 500, width: 10, height: 4),
      TextDrawing.Window(column: -50, row: -50, width: 10, height: 4),
    ] {
      #expect(drawing.canvas(window).lines == ["", "", "", ""])
    }
    #expect(drawing.canvas(.init(width: 0, height: 0)).cells.isEmpty)
  }

  @Test func `labels of any script keep the frames aligned`() {
    var graph = SampleGraphs.chain(6)
    let labels = ["葡萄糖", "a\u{301}\u{300}", "👩‍🔬👩‍🔬", "سكر", "\u{200B}", String(repeating: "很长", count: 500_000)]
    for (index, label) in labels.enumerated() { graph.nodes[index].label = label }
    let drawing = TextDrawing(graph, LayeredLayout.layout(graph))
    let canvas = drawing.canvas()
    for box in drawing.boxes.map(\.window) {
      for row in box.row..<box.row + box.height {
        for column in [box.column, box.column + box.width - 1] {
          let scalar = canvas[column, row].character?.unicodeScalars.first
          #expect(scalar.map { (0x2500...0x257F).contains($0.value) } == true, "\(column), \(row)")
        }
      }
    }
    #expect(drawing.boxes[5].window.width == 27 && drawing.boxes[5].label.hasSuffix("…"))
    #expect(drawing.boxes[4].label == "n4")
  }

  @Test func `a label truncated after three lines has no space after a hyphen`() {
    var graph = SampleGraphs.chain(1)
    graph.nodes[0].label = "ATP + D-fructose 6-phosphate → ADP + fructose-1,6-bisphosphate + H+"
    let drawing = TextDrawing(graph, LayeredLayout.layout(graph))
    #expect(drawing.boxes[0].lines == ["ATP + D-fructose", "6-phosphate → ADP +", "fructose-1,6-bisphospha…"])
  }

  @Test func `control characters are replaced`() {
    var graph = SampleGraphs.chain(1)
    graph.nodes[0].label = "a\u{1B}[2J\u{9B}\u{202E}b"
    let text = TextDrawing(graph, LayeredLayout.layout(graph), options: .init(labelLimit: 60)).text
    #expect(text.contains("a\u{FFFD}[2J\u{FFFD}\u{FFFD}b"))
  }

  @Test func `compartments have titled frames`() {
    let graph = SampleGraphs.compartments
    let drawing = TextDrawing(graph, LayeredLayout.layout(graph))
    #expect(drawing.frames.map(\.name) == ["outside", "matrix", "cytosol"])
    for name in ["outside", "matrix", "cytosol"] { #expect(drawing.text.contains(" \(name) ")) }
    let frames = drawing.frames.map(\.window)
    #expect(
      frames[1].column > frames[2].column + frames[2].width || frames[2].column > frames[1].column + frames[1].width)
  }

  @Test func `names of crossing frames stay uncovered, and truncated names have an ellipsis`() {
    for width in stride(from: 4.0, through: 60, by: 4) {
      var graph = SampleGraphs.graph(4, [])
      graph.compartments = [
        GraphCompartment(id: "b", name: "button", parent: nil),
        GraphCompartment(id: "v", name: "synaptic vesicle", parent: nil),
      ]
      // The right side of the first frame crosses the upper side of the second.
      for (node, (x, row, room)) in [(0, 0, 0), (width, 1, 1), (width + 1, 2, 0), (width + 60, 2, 1)].enumerated() {
        graph.nodes[node].frame = GraphFrame(x: 10 * x, y: 100 * Double(row), width: 60, height: 24)
        graph.nodes[node].compartment = room
      }
      let drawing = TextDrawing(graph, LayeredLayout.layout(graph))
      for frame in drawing.frames {
        let name = graph.compartments[frame.compartment].name
        #expect(drawing.text.contains(" \(frame.name) "), "\(name), \(width)\n\(drawing.text)")
        #expect(frame.name == name || frame.name.hasSuffix("…") || frame.name.isEmpty, "\(frame.name), \(width)")
      }
    }
  }

  @Test func `at every zoom frames are disjoint or nested`() throws {
    let database = try BundledDatabase.linked.get()
    var options = LayoutOptions()
    options.common = .beside
    for pathway in database.pathways.indices {
      let graph = database.graph(ofPathway: pathway)
      let layout = LayeredLayout.layout(graph, options: options)
      for zoom in TextDrawing.Zoom.allCases {
        let frames = TextDrawing(graph, layout, options: .init(zoom: zoom)).frames.map(\.window)
        for (index, one) in frames.enumerated() {
          for other in frames.dropFirst(index + 1) {
            #expect(isApartOrWithin(one, other), "\(graph.id), \(zoom): \(one), \(other)")
          }
        }
      }
    }
  }

  @Test func `three hundred nested compartments, with a node in each, are laid out and drawn`() {
    var graph = SampleGraphs.chain(300)
    graph.compartments = (0..<300).map { room in
      GraphCompartment(id: Identifier("c\(room)"), name: "r\(room)", parent: room == 0 ? nil : room - 1)
    }
    for node in graph.nodes.indices { graph.nodes[node].compartment = node }
    let order = CompartmentOrder(graph, nodes: Array(graph.nodes.indices))
    #expect(order.count == 300 && order.walls.allSatisfy { $0 == .init(ending: 0, beginning: 1) })
    let drawing = TextDrawing(graph, LayeredLayout.layout(graph), options: .init(zoom: .overview))
    #expect(drawing.frames.count == 300)
  }

  private func isApartOrWithin(_ one: TextDrawing.Window, _ other: TextDrawing.Window) -> Bool {
    func ranges(_ window: TextDrawing.Window) -> (columns: Range<Int>, rows: Range<Int>) {
      (window.column..<window.column + window.width, window.row..<window.row + window.height)
    }
    let (first, second) = (ranges(one), ranges(other))
    if !first.columns.overlaps(second.columns) || !first.rows.overlaps(second.rows) { return true }
    func isWithin(_ inner: Range<Int>, _ outer: Range<Int>) -> Bool {
      inner.lowerBound > outer.lowerBound && inner.upperBound < outer.upperBound
    }
    return isWithin(first.columns, second.columns) && isWithin(first.rows, second.rows)
      || isWithin(second.columns, first.columns) && isWithin(second.rows, first.rows)
  }

  @Test func `the node at a cell is found`() {
    let graph = SampleGraphs.ladder(12)
    let drawing = TextDrawing(graph, LayeredLayout.layout(graph))
    #expect(!drawing.boxes.isEmpty)
    for box in drawing.boxes {
      #expect(drawing.place(column: box.window.column, row: box.window.row + 1) == box.place)
    }
    #expect(drawing.place(column: -1, row: 0) == nil)
  }

  @Test func `an empty graph has an empty drawing`() {
    let drawing = TextDrawing(ReactionGraph(), LayeredLayout.layout(ReactionGraph()))
    #expect(drawing.cellCount == 0 && drawing.text.isEmpty)
  }
}
