import Foundation
import PluginAPI
import PluginText
import Testing

@testable import Host

struct CostModelTests {
  private static func sample(_ cost: Double, _ seconds: Double, _ mebibytes: Double = 50) -> CostModel.Sample {
    CostModel.Sample(cost: cost, seconds: seconds, mebibytes: mebibytes)
  }

  @Test func `a line fit is robust against 20 percent outliers`() {
    var random = SplitMix64(seed: 24)
    let points = (0..<200).map { index in
      let x = Double(index * index)
      return (x: x, y: index % 5 == 2 ? Double.random(in: 0...1e6, using: &random) : 0.003 + 2e-6 * x)
    }
    let line = CostModel.Line(fitting: points)
    #expect(abs(line.slope / 2e-6 - 1) < 1e-6)
    #expect(abs(line.base - 0.003) < 1e-3)
  }

  @Test func `the sum of predictions equals the probe's time despite one-sided noise`() throws {
    var random = SplitMix64(seed: 3)
    let samples = (1...200).map { index in
      let seconds = 0.01 + 1e-6 * Double(index * 1000)
      return Self.sample(Double(index * 1000), seconds * (Bool.random(using: &random) ? 1 : 3))
    }
    let model = try #require(CostModel(fitting: samples))
    let predicted = samples.reduce(0) { $0 + model.seconds(ofCost: $1.cost) }
    #expect(abs(predicted / samples.reduce(0) { $0 + $1.seconds } - 1) < 0.02)
  }

  @Test func `an outlier counts for at most ten times its prediction`() throws {
    let samples = (1...50).map { Self.sample(Double($0), $0 == 20 ? 3600 : Double($0)) }
    let model = try #require(CostModel(fitting: samples))
    #expect(abs(model.seconds(ofCost: 10) / 10 - (1275.0 - 20 + 200) / 1275) < 1e-9)
  }

  @Test func `predictions are at least the fastest item's time and never decrease with cost`() throws {
    let steep = try #require(CostModel(fitting: [(100, 1), (200, 71), (300, 141)].map { Self.sample($0, $1) }))
    #expect(steep.seconds(ofCost: 0) == 1)
    let falling = try #require(CostModel(fitting: [(1, 5), (2, 4), (3, 3)].map { Self.sample($0, $1) }))
    #expect(falling.seconds.slope == 0)
    let equal = try #require(CostModel(fitting: [(7, 1), (7, 2), (7, 6)].map { Self.sample($0, $1) }))
    #expect(abs(equal.seconds(ofCost: 7) - 3) < 1e-9)
    #expect(CostModel(fitting: [Self.sample(1, 1)]) == nil)
  }

  @Test func `predicted memory fits the largest item and is at least the measured maximum`() throws {
    let model = try #require(CostModel(fitting: (0...9).map { Self.sample(Double($0), 1, 40 + 2 * Double($0)) }))
    #expect(abs(model.mebibytes(ofLargestCost: 100) - 240) < 1e-9)
    #expect(model.mebibytes(ofLargestCost: 1) == 58)
  }

  @Test func `a line is fitted to the first thousand samples`() throws {
    // The others are twice as many, and level.
    let first = (0..<1000).map { Self.sample(Double($0), 1, 40 + 2 * Double($0)) }
    let others = (0..<2000).map { Self.sample(Double($0), 1, 500) }
    let model = try #require(CostModel(fitting: first + others))
    #expect(abs(model.mebibytes.slope - 2) < 1e-9)
  }

  @Test func `a probe includes the smallest and largest items and covers the range early`() {
    let costs = (0..<1001).map { Double(($0 * 577) % 1001) }
    let chosen = ItemProbe.choice(of: 64, from: costs).map { costs[$0] }
    #expect(chosen.min() == 0 && chosen.max() == 1000 && Set(chosen).count == 64)
    #expect(zip(chosen.sorted(), chosen.sorted().dropFirst()).allSatisfy { $1 - $0 <= 17 })
    // The first eight have no gap of more than a quarter.
    let early = chosen.prefix(8).sorted()
    #expect(zip([0] + early, early + [1000]).allSatisfy { $1 - $0 <= 250 })
    #expect(ItemProbe.choice(of: 5, from: [3, 1]).sorted() == [0, 1])
    #expect(ItemProbe.choice(of: 0, from: [1]).isEmpty)
  }

  @Test func `an interrupted probe runs no more items`() throws {
    let launch = ChildProcess.Launch(
      program: "/nowhere/workbench", folder: "/", options: [], temporaryFolder: NSTemporaryDirectory(),
      temporary: TemporaryFiles())
    let probe = ItemProbe(
      launch: launch, limits: RunPlan.Limits(itemTimeoutInSeconds: 600),
      template: try CommandTemplate(["sample", "info", "{}"], fields: []), folder: RunFolder("/nowhere"))
    #expect(throws: CancellationError.self) {
      try probe.run([BatchItem(number: 1, id: "granite")], SilentProgress(isCancelled: true))
    }
  }

  @Test func `short runs have no probe unless requested`() {
    #expect(ItemProbe.size(given: nil, isWanted: false, of: 100) == 0)
    #expect(ItemProbe.size(given: nil, isWanted: true, of: 100) == 8)
    #expect(ItemProbe.size(given: nil, isWanted: false, of: 1000) == 50)
    #expect(ItemProbe.size(given: nil, isWanted: false, of: 1_000_000) == 200)
    #expect(ItemProbe.size(given: 0, isWanted: true, of: 1000) == 0)
    #expect(ItemProbe.size(given: 500, isWanted: false, of: 30) == 30)
  }

  @Test func `a prediction is read back as written`() throws {
    let costs = [10.0, 20, 30, 1000]
    let model = try #require(CostModel(fitting: costs.map { Self.sample($0, $0, $0 / 10) }))
    let prediction = RunPrediction(
      model, probed: [0], probeSeconds: 10.5, costs: costs, shards: [2, 2, 2, 1], shardCount: 2, workerCount: 2)
    #expect(abs(prediction.coreSeconds - 1060) < 1e-6 && abs(prediction.seconds - 1000) < 1e-6)
    #expect(abs(prediction.longestItemInSeconds - 1000) < 1e-6)
    #expect(prediction.longestShardInSeconds == prediction.seconds)
    let read = try #require(RunPrediction(try JSONReader.read(JSONWriter.bytes(of: prediction.value))))
    #expect(abs(read.coreSeconds - prediction.coreSeconds) < 1e-9)
    #expect(read.model == model && read.seconds == prediction.seconds && read.probedItems == 1)
  }
}
