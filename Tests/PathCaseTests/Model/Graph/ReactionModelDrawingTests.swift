import Testing

@testable import PathCase

struct ReactionModelDrawingTests {
  private func model() -> ReactionModel {
    var model = ReactionModel(id: "m")
    model.compartments = [ModelCompartment(id: "c")]
    model.species = ["a", "b", "e"].map { ModelSpecies(id: $0, compartment: 0) }
    model.reactions = [
      ModelReaction(
        id: "r", stoichiometry: [SpeciesAmount(species: 0, amount: -2), SpeciesAmount(species: 1, amount: 1)],
        modifiers: [ReactionModifier(species: 2, .inhibitor)], lowerBound: 0)
    ]
    func box(_ kind: LayoutGlyph.Kind, _ id: Identifier, _ object: Identifier, _ x: Double) -> LayoutGlyph {
      var glyph = LayoutGlyph(kind: kind, id: id, object: object)
      (glyph.corner, glyph.size) = (LayoutPoint(x: x, y: 0), LayoutSize(width: 10, height: 4))
      return glyph
    }
    func line(_ id: Identifier, _ target: Identifier, _ role: String?, _ from: Double, _ to: Double) -> LayoutGlyph {
      var glyph = LayoutGlyph(kind: .speciesReference, id: id, target: target, owner: 4, role: role)
      let middle = LayoutPoint(x: (from + to) / 2, y: 9)
      glyph.segments = [
        LayoutSegment(
          start: LayoutPoint(x: from, y: 2), end: middle, first: LayoutPoint(x: from, y: 5),
          second: LayoutPoint(x: from + 1, y: 6)),
        LayoutSegment(start: middle, end: LayoutPoint(x: to, y: 2)),
      ]
      return glyph
    }
    var step = LayoutGlyph(kind: .reaction, id: "gr", object: "r")
    step.segments = [LayoutSegment(start: LayoutPoint(x: 40, y: 0), end: LayoutPoint(x: 44, y: 4))]
    // The line of the substrate runs toward the substrate, as many programs draw it.
    model.layouts = [
      ModelLayout(
        id: "l", size: LayoutSize(width: 100, height: 20),
        glyphs: [
          box(.compartment, "gc", "c", 0), box(.species, "ga", "a", 0), box(.species, "gb", "b", 80),
          box(.species, "ge", "e", 40), step, line("l1", "ga", "substrate", 40, 10), line("l2", "gb", nil, 44, 80),
          line("l3", "ge", "inhibitor", 45, 42),
        ])
    ]
    return model
  }

  @Test func `nodes are placed at their glyphs, and edges follow the flow`() throws {
    let graph = try #require(model().drawnGraph)
    #expect(graph.nodes.map(\.id) == ["ga", "gb", "ge", "gr"] && graph.nodes.map(\.subject) == ["a", "b", "e", "r"])
    #expect(graph.nodes.map { $0.frame?.x } == [5, 85, 45, 42] && graph.isPlaced)
    #expect(graph.compartments[0].frame == GraphFrame(x: 5, y: 2, width: 10, height: 4))
    #expect(graph.edges.map { [$0.source, $0.target] } == [[0, 3], [3, 1], [2, 3]])
    #expect(graph.edges.map(\.kind) == [.flow, .flow, .inhibition] && graph.edges.map(\.stoichiometry) == [2, 1, 1])
    #expect(graph.edges[0].bends == [FrozenPath.Point(x: 25, y: 9)] && graph.edges[0].start?.x == 10)
    #expect(graph.edges[0].curves[1].first == FrozenPath.Point(x: 41, y: 6))
    #expect(graph.canvas == GraphFrame(x: 50, y: 10, width: 100, height: 20))
  }

  @Test func `a layout without a glyph, a reaction or a position is not used`() {
    for lacking in 5...7 {
      var model = model()
      model.layouts[0].glyphs.remove(at: lacking)
      #expect(model.drawnGraph == nil, "\(lacking)")
    }
    var other = model()
    other.reactions.append(ModelReaction(id: "s"))
    #expect(other.drawnGraph == nil)
    other = model()
    other.layouts[0].glyphs[4].segments = []
    #expect(other.drawnGraph == nil)
    other = model()
    other.layouts[0].glyphs[3].id = "ga"
    #expect(other.drawnGraph == nil)
    // The next one can be used.
    other.layouts.append(model().layouts[0])
    #expect(other.drawnGraph != nil && ReactionModel(id: "m").drawnGraph == nil)
  }
}
