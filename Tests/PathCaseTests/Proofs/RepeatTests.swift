import PluginAPI
import Testing

@testable import PathCase

/// Equality of results for any number of threads; Scripts/check-repeats compares separate runs.
struct RepeatTests {
  /// A network of cycles that share species, whose ranges are not all zero.
  private static let problem: FluxProblem = {
    var columns: [[(row: Int, amount: Double)]] = [[(0, 1)]]
    for row in 0..<40 {
      columns.append([(row, -1), ((row + 1) % 40, 1)])
      columns.append([(row, -2), ((row * 7 + 3) % 40, 2)])
    }
    columns.append([(17, -1)])
    let count = columns.count
    var weights = [Double](repeating: 0, count: count)
    weights[count - 1] = 1
    return FluxProblem(
      rows: 40, columns: columns, lower: (0..<count).map { $0 % 3 == 0 ? 0 : -5 },
      upper: [Double](repeating: 10, count: count), weights: weights, isMaximized: true)
  }()

  @Test(arguments: 2...16) func `ranges and deletions are bitwise equal on any number of threads`(_ threads: Int) throws
  {
    let alone = try FluxAnalysis.ranges(Self.problem, threads: 1)
    let many = try FluxAnalysis.ranges(Self.problem, threads: threads)
    #expect(alone.status == .optimal && alone.ranges.count == Self.problem.reactionCount)
    #expect(Self.bits(alone.ranges) == Self.bits(many.ranges))
    let asked = (0..<Self.problem.reactionCount).map { [$0] }
    let (one, other) = (
      try FluxAnalysis.deletions(Self.problem, of: asked, threads: 1),
      try FluxAnalysis.deletions(Self.problem, of: asked, threads: threads)
    )
    #expect(one.map(\.status) == other.map(\.status))
    #expect(one.map { $0.objective?.bitPattern } == other.map { $0.objective?.bitPattern })
  }

  @Test func `pairs are bitwise equal, in parts and on any number of threads`() throws {
    let single = (0..<Self.problem.reactionCount).map { [$0] }
    let alone = try PairDeletions(Self.problem, of: single, threads: 1)
    let count = alone.order.count
    let whole = try alone.results(of: 0..<count)
    for (threads, parts) in [(1, 7), (3, 1), (5, 16)] {
      let work = try PairDeletions(Self.problem, of: single, threads: threads)
      let joined = try (1...parts).flatMap { number in
        try work.results(of: try #require(WorkPart("\(number)/\(parts)")).rows(of: count))
      }
      #expect(joined.map { [$0.one, $0.other] } == whole.map { [$0.one, $0.other] })
      #expect(joined.map(\.result.status) == whole.map(\.result.status))
      #expect(joined.map { $0.result.objective?.bitPattern } == whole.map { $0.result.objective?.bitPattern })
    }
  }

  private static func bits(_ ranges: [FluxRange?]) -> [[UInt64]] {
    ranges.map { range in range.map { [$0.least.bitPattern, $0.largest.bitPattern] } ?? [] }
  }

  @Test func `sixteen concurrent readers and analyses give the same result`() async throws {
    let found = try await withThrowingTaskGroup(of: [String].self) { group in
      for _ in 0..<16 {
        group.addTask {
          let database = try DatabaseLinker.link(MawSamples.small)
          let graph = database.graph(ofPathway: 0)
          let layout = LayeredLayout.layout(graph)
          var network = database.scenarioNetwork(ofPathways: [0])
          network.closeEnds()
          let analysis = try ScenarioAnalysis(network)
          let written = ContractWriter.documents(of: database.records).flatMap(\.bytes)
          let texts = [TextDrawing(graph, layout).text, "\(layout.routes)", "\(analysis.page(count: 100))"]
          return texts + [String(decoding: written, as: UTF8.self)]
        }
      }
      var all: [[String]] = []
      for try await one in group { all.append(one) }
      return all
    }
    #expect(found.count == 16 && Set(found).count == 1)
  }
}
