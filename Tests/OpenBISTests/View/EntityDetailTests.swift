import PluginAPI
import Testing

@testable import OpenBIS

@Suite struct EntityDetailTests {
  private static func entity() -> Entity {
    var entity = Entity(permID: "20130412-9")
    entity.category = "plate"
    entity.summaryHeader = "Plate 9"
    entity.summary = "384 wells, strain A"
    entity.identifier = "/LAB/P9"
    entity.childCount = 2
    entity.flags = .detailed
    entity.properties = [
      Property(key: "V", label: "Volume", value: "5.5"),
      Property(
        key: "T", label: "Result",
        value: "<table><tr><th>Gene</th><th>OD</th></tr><tr><td>lacZ</td><td>0.4</td></tr></table>"),
      Property(key: "R", label: "Empty", value: "<root/>"),
    ]
    entity.images = [
      EntityImage(role: .marquee, source: .address("a.png")),
      EntityImage(role: .tiled, source: .unusable("not base64")),
      EntityImage(role: .tiled, source: .address("b.png")),
    ]
    return entity
  }

  private func state(_ entity: Entity = Self.entity(), parents: [EntitySummary] = []) -> DetailState {
    var state = DetailState()
    state.details = EntityDetails(entity, parents: parents)
    return state
  }

  private func text(_ state: DetailState, _ width: Int = 60, _ height: Int = 40) -> String {
    var frame = TextFrame(size: Size(width: width, height: height))
    EntityDetailView(state: state, message: "reading …").draw(into: &frame)
    return frame.plainText
  }

  @Test func `all details of an entity are shown`() {
    let shown = text(state(parents: [EntityListTests.entity("exp", "experiment")]))
    for part in [
      "  Plate 9\n", "  plate\n", "384 wells, strain A", "/LAB/P9 · 20130412-9", "image not loaded yet",
      "Volume  5.5",
      "Result\n    Gene  OD\n    lacZ  0.4\n", "Empty   -", "no image: not", "2 children  ›", "Entity exp",
    ] {
      #expect(shown.contains(part), "\(part) in\n\(shown)")
    }
  }

  @Test func `a property that names a cached entity is a link with its title, any other value is not`() {
    var entity = Entity(permID: "SAMPLE.3")
    entity.properties = [
      Property(key: "FROM", label: "Derived from", value: "SAMPLE.1"),
      Property(key: "OTHER", label: "Other", value: "SAMPLE.2"),
      Property(key: "N", label: "Note", value: "SAMPLE.1 old"),
    ]
    let details = EntityDetails(entity, linked: [EntityListTests.entity("SAMPLE.1")])
    #expect(details.rows.map(\.link) == ["SAMPLE.1", nil, nil])
    var state = DetailState()
    state.details = details
    let shown = text(state)
    #expect(shown.contains("Derived from  Entity SAMPLE.1  ›"), "\(shown)")
    #expect(shown.contains("Other         SAMPLE.2") && shown.contains("Note          SAMPLE.1 old"), "\(shown)")
    #expect(shown.split(separator: "›").count == 2, "\(shown)")
  }

  @Test func `arrows move the selection through all items in view, and enter opens one`() {
    var state = state()
    let rect = Rect(x: 0, y: 0, width: 40, height: 8)
    var chosen: [String] = []
    for _ in 0..<60 {
      if case .chosen(let id)? = state.handle(.key(Key(.enter)), in: rect), chosen.last != id { chosen.append(id) }
      _ = state.handle(.key(Key(.down)), in: rect)
      #expect(text(state, 40, 8).contains("▌") || state.item == nil)
    }
    #expect(chosen.first == "image 0")
    #expect(chosen.last == "children")
    #expect(Set(["property 0", "property 1", "property 2"]).isSubset(of: chosen))
  }

  @Test func `a picture keeps its proportions and is clipped while scrolling`() {
    var state = state()
    state.details?.images[0].picture = Picture(width: 40, height: 20)
    state.details?.images[0].note = ""
    var frame = TextFrame(size: Size(width: 60, height: 20))
    EntityDetailView(state: state, message: "").draw(into: &frame)
    let placed = frame.takePictures()
    #expect(placed.count == 1)
    #expect(placed.first.map { $0.rect.width == 4 * $0.rect.height } == true)
    for _ in 0..<3 { _ = state.handle(.mouse(Mouse(.scroll(1), at: Point(x: 1, y: 1))), in: Rect(frame.frameSize)) }
    frame = TextFrame(size: Size(width: 60, height: 20))
    EntityDetailView(state: state, message: "").draw(into: &frame)
    #expect(frame.takePictures().allSatisfy { $0.rect.y >= 0 && $0.rect.y + $0.rect.height <= 20 })
  }

  @Test func `case 37: properties of an object are shown as keys and values`() {
    // An object instead of a list reaches the details as pairs without labels.
    var entity = Entity(permID: "X")
    entity.properties = [Property(key: "ph", label: "", value: "7"), Property(key: "strain", label: "", value: "K12")]
    #expect(text(state(entity)).contains("ph      7\n  strain  K12"))
  }

  @Test func `case 36: a value of 10 MB is truncated`() {
    var entity = Entity(permID: "X")
    entity.properties = [Property(key: "k", label: "Log", value: String(repeating: "line of log\n", count: 900_000))]
    let shown = text(state(entity))
    #expect(shown.contains("… press enter to show all (10.8 MB)"))
  }

  @Test func `an entity without details says how to get them`() {
    #expect(text(state(Entity(permID: "X"))).contains("no details yet: press r to request them"))
    var gone = Self.entity()
    gone.flags = [.missingOnServer, .childrenUnreadable]
    #expect(text(state(gone)).contains("it may have been deleted"))
    #expect(text(state(gone)).contains("could not be read"))
  }

  @Test func `200 tiles are arranged in rows`() {
    var entity = Entity(permID: "X")
    entity.images = (0..<250).map { _ in EntityImage(role: .tiled, source: .address("a")) }
    let layout = DetailLayout(EntityDetails(entity), in: Size(width: 103, height: 30))
    #expect(layout.tilesAcross == 5)
    #expect(layout.lines.count == 200)
    #expect(text(state(entity), 103, 400).contains("50 more images"))
  }

  @Test func `hostile texts in every column are drawn and spoken sanitized`() {
    for hostile in HostileTexts.all {
      var entity = Entity(permID: "i" + hostile)
      (entity.category, entity.summaryHeader, entity.summary, entity.identifier) = (hostile, hostile, hostile, hostile)
      entity.properties = [Property(key: hostile, label: hostile, value: hostile)]
      entity.images = [EntityImage(role: .marquee, source: .unusable(hostile), format: hostile)]
      entity.flags = .detailed
      let parent = EntitySummary(
        permID: hostile, category: hostile, summaryHeader: hostile, summary: hostile, childCount: nil, flags: [])
      let state = state(entity, parents: [parent])
      #expect(Harm.found(in: text(state), allowing: ["\n"]).isEmpty, "\(hostile.debugDescription)")
      let outline = EntityDetailView(state: state, message: "").outline
      let spoken = [outline.title] + outline.fields.flatMap { [$0.label, $0.value] } + outline.items.map(\.text)
      #expect(spoken.allSatisfy { Harm.found(in: $0).isEmpty }, "\(hostile.debugDescription)")
      #expect(outline.text.allSatisfy { Harm.found(in: $0, allowing: ["\n", "\t"]).isEmpty })
    }
  }

  @Test(arguments: [(0, 0), (1, 1), (4, 3), (10, 2), (300, 100)])
  func `a frame of any size can be drawn`(size: (Int, Int)) {
    #expect(text(state(), size.0, size.1).count >= 0)
    #expect(text(DetailState(), size.0, size.1).count >= 0)
  }
}
