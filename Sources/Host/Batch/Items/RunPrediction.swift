import PluginAPI

/// The predicted time and memory of a run.
struct RunPrediction: Sendable, Equatable {
  var probedItems: Int
  var probeSeconds: Double
  var model: CostModel
  /// The time of all items on one worker.
  var coreSeconds: Double
  var workerCount: Int
  /// The time from the start to the end of the workers, without the items of the probe.
  var seconds: Double
  /// The peak of one worker.
  var mebibytes: Double
  var longestItemInSeconds: Double
  var longestShardInSeconds: Double

  /// Predicts a run.
  ///
  /// - Parameters:
  ///   - costs: The costs of the items.
  ///   - shards: The shard of each item, counted from 1.
  ///   - probed: The indices of the items that have a record.
  init(
    _ model: CostModel, probed: Set<Int>, probeSeconds: Double, costs: [Double], shards: [Int32], shardCount: Int,
    workerCount: Int
  ) {
    (self.model, self.probeSeconds, self.workerCount) = (model, probeSeconds, workerCount)
    probedItems = probed.count
    (coreSeconds, longestItemInSeconds) = (0, 0)
    var (loads, largestCost) = ([Double](repeating: 0, count: shardCount), 0.0)
    for (index, cost) in costs.enumerated() {
      let seconds = model.seconds(ofCost: cost)
      coreSeconds += seconds
      longestItemInSeconds = max(longestItemInSeconds, seconds)
      largestCost = max(largestCost, cost)
      if !probed.contains(index) { loads[Int(shards[index]) - 1] += seconds }
    }
    mebibytes = model.mebibytes(ofLargestCost: largestCost)
    longestShardInSeconds = loads.reduce(0, max)
    // Workers claim shards in their order, so each goes to the worker that is free first.
    var workers = BalancedLoads(count: workerCount)
    for load in loads { _ = workers.add(load) }
    seconds = workers.largest
  }

  /// The shape of a prediction.
  static let schema: ValueSchema = .record([
    .init("coreHours", .number, "Time of all items on one worker"),
    .init("workers", .integer),
    .init("seconds", .number, "Time of the workers, without the items of the probe"),
    .init("mebibytes", .number, "Peak of one worker"),
    .init("longestItemSeconds", .number), .init("longestShardSeconds", .number),
    .init("probe", .record([.init("items", .integer), .init("seconds", .number)])),
    .init("model", .any, "Linear fits of an item's time and memory over its cost"),
  ])

  /// Creates a prediction from the value in a plan; nil if the value is not a prediction.
  init?(_ value: Value) {
    guard let model = CostModel(value["model"]), let items = value["probe"]["items"].integer,
      let probeSeconds = value["probe"]["seconds"].number, let hours = value["coreHours"].number,
      let workers = value["workers"].integer, let seconds = value["seconds"].number,
      let mebibytes = value["mebibytes"].number, let item = value["longestItemSeconds"].number,
      let shard = value["longestShardSeconds"].number
    else { return nil }
    (probedItems, self.probeSeconds, self.model) = (items, probeSeconds, model)
    (coreSeconds, workerCount, self.seconds) = (hours * 3600, workers, seconds)
    (self.mebibytes, longestItemInSeconds, longestShardInSeconds) = (mebibytes, item, shard)
  }

  /// The prediction as it is written and printed.
  var value: Value {
    [
      "coreHours": .number(coreSeconds / 3600), "workers": .integer(workerCount), "seconds": .number(seconds),
      "mebibytes": .number(mebibytes), "longestItemSeconds": .number(longestItemInSeconds),
      "longestShardSeconds": .number(longestShardInSeconds),
      "probe": ["items": .integer(probedItems), "seconds": .number(probeSeconds)],
      "model": model.value,
    ]
  }
}
