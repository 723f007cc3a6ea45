@testable import PathCase

/// The net sums of processes by metabolite, and the imbalances of their elements.
struct ReactionSums {
  let database: MetabolicDatabase

  /// Returns the number of atoms by element in a formula: `C6H12O6`.
  static func elements(_ formula: String) -> [String: Int] {
    var count: [String: Int] = [:]
    var element = ""
    var number = 0
    func close() {
      if !element.isEmpty { count[element, default: 0] += max(number, 1) }
    }
    for character in formula {
      if let digit = character.wholeNumberValue {
        number = number * 10 + digit
      } else if character.isLowercase {
        element.append(character)
      } else {
        close()
        element = String(character)
        number = 0
      }
    }
    close()
    return count
  }

  /// Returns the excess of a process's products over its reactants, by element and with the charge as `charge`; empty
  /// if balanced.
  func imbalance(of process: Int) -> [String: Double] {
    var sum: [String: Double] = [:]
    for (participant, pool) in zip(database.processes[process].participants, database.links.participantPools[process]) {
      let metabolite = database.metabolites[database.links.poolMetabolites[pool]]
      let moles = Self.sign(participant.role) * participant.stoichiometry
      sum["charge", default: 0] += moles * Double(metabolite.charge ?? 1_000)
      for (element, count) in Self.elements(metabolite.formula ?? "Unknown") {
        sum[element, default: 0] += moles * Double(count)
      }
    }
    return sum.filter { $0.value != 0 }
  }

  /// Returns the net production (above 0) and consumption (below 0) of metabolites, keyed by id without `m-`.
  ///
  /// - Parameter turns: The number of turns of each process, below 0 for backward ones.
  func net(_ turns: [String: Double]) -> [String: Double] {
    var sum: [String: Double] = [:]
    for (name, count) in turns {
      guard let process = database.index.processes[Identifier("r-" + name)] else { return ["no " + name: 1] }
      let pools = database.links.participantPools[process]
      for (participant, pool) in zip(database.processes[process].participants, pools) {
        let metabolite = database.pools[pool].metabolite.text.dropFirst(2)
        sum[String(metabolite), default: 0] += count * Self.sign(participant.role) * participant.stoichiometry
      }
    }
    return sum.filter { $0.value != 0 }
  }

  /// Returns the net production (above 0) and consumption (below 0) of pools, keyed by id.
  ///
  /// Amounts below 1e-9 mole are treated as rounding errors.
  func netOfPools(_ turns: [String: Double]) -> [String: Double] {
    var sum: [String: Double] = [:]
    for (name, count) in turns {
      guard let process = database.index.processes[Identifier("r-" + name)] else { return ["no " + name: 1] }
      for participant in database.processes[process].participants {
        sum[participant.pool.text, default: 0] += count * Self.sign(participant.role) * participant.stoichiometry
      }
    }
    return sum.filter { abs($0.value) > 1e-9 }
  }

  private static func sign(_ role: Participant.Role) -> Double { role.isOutput ? 1 : role.isInput ? -1 : 0 }
}
