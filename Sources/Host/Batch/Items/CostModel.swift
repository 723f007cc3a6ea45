import PluginAPI

/// The time and memory of items, predicted from their costs by lines through the figures of a probe.
struct CostModel: Sendable, Equatable {
  /// The figures of an item that was run.
  struct Sample: Equatable {
    var cost: Double
    var seconds: Double
    /// The peak of the resident memory.
    var mebibytes: Double
  }

  var seconds: Line
  /// The least time of an item: the line may predict less, even a negative time, for small costs.
  var leastSeconds: Double
  var mebibytes: Line
  /// The most memory that an item of the probe took.
  var mostMebibytes: Double

  /// The maximum number of samples that a line is fitted to, as all their pairs are in memory.
  ///
  /// The first samples of a probe are spread over all costs.
  private static let mostFittedSamples = 1000

  /// Fits a model; nil for fewer than two samples.
  ///
  /// Medians ignore rare slow items, but the total has them. So the times are scaled by the ratio of their sum to that
  /// of the line; an item counts for at most ten times its prediction, as a machine may have slept meanwhile.
  init?(fitting samples: [Sample]) {
    guard samples.count >= 2 else { return nil }
    leastSeconds = samples.reduce(.infinity) { min($0, $1.seconds) }
    let fitted = samples.prefix(Self.mostFittedSamples)
    seconds = Line(fitting: fitted.map { ($0.cost, $0.seconds) })
    mebibytes = Line(fitting: fitted.map { ($0.cost, $0.mebibytes) })
    mostMebibytes = samples.reduce(0) { max($0, $1.mebibytes) }
    var (measured, predicted) = (0.0, 0.0)
    for sample in samples {
      let expected = seconds(ofCost: sample.cost)
      predicted += expected
      measured += min(sample.seconds, 10 * expected)
    }
    if predicted > 0 { seconds = seconds.scaled(by: measured / predicted) }
  }

  /// Returns the predicted time of an item.
  func seconds(ofCost cost: Double) -> Double { max(leastSeconds, seconds.value(at: cost)) }

  /// Returns the predicted peak of a worker's memory, given the largest cost of an item.
  func mebibytes(ofLargestCost cost: Double) -> Double { max(mostMebibytes, mebibytes.value(at: cost)) }
}

extension CostModel {
  /// A line that does not fall.
  struct Line: Sendable, Equatable {
    var base: Double
    var slope: Double

    /// Fits a line by the weighted method of Theil and Sen.
    ///
    /// The slope is the median of those of all pairs of points, weighted by their distance on the first axis; the base
    /// is the median of what remains. Up to about 29 % of the points may be far off without effect. Least absolute
    /// deviations, the alternative, give way to one point far out on the first axis, as the giants of an archive are.
    /// - Source: P. K. Sen, Journal of the American Statistical Association 63 (1968), 1379–1389;
    ///   L. A. Jaeckel, Annals of Mathematical Statistics 43 (1972), 1449–1458, for the weights.
    /// - Complexity: O(n² log n).
    init(fitting points: [(x: Double, y: Double)]) {
      var slopes: [(value: Double, weight: Double)] = []
      for (index, first) in points.enumerated() {
        for second in points[(index + 1)...] where first.x != second.x {
          slopes.append(((second.y - first.y) / (second.x - first.x), abs(second.x - first.x)))
        }
      }
      let slope = max(0, Self.median(slopes) ?? 0)
      self.slope = slope
      base = Self.median(points.map { ($0.y - slope * $0.x, 1) }) ?? 0
    }

    private init(base: Double, slope: Double) { (self.base, self.slope) = (base, slope) }

    init?(_ value: Value) {
      guard let base = value["base"].number, let slope = value["slope"].number else { return nil }
      self.init(base: base, slope: slope)
    }

    var value: Value { ["base": .number(base), "slope": .number(slope)] }

    func value(at x: Double) -> Double { base + slope * x }

    func scaled(by factor: Double) -> Line { Line(base: base * factor, slope: slope * factor) }

    /// Returns the first value at which half of the weights is reached; nil if there are none.
    private static func median(_ values: [(value: Double, weight: Double)]) -> Double? {
      let sorted = values.sorted { $0.value < $1.value }
      let half = sorted.reduce(0) { $0 + $1.weight } / 2
      var sum = 0.0
      for (value, weight) in sorted {
        sum += weight
        if sum >= half { return value }
      }
      return nil
    }
  }
}

extension CostModel {
  /// Creates a model from the value in a plan; nil if the value is not a model.
  init?(_ value: Value) {
    guard let seconds = Line(value["seconds"]), let least = value["leastSeconds"].number,
      let mebibytes = Line(value["mebibytes"]), let most = value["mostMebibytes"].number
    else { return nil }
    (self.seconds, leastSeconds, self.mebibytes, mostMebibytes) = (seconds, least, mebibytes, most)
  }

  var value: Value {
    [
      "seconds": seconds.value, "leastSeconds": .number(leastSeconds), "mebibytes": mebibytes.value,
      "mostMebibytes": .number(mostMebibytes),
    ]
  }
}
