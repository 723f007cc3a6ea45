import Testing

@testable import PathCase

struct ProcessPortsTests {
  private func end(_ edge: Int, isMade: Bool, isUpper: Bool, _ towards: Double = 0) -> ProcessPorts.End {
    .init(edge: edge, isMade: isMade, isUpper: isUpper, towards: towards)
  }

  @Test func `edges that enter from above and leave below keep their sides`() {
    let ports = ProcessPorts([end(0, isMade: false, isUpper: true), end(1, isMade: true, isUpper: false)])
    #expect(ports.turned.isEmpty && !ports.isUpwards && ports.hasUpper && ports.hasLower)
    let upwards = ProcessPorts([end(0, isMade: false, isUpper: false), end(1, isMade: true, isUpper: true)])
    #expect(upwards.turned.isEmpty && upwards.isUpwards)
  }

  @Test func `of edges on one side, those further right go around without crossing`() {
    let right = ProcessPorts([end(0, isMade: false, isUpper: true, 10), end(1, isMade: true, isUpper: true, 90)])
    #expect(right.turned == [1] && right.turnsUp && !right.turnsDown && !right.isUpwards)
    let left = ProcessPorts([end(0, isMade: false, isUpper: true, 90), end(1, isMade: true, isUpper: true, 10)])
    #expect(left.turned == [0] && left.isUpwards)
    let below = ProcessPorts([end(0, isMade: false, isUpper: false, 10), end(1, isMade: true, isUpper: false, 90)])
    #expect(below.turned == [1] && below.turnsDown && below.isUpwards && below.hasLower && !below.hasUpper)
  }

  @Test func `an edge on the same side as incoming edges goes around`() {
    let ports = ProcessPorts([
      end(0, isMade: false, isUpper: true, 90), end(1, isMade: true, isUpper: true, 10),
      end(2, isMade: true, isUpper: false, 0),
    ])
    #expect(ports.turned == [1] && !ports.isUpwards && ports.hasUpper && ports.hasLower)
    #expect(ProcessPorts([]).turned.isEmpty && !ProcessPorts([]).hasUpper)
  }

  @Test func `with both kinds of edges on both sides, one kind goes around above and below`() {
    let ports = ProcessPorts([
      end(0, isMade: false, isUpper: true, 10), end(1, isMade: true, isUpper: true, 90),
      end(2, isMade: false, isUpper: false, 90), end(3, isMade: true, isUpper: false, 10),
    ])
    #expect(ports.turned == [1, 3] && ports.turnsUp && ports.turnsDown)
  }

  @Test func `edges that go around pass on the left if they come from there`() {
    let ports = ProcessPorts(
      [end(0, isMade: false, isUpper: true, 90), end(1, isMade: true, isUpper: true, 10)], isLeft: true)
    #expect(ports.turned == [1] && ports.lane < 0 && ProcessPorts([]).lane > 0)
  }

  /// Returns the first and last points of a picture's lines, with their titles.
  private func lines(_ picture: VectorPicture) -> [(title: String, start: FrozenPath.Point, end: FrozenPath.Point)] {
    picture.items.filter { $0.kind == .edge }.compactMap { item in
      guard case .path(let path, _) = item.shapes.first else { return nil }
      let points = path.steps.compactMap { step -> FrozenPath.Point? in
        switch step {
        case .move(let point), .line(let point), .curve(_, _, let point): point
        case .close: nil
        }
      }
      return points.first.flatMap { first in points.last.map { (item.title, first, $0) } }
    }
  }

  @Test(arguments: ["w-tca", "w-glycolysis", "w-cori", "w-purine-synthesis", "w-respiration", "w-alanine"])
  func `incoming and outgoing edges never meet a process at the same point`(id: Identifier) throws {
    let database = try BundledDatabase.linked.get()
    let pathway = try #require(database.pathways.firstIndex { $0.id == id })
    let graph = database.graph(ofPathway: pathway)
    let lines = lines(PathwayPicture.picture(graph))
    let names = graph.nodes.filter { $0.kind == .process }.map(\.label)
    var compared = 0
    for name in Set(names) where names.count(where: { $0 == name }) == 1 {
      let incoming = lines.filter { $0.title.hasSuffix(" → " + name) }.map(\.end)
      let leaving = lines.filter { $0.title.hasPrefix(name + " → ") }.map(\.start)
      for one in incoming {
        for other in leaving {
          compared += 1
          #expect(one.distance(to: other) > PictureParts.square / 2, "\(name) in \(id)")
        }
      }
    }
    #expect(compared > 5)
  }

  @Test func `related side molecules join their process's edge on one side`() throws {
    let database = try BundledDatabase.linked.get()
    let pathway = try #require(database.pathways.firstIndex { $0.id == "w-glycolysis" })
    let lines = lines(PathwayPicture.picture(database.graph(ofPathway: pathway)))
    // Reversible: phosphoglycerate kinase consumes ADP and produces ATP, or vice versa.
    let used = lines.filter { $0.title.hasSuffix(" is used") }
    let made = lines.filter { $0.title.hasSuffix(" is made") }
    #expect(!used.isEmpty && !made.isEmpty)
    for one in used {
      for other in made { #expect(one.start.distance(to: other.start) > PictureParts.square) }
    }
  }
}
