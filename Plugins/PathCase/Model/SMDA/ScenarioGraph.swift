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
    fileprivate var counts = CountList(width: 0, count: 0)

    var stateCount: Int { links.count / 3 }

    init(states: Int) { links = Array(repeating: Self.none, count: 3 * states) }

    mutating func link(_ state: Int, _ choice: ProcessState, to next: UInt32) {
      links[3 * state + choice.enumerationIndex] = next
    }

    /// Returns the state after a choice; nil if no path continues.
    func next(_ state: Int, _ choice: ProcessState) -> Int? { next(state, choiceIndex: choice.enumerationIndex) }

    /// Returns the state after a choice, given by its index in the order of enumeration.
    @inline(__always)
    func next(_ state: Int, choiceIndex: Int) -> Int? {
      let link = links[3 * state + choiceIndex]
      return link == Self.none ? nil : Int(link)
    }

    mutating func cut(_ state: Int, choiceIndex: Int) { links[3 * state + choiceIndex] = Self.none }
  }

  let plan: SearchPlan
  /// The free processes, in the order of the layers.
  private let order: [Int]
  private var layers: [Layer] = []

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
  private func counts(after index: Int) -> CountList { index + 1 < layers.count ? layers[index + 1].counts : Self.end }

  /// The single final state.
  private static let end = CountList(.one)

  /// The number of states before each process.
  var widths: [Int] { layers.map(\.stateCount) }

  /// Counts the paths from each state, from the end, and cuts dead-end links.
  ///
  /// - Throws: ``ScenarioError/tooWide(network:states:process:of:)``, `CancellationError`.
  mutating func count(_ limits: SearchLimits) throws {
    guard isComplete else { return }
    var size = 0
    var next = Self.end
    for index in layers.indices.reversed() {
      try limits.check()
      let width = (next.largestBitCount + 2 + 63) / 64
      size += layers[index].stateCount * (12 + 8 * width)
      guard size <= limits.sizeInBytes else {
        throw ScenarioError.tooWide(
          network: plan.network, states: widths[index...].reduce(0, +), process: index + 1, of: layers.count)
      }
      var counts = CountList(width: width, count: layers[index].stateCount)
      for state in 0..<layers[index].stateCount {
        for choiceIndex in 0..<3 {
          guard let link = layers[index].next(state, choiceIndex: choiceIndex) else { continue }
          if next.isZero(link) {
            layers[index].cut(state, choiceIndex: choiceIndex)
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

// MARK: - Walking

extension ScenarioGraph {
  /// Returns the states of all processes for a page of scenarios, in the order of enumeration.
  ///
  /// - Parameters:
  ///   - first: The number of the first scenario, from 0.
  ///   - length: The maximum number of scenarios.
  /// - Complexity: The number of processes for the first scenario; for each other one the difference from its
  ///   predecessor.
  func page(from first: BigUnsigned, count length: Int) -> [[ProcessState]] {
    guard length > 0, var path = path(to: first) else { return [] }
    var page = [scenario(path)]
    while page.count < length, advance(&path) { page.append(scenario(path)) }
    return page
  }

  /// A path: the state before each process, and the index of the choice made there.
  private typealias Path = [(state: Int, choiceIndex: Int)]

  /// Returns the path with a number, from 0; nil if there are fewer.
  private func path(to number: BigUnsigned) -> Path? {
    guard number < count else { return nil }
    var remaining = number.words
    var state = 0
    var path: Path = []
    for index in layers.indices {
      let below = counts(after: index)
      var chosen: (choiceIndex: Int, next: Int)?
      for choiceIndex in 0..<3 where chosen == nil {
        guard let next = layers[index].next(state, choiceIndex: choiceIndex) else { continue }
        if !below.subtract(next, from: &remaining) { chosen = (choiceIndex, next) }
      }
      guard let chosen else { return nil }
      path.append((state, chosen.choiceIndex))
      state = chosen.next
    }
    return path
  }

  /// Advances to the next path; returns false if it was the last.
  private func advance(_ path: inout Path) -> Bool {
    while let last = path.popLast() {
      let layer = layers[path.count]
      for choiceIndex in last.choiceIndex + 1..<3 where last.choiceIndex < 2 {
        guard let next = layer.next(last.state, choiceIndex: choiceIndex) else { continue }
        path.append((last.state, choiceIndex))
        descend(&path, from: next)
        return true
      }
    }
    return false
  }

  /// Extends the path to the end by the first link of each state.
  private func descend(_ path: inout Path, from state: Int) {
    var state = state
    while path.count < layers.count {
      let layer = layers[path.count]
      guard let choiceIndex = (0..<3).first(where: { layer.next(state, choiceIndex: $0) != nil }) else { return }
      path.append((state, choiceIndex))
      state = layer.next(state, choiceIndex: choiceIndex) ?? 0
    }
  }

  private func scenario(_ path: Path) -> [ProcessState] {
    var states = plan.fixed.map { $0 ?? .idle }
    for (process, choice) in zip(order, path) { states[process] = ProcessState.enumerationOrder[choice.choiceIndex] }
    return states
  }

  /// Returns the number of a scenario in the order of enumeration, from 0; nil if it is not in the graph.
  func number(of states: [ProcessState]) -> BigUnsigned? {
    guard !count.isZero, zip(plan.fixed, states).allSatisfy({ $0 == nil || $0 == $1 }) else { return nil }
    var number = BigUnsigned.zero
    var state = 0
    for (index, process) in order.enumerated() {
      let choice = states[process]
      for choiceIndex in 0..<choice.enumerationIndex {
        guard let next = layers[index].next(state, choiceIndex: choiceIndex) else { continue }
        number += counts(after: index)[next]
      }
      guard let next = layers[index].next(state, choice) else { return nil }
      state = next
    }
    return number
  }

  /// Returns the states that each process has in some scenario.
  func possibleStates() -> [ProcessStates] {
    guard !count.isZero else { return plan.fixed.map { _ in [] } }
    var possible = plan.fixed.map { $0.map { ProcessStates([$0]) } ?? [] }
    for (index, step) in plan.steps.enumerated() {
      let layer = layers[index]
      // Every state is reachable and dead-end links are cut, so each remaining link is part of a scenario.
      for state in 0..<layer.stateCount {
        for choice in step.states.states where layer.next(state, choice) != nil {
          possible[step.process].formUnion(ProcessStates([choice]))
        }
        if possible[step.process] == step.states { break }
      }
    }
    return possible
  }

  /// Returns for each process the number of scenarios in which it is forward, backward and idle, in this order.
  func marginals(_ limits: SearchLimits) throws -> [[BigUnsigned]] {
    guard !count.isZero else { return plan.fixed.map { _ in [.zero, .zero, .zero] } }
    var marginals: [[BigUnsigned]] = plan.fixed.map { state in
      ProcessState.enumerationOrder.map { $0 == state ? count : .zero }
    }
    var reached: [BigUnsigned] = [.one]
    for (index, step) in plan.steps.enumerated() {
      let next = index + 1 < layers.count ? layers[index + 1] : nil
      var reachedNext = Array(repeating: BigUnsigned.zero, count: next?.stateCount ?? 1)
      for state in 0..<layers[index].stateCount where !reached[state].isZero {
        if state % 4096 == 0 { try limits.check() }
        for choiceIndex in 0..<3 {
          guard let link = layers[index].next(state, choiceIndex: choiceIndex) else { continue }
          reachedNext[link] += reached[state]
          marginals[step.process][choiceIndex] += next.map { reached[state] * $0.counts[link] } ?? reached[state]
        }
      }
      reached = reachedNext
    }
    return marginals
  }

  /// Returns the smallest number of active processes in a scenario; nil if there is no scenario.
  func fewestActive() -> Int? {
    guard !count.isZero else { return nil }
    var below = [0]
    for layer in layers.reversed() {
      below = (0..<layer.stateCount).map { state in
        // Dead-end states have no links, and no links lead to them any more.
        ProcessState.enumerationOrder.reduce(Int.max) { least, choice in
          guard let next = layer.next(state, choice), below[next] < Int.max else { return least }
          return min(least, below[next] + (choice == .idle ? 0 : 1))
        }
      }
    }
    return below[0] + plan.fixed.count { $0 != nil && $0 != .idle }
  }
}

// MARK: - Levels

extension ScenarioGraph {
  /// Returns the levels that each pool has in some scenario; not for the strict mode.
  ///
  /// States contain only the classes of pools, so each pool is followed separately along all paths, from its first
  /// process to its last. The set of possible information about a pool has 64 bits.
  func levels(effects: ScenarioEffects, _ limits: SearchLimits) throws -> [LevelSet] {
    guard !count.isZero else { return effects.levels.map { _ in [] } }
    var places = Array(repeating: -1, count: plan.fixed.count)
    for (index, step) in plan.steps.enumerated() { places[step.process] = index }
    return try plan.pools.enumerated().map { pool, info in
      try limits.check()
      let mine = info.free.map { places[$0] }.sorted()
      guard let first = mine.first, let last = mine.last else { return info.end.levels(of: info.raw) }
      let ends = follow(pool, from: first, to: last, initial: info.raw, effects)
      return Self.members(ends).reduce(into: LevelSet()) { $0.formUnion(info.end.levels(of: $1)) }
    }
  }

  /// Returns the possible information about a pool after its last process, as a set of 64 bits.
  private func follow(
    _ pool: Int, from first: Int, to last: Int, initial: RawPool, _ effects: ScenarioEffects
  ) -> UInt64 {
    var sets = layers[first].counts.nonzero.map { $0 ? UInt64(1) << UInt64(initial.index) : 0 }
    for index in first...last {
      let process = plan.steps[index].process
      let touch = effects.touch(of: process, on: pool)
      let maps = ProcessState.enumerationOrder.map { state in touch.map { Self.map($0[state]) } }
      let nextCount = index + 1 < layers.count ? layers[index + 1].stateCount : 1
      var next = Array(repeating: UInt64(0), count: nextCount)
      for (state, set) in sets.enumerated() where set != 0 {
        for choiceIndex in 0..<3 {
          guard let link = layers[index].next(state, choiceIndex: choiceIndex) else { continue }
          next[link] |= maps[choiceIndex].map { Self.image(of: set, $0) } ?? set
        }
      }
      sets = next
    }
    return sets.reduce(0, |)
  }

  /// Returns the number of each encoded pool after an effect; nil if no level is left.
  private static func map(_ effect: ScenarioEffects.Effect) -> [Int?] {
    (0..<64).map { RawPool(index: $0).after(effect)?.index }
  }

  private static func image(of set: UInt64, _ map: [Int?]) -> UInt64 {
    var image: UInt64 = 0
    var remaining = set
    while remaining != 0 {
      if let next = map[remaining.trailingZeroBitCount] { image |= 1 << UInt64(next) }
      remaining &= remaining - 1
    }
    return image
  }

  private static func members(_ set: UInt64) -> [RawPool] {
    (0..<64).filter { set & 1 << UInt64($0) != 0 }.map { RawPool(index: $0) }
  }
}

/// A compact list of numbers of the same length, since there are very many of them.
private struct CountList {
  private let width: Int
  private var words: [UInt64]

  /// Creates a list of zeros of the given width in words.
  init(width: Int, count: Int) {
    self.width = width
    words = Array(repeating: 0, count: width * count)
  }

  /// Creates a list of a single number.
  init(_ number: BigUnsigned) {
    width = number.words.count
    words = number.words
  }

  subscript(index: Int) -> BigUnsigned { BigUnsigned(words: words[width * index..<width * (index + 1)]) }

  func isZero(_ index: Int) -> Bool {
    for offset in 0..<width where words[width * index + offset] != 0 { return false }
    return true
  }

  /// True for each number greater than 0.
  var nonzero: [Bool] { (0..<(width == 0 ? 0 : words.count / width)).map { !isZero($0) } }

  /// Adds a number of another list whose numbers are not longer; the sum must fit.
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

  /// Subtracts a number from another one, given by its words, unless it is larger.
  ///
  /// - Returns: True if it was subtracted.
  func subtract(_ index: Int, from number: inout [UInt64]) -> Bool {
    let start = width * index
    for offset in (0..<max(width, number.count)).reversed() {
      let mine = offset < width ? words[start + offset] : 0
      let other = offset < number.count ? number[offset] : 0
      if mine > other { return false }
      if mine < other { break }
    }
    var borrow = false
    for offset in number.indices {
      let mine = offset < width ? words[start + offset] : 0
      let (first, overflow) = number[offset].subtractingReportingOverflow(mine)
      let (second, again) = first.subtractingReportingOverflow(borrow ? 1 : 0)
      number[offset] = second
      borrow = overflow || again
    }
    return true
  }

  /// The number of bits in the largest number.
  var largestBitCount: Int {
    for offset in (0..<width).reversed() {
      var largest: UInt64 = 0
      for index in Swift.stride(from: offset, to: words.count, by: max(1, width)) {
        largest = max(largest, words[index])
      }
      if largest > 0 { return 64 * offset + 64 - largest.leadingZeroBitCount }
    }
    return 0
  }
}
