/// Decides by elementary modes whether fluxes can have the directions of a scenario.
///
/// A flux in balance is a sum of modes, none of which opposes its directions. So a flux exists if and only if the modes
/// within a scenario cover all of its active processes.
///
/// - Source: S. Schuster et al., J. Math. Biol. 45, 153 (2002), for the decomposition.
struct ModeCover: FluxFeasibility {
  /// The processes of a mode that run forward and backward, as bit sets.
  private struct Directions {
    var forward: [UInt64]
    var backward: [UInt64]
  }

  private let modes: [Directions]
  private let words: Int

  /// Creates the cover of a network's modes, which must come from ``ModeProblem/init(_:)`` of the same network.
  init(_ found: ElementaryModes, processes: Int) {
    let words = (processes + 63) / 64
    self.words = words
    modes = found.modes.flatMap { mode -> [Directions] in
      var bits = Directions(
        forward: Array(repeating: 0, count: words), backward: Array(repeating: 0, count: words))
      for entry in mode.fluxes {
        let bit = UInt64(1) << UInt64(entry.index % 64)
        if entry.amount > 0 { bits.forward[entry.index / 64] |= bit } else { bits.backward[entry.index / 64] |= bit }
      }
      guard mode.isReversible else { return [bits] }
      return [bits, Directions(forward: bits.backward, backward: bits.forward)]
    }
  }

  func hasFlux(_ scenario: Scenario) -> Bool {
    var forward = Array(repeating: UInt64(0), count: words)
    var backward = forward
    for (process, state) in scenario.states.enumerated() {
      let bit = UInt64(1) << UInt64(process % 64)
      if state == .forward { forward[process / 64] |= bit }
      if state == .backward { backward[process / 64] |= bit }
    }
    var open = forward
    for word in 0..<words { open[word] |= backward[word] }
    for mode in modes {
      guard Self.isPart(mode.forward, of: forward), Self.isPart(mode.backward, of: backward) else { continue }
      for word in 0..<words {
        open[word] &= ~mode.forward[word]
        open[word] &= ~mode.backward[word]
      }
    }
    return open.allSatisfy { $0 == 0 }
  }

  private static func isPart(_ part: [UInt64], of whole: [UInt64]) -> Bool {
    for word in part.indices where part[word] & ~whole[word] != 0 { return false }
    return true
  }
}
