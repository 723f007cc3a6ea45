import Testing

@testable import OpenBIS

@Suite struct StoredTraversalTests {
  /// A tree of 3,001 entities: a root with 1,000 children, each with one below it and the last of them listed twice.
  private func fill(_ store: EntityStore) async throws {
    let middle = (0..<1_000).map { EntityRow("M\($0)", "M \($0)", children: ["L\($0)", "L999"]) }
    let leaves = (0..<1_000).map { EntityRow("L\($0)", "L \($0)", children: []) }
    let root = EntityRow("R", "R", children: (0..<1_000).map { "M\($0)" }, root: true)
    try await store.take([root] + middle + leaves)
  }

  @Test(arguments: [false, true]) func `a traversal in many reads has the same steps as in one`(isUpward: Bool)
    async throws
  {
    let folder = CacheFolder()
    let store = folder.store()
    try await fill(store)
    let root = isUpward ? "L999" : "R"
    let expected = try await store.withGraph(isUpward: isUpward) { graph in
      var steps: [EntityWalk.Step] = []
      let counts = try EntityWalk.from(root, graph) { steps.append($0) }
      return (steps: steps, counts: counts)
    }
    #expect(expected.steps.count > 2_000)

    let traversal = StoredTraversal(EntityWalk(from: root), isUpward: isUpward)
    var (steps, reads) = ([EntityWalk.Step](), 0)
    while let next = try store.blockingRead({ try traversal.nextSteps($0) }) {
      steps += next
      reads += 1
    }
    #expect(steps == expected.steps)
    #expect(traversal.counts == expected.counts)
    #expect(reads > 1)
  }

  @Test func `entities are returned once, with their depths and children`() async throws {
    let folder = CacheFolder()
    let store = folder.store()
    try await fill(store)
    let traversal = StoredTraversal(EntityWalk(from: "R"))
    var families: [EntityFamily] = []
    while let next = try store.blockingRead({ try traversal.nextFamilies($0) }) { families += next }
    #expect(families.count == 2_001)
    #expect(Set(families.map(\.entity.permID)).count == 2_001)
    let last = try #require(families.first { $0.entity.permID == "M7" })
    #expect(last.depth == 1)
    #expect(last.children.map { Array($0) } == ["L7", "L999"])
  }

  @Test func `nothing is below an unknown entity`() async throws {
    let folder = CacheFolder()
    let store = folder.store()
    let traversal = StoredTraversal(EntityWalk(from: "R"))
    #expect(try store.blockingRead { try traversal.nextFamilies($0) }?.isEmpty == true)
    #expect(try store.blockingRead { try traversal.nextFamilies($0) } == nil)
  }
}
