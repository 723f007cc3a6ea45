import Testing

@testable import OpenBIS

@Suite struct EntityWalkTests {
  private func walk(
    _ graph: TestGraph, from root: String = "A", limits: EntityWalk.Limits = .init()
  ) throws -> (lines: [String], counts: EntityWalk.Counts) {
    var lines: [String] = []
    var text = TreeText()
    let counts = try EntityWalk.from(root, graph.reading, limits: limits) { lines.append(text.line($0)) }
    return (lines, counts)
  }

  @Test func `children are indented below their parents`() throws {
    let found = try walk(TestGraph(children: ["A": ["B", "C"], "B": ["D"], "C": ["E"]]))
    #expect(
      found.lines == [
        "Entity A  [kind]", "├─ Entity B  [kind]", "│  └─ Entity D  [kind]", "└─ Entity C  [kind]",
        "   └─ Entity E  [kind]",
      ])
    #expect(found.counts.entities == 5)
    #expect(found.counts.depth == 2)
  }

  @Test func `case 32: a cycle and a self-reference are visited once`() throws {
    let found = try walk(TestGraph(children: ["A": ["B", "A"], "B": ["A", "B"]]))
    #expect(
      found.lines == [
        "Entity A  [kind]", "├─ Entity B  [kind]", "│  ├─ Entity A  [kind]  ↑ above", "│  └─ Entity B  [kind]  ↑ above",
        "└─ Entity A  [kind]  ↑ above",
      ])
    #expect(found.counts == .init(entities: 2, again: 3, depth: 1))
  }

  @Test func `ids that only look alike are distinct`() throws {
    let graph = TestGraph(children: ["A": ["caf\u{E9}", "cafe\u{301}"]])
    #expect(try walk(graph).counts == .init(entities: 3, again: 0, depth: 1))
  }

  @Test func `case 31: a child that was never loaded is shown by its id and counted`() throws {
    let found = try walk(TestGraph(children: ["A": ["X7"]], notLoaded: ["X7"]))
    #expect(found.lines.last == "└─ (not loaded) X7")
    #expect(found.counts.notLoaded == 1)
  }

  @Test func `case 33: a chain of 50 000 entities is walked and written`() throws {
    var children: [String: [String]] = [:]
    for index in 0..<50_000 { children["\(index)"] = ["\(index + 1)"] }
    var text = TreeText()
    var (lines, size, last) = (0, 0, "")
    let counts = try EntityWalk.from("0", TestGraph(children: children).reading) { step in
      last = text.line(step)
      lines += 1
      size += last.utf8.count
    }
    #expect(counts.entities == 50_001)
    #expect(counts.depth == 50_000)
    #expect(lines == 50_001)
    #expect(last.hasSuffix("⋮50000 Entity 50000  [kind]"))
    #expect(size < 10_000_000)
  }

  @Test func `entities below the depth limit are counted`() throws {
    let graph = TestGraph(children: ["A": ["B", "C"], "B": ["D", "E"]])
    let found = try walk(graph, limits: .init(depth: 1))
    #expect(
      found.lines == [
        "Entity A  [kind]", "├─ Entity B  [kind]", "│  └─ … 2 below", "└─ Entity C  [kind]",
      ])
    #expect(found.counts.left == 2)
    #expect(try walk(graph, limits: .init(depth: 0)).lines == ["Entity A  [kind]", "└─ … 2 below"])
  }

  @Test func `only the first of very many neighbors are visited`() throws {
    let graph = TestGraph(children: ["A": (0..<1000).map { "B\($0)" }])
    let found = try walk(graph, limits: .init(neighbors: 2))
    #expect(found.lines == ["Entity A  [kind]", "├─ Entity B0  [kind]", "├─ Entity B1  [kind]", "└─ … 998 more"])
    let all = try walk(graph)
    #expect(all.counts.entities == 1001)
    #expect(all.lines.last == "└─ Entity B999  [kind]")
  }

  @Test func `a walk ends after the allowed steps and reports truncation`() throws {
    let found = try walk(TestGraph(children: ["A": ["B", "C", "D"]]), limits: .init(steps: 2))
    #expect(found.lines.count == 2)
    #expect(found.counts.isCut)
    // Counting takes a step too, and a complete traversal is not marked as cut.
    let wide = TestGraph(children: ["A": ["B"], "B": ["C", "D"]])
    for steps in 1...3 {
      let found = try walk(wide, limits: .init(depth: 1, steps: steps))
      #expect(found.lines.count == steps && found.counts.isCut == (steps < 3))
    }
  }

  @Test func `a canceled walk ends at once`() {
    let graph = TestGraph(children: ["A": ["B", "C"]])
    var steps = 0
    #expect(throws: CancellationError.self) {
      _ = try EntityWalk.from("A", graph.reading) { _ in
        steps += 1
        if steps == 2 { throw CancellationError() }
      }
    }
    #expect(steps == 2)
  }

  @Test func `plain text states the level in words`() throws {
    var text = TreeText(isPlain: true)
    var lines: [String] = []
    _ = try EntityWalk.from("A", TestGraph(children: ["A": ["B"]]).reading) { lines.append(text.line($0)) }
    #expect(lines == ["Entity A  [kind]", "level 2: Entity B  [kind]"])
  }
}
