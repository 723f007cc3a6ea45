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
  typealias Path = [(state: Int, place: Int)]

  /// Returns the path with a number, from 0; nil if there are fewer.
  func path(to number: BigUnsigned) -> Path? {
    guard number < count else { return nil }
    var rest = number.words
    var state = 0
    var path: Path = []
    for index in layers.indices {
      let below = counts(after: index)
      var chosen: (place: Int, next: Int)?
      for place in 0..<3 where chosen == nil {
        guard let next = layers[index].next(state, place: place) else { continue }
        if !below.subtract(next, from: &rest) { chosen = (place, next) }
      }
      guard let chosen else { return nil }
      path.append((state, chosen.place))
      state = chosen.next
    }
    return path
  }

  /// Advances to the next path; returns false if it was the last.
  private func advance(_ path: inout Path) -> Bool {
    while let last = path.popLast() {
      let layer = layers[path.count]
      for place in last.place + 1..<3 where last.place < 2 {
        guard let next = layer.next(last.state, place: place) else { continue }
        path.append((last.state, place))
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
      guard let place = (0..<3).first(where: { layer.next(state, place: $0) != nil }) else { return }
      path.append((state, place))
      state = layer.next(state, place: place) ?? 0
    }
  }

  private func scenario(_ path: Path) -> [ProcessState] {
    var states = plan.fixed.map { $0 ?? .idle }
    for (process, choice) in zip(order, path) { states[process] = ProcessState.enumerationOrder[choice.place] }
    return states
  }

  /// Returns the number of a scenario in the order of enumeration, from 0; nil if it is not in the graph.
  func number(of states: [ProcessState]) -> BigUnsigned? {
    guard !count.isZero, zip(plan.fixed, states).allSatisfy({ $0 == nil || $0 == $1 }) else { return nil }
    var number = BigUnsigned.zero
    var state = 0
    for (index, process) in order.enumerated() {
      let choice = states[process]
      for place in 0..<choice.place {
        guard let next = layers[index].next(state, place: place) else { continue }
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
        for place in 0..<3 {
          guard let link = layers[index].next(state, place: place) else { continue }
          reachedNext[link] += reached[state]
          marginals[step.process][place] += next.map { reached[state] * $0.counts[link] } ?? reached[state]
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
