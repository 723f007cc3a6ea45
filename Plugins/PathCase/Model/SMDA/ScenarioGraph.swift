/// All scenarios of a network as paths of a graph: each leads from the one first state to the end, one link for each
/// process.
///
/// Links go forwards only, and of each state it is known how many paths lead from it to the end.
struct ScenarioGraph: Sendable {
  /// The states before one process, with their links.
  struct Layer: Sendable {
    static let none = UInt32.max

    /// Three links for each state, to forwards, backwards and idle, as ``ProcessState/enumerationOrder`` has them.
    private(set) var links: [UInt32]
    /// How many paths lead from each state to the end.
    var counts = CountList(words: 0, count: 0)

    var stateCount: Int { links.count / 3 }

    init(states: Int) { links = Array(repeating: Self.none, count: 3 * states) }

    mutating func link(_ state: Int, _ choice: ProcessState, to next: UInt32) {
      links[3 * state + choice.place] = next
    }

    /// The state after a state; nil if no path leads on.
    func next(_ state: Int, _ choice: ProcessState) -> Int? { next(state, place: choice.place) }

    /// The state after a state, by the place of the choice in the order of enumeration.
    @inline(__always)
    func next(_ state: Int, place: Int) -> Int? {
      let link = links[3 * state + place]
      return link == Self.none ? nil : Int(link)
    }

    mutating func cut(_ state: Int, place: Int) { links[3 * state + place] = Self.none }
  }

  let plan: SearchPlan
  private(set) var layers: [Layer] = []

  init(_ plan: SearchPlan) { self.plan = plan }

  mutating func append(_ layer: Layer) { layers.append(layer) }

  /// Whether all layers are there.
  private var isComplete: Bool { !plan.isImpossible && layers.count == plan.steps.count }

  /// How many scenarios there are.
  var count: BigUnsigned {
    guard isComplete else { return .zero }
    return layers.first.map { $0.counts[0] } ?? .one
  }

  /// How many states there are before each process.
  var widths: [Int] { layers.map(\.stateCount) }

  /// Counts the paths from each state, from the end, and cuts links that lead nowhere.
  mutating func count(_ limits: SearchLimits) throws {
    guard isComplete else { return }
    var next = CountList(words: 1, count: 1)
    next.set(0, to: .one)
    // The last layer has one state where anything got there.
    for index in layers.indices.reversed() {
      try limits.check()
      let bits = next.largestBitCount + 2
      var counts = CountList(words: (bits + 63) / 64, count: layers[index].stateCount)
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
  /// The place in ``enumerationOrder``.
  var place: Int {
    switch self {
    case .forward: 0
    case .backward: 1
    case .idle: 2
    }
  }
}

/// Numbers of the same length one after the other, as there are very many of them.
struct CountList: Sendable {
  private let width: Int
  private var words: [UInt64]

  /// So many zeros of so many words each.
  init(words width: Int, count: Int) {
    self.width = width
    words = Array(repeating: 0, count: width * count)
  }

  subscript(index: Int) -> BigUnsigned { BigUnsigned(words: words[width * index..<width * (index + 1)]) }

  /// Sets a number that is not too long.
  mutating func set(_ index: Int, to number: BigUnsigned) {
    for (offset, word) in number.words.enumerated() { words[width * index + offset] = word }
  }

  func isZero(_ index: Int) -> Bool {
    for offset in 0..<width where words[width * index + offset] != 0 { return false }
    return true
  }

  /// For each number whether it is more than 0.
  var nonzero: [Bool] { (0..<(width == 0 ? 0 : words.count / width)).map { !isZero($0) } }

  /// Adds a number of another list, whose numbers are not longer; the sum must fit.
  mutating func add(_ other: CountList, _ source: Int, to index: Int) {
    var carry = false
    for offset in 0..<width {
      let word = offset < other.width ? other.words[other.width * source + offset] : 0
      let (first, overflow) = words[width * index + offset].addingReportingOverflow(word)
      let (second, again) = first.addingReportingOverflow(carry ? 1 : 0)
      words[width * index + offset] = second
      carry = overflow || again
    }
  }

  /// How many bits the largest has.
  var largestBitCount: Int {
    for offset in (0..<width).reversed() {
      var largest: UInt64 = 0
      for place in Swift.stride(from: offset, to: words.count, by: max(1, width)) {
        largest = max(largest, words[place])
      }
      if largest > 0 { return 64 * offset + 64 - largest.leadingZeroBitCount }
    }
    return 0
  }
}
