/// The scenarios of a network as the paths of a graph: each leads from the single initial state to the end, with one
/// link per process.
///
/// Links lead forward only, and each state stores the number of paths from it to the end.
struct ScenarioGraph: Sendable {
  /// The states before one process, with their links.
  struct Layer: Sendable {
    static let none = UInt32.max

    /// Three links for each state: forward, backward and idle, as in ``ProcessState/enumerationOrder``.
    private(set) var links: [UInt32]
    /// The number of paths from each state to the end.
    var counts = CountList(words: 0, count: 0)

    var stateCount: Int { links.count / 3 }

    init(states: Int) { links = Array(repeating: Self.none, count: 3 * states) }

    mutating func link(_ state: Int, _ choice: ProcessState, to next: UInt32) {
      links[3 * state + choice.place] = next
    }

    /// Returns the state after a choice; nil if no path continues.
    func next(_ state: Int, _ choice: ProcessState) -> Int? { next(state, place: choice.place) }

    /// Returns the state after a choice, given by its index in the order of enumeration.
    @inline(__always)
    func next(_ state: Int, place: Int) -> Int? {
      let link = links[3 * state + place]
      return link == Self.none ? nil : Int(link)
    }

    mutating func cut(_ state: Int, place: Int) { links[3 * state + place] = Self.none }
  }

  let plan: SearchPlan
  /// The free processes, in the order of the layers.
  let order: [Int]
  private(set) var layers: [Layer] = []

  init(_ plan: SearchPlan) {
    self.plan = plan
    order = plan.steps.map(\.process)
  }

  mutating func append(_ layer: Layer) { layers.append(layer) }

  /// A Boolean value indicating whether all layers are complete.
  private var isComplete: Bool { !plan.isImpossible && layers.count == plan.steps.count }

  /// The number of scenarios.
  var count: BigUnsigned {
    guard isComplete else { return .zero }
    return layers.first.map { $0.counts[0] } ?? .one
  }

  /// Returns the number of paths to the end from each state after a process.
  func counts(after index: Int) -> CountList { index + 1 < layers.count ? layers[index + 1].counts : Self.end }

  /// The single final state.
  private static let end = CountList(.one)

  /// The number of states before each process.
  var widths: [Int] { layers.map(\.stateCount) }

  /// Counts the paths from each state, from the end, and cuts dead-end links.
  ///
  /// - Throws: ``ScenarioError/tooWide(network:states:process:of:)``, `CancellationError`.
  mutating func count(_ limits: SearchLimits, name: String) throws {
    guard isComplete else { return }
    var size = 0
    var next = Self.end
    for index in layers.indices.reversed() {
      try limits.check()
      let words = (next.largestBitCount + 2 + 63) / 64
      size += layers[index].stateCount * (12 + 8 * words)
      guard size <= limits.sizeInBytes else {
        throw ScenarioError.tooWide(
          network: name, states: widths[index...].reduce(0, +), process: index + 1, of: layers.count)
      }
      var counts = CountList(words: words, count: layers[index].stateCount)
      for state in 0..<layers[index].stateCount {
        for place in 0..<3 {
          guard let link = layers[index].next(state, place: place) else { continue }
          if next.isZero(link) {
            layers[index].cut(state, place: place)
          } else {
            counts.add(next, link, to: state)
          }
        }
      }
      layers[index].counts = counts
      next = counts
    }
  }
}

extension ProcessState {
  /// The index in ``enumerationOrder``.
  var place: Int {
    switch self {
    case .forward: 0
    case .backward: 1
    case .idle: 2
    }
  }
}
