/// The explanation of missing scenarios: the contradictory observations and restrictions, and the proof by the rules.
struct ScenarioConflict: Sendable, Hashable {
  /// The observed pools in the conflict, by index; if it is minimal, there are scenarios without any one of them.
  var observations: [Int]
  /// The restricted processes in the conflict, by index.
  var restrictions: [Int]
  /// The groups in the conflict, of each of which one process must be active, by index.
  var groups: [Int]
  /// The names of these groups.
  var groupNames: [String] = []
  /// A Boolean value indicating whether the maximum number of active processes is part of the conflict.
  var limitsActive: Bool
  /// The number of active processes in the simplest scenario without that maximum, if the maximum is part of the
  /// conflict; otherwise nil.
  var fewestActive: Int?
  /// A Boolean value indicating whether every member is known to be needed; false if the network is too wide to search.
  var isMinimal: Bool
  /// The steps of the proof, of which the last is the contradiction; causes are indices in this list.
  ///
  /// It is empty if no chain of rules proves the conflict, but an exhaustive search found no scenario.
  var chain: [ScenarioFact]
  /// The mode in which there are no scenarios.
  var mode: ScenarioAnalysis.Mode
}

extension ScenarioConflict {
  /// Returns the chain in words, one line per step, with the numbers of the lines from which it follows.
  func lines(in network: ScenarioNetwork) -> [String] {
    guard !chain.isEmpty else { return [exhaustion] }
    return chain.enumerated().map { $0.element.line(number: $0.offset + 1, in: network) }
  }

  private var exhaustion: String {
    if let fewestActive {
      return "the simplest scenario without that limit has \(fewestActive) active processes; each was looked at"
    }
    switch mode {
    case .necessary: return "no combination of the processes meets all rules; each was looked at"
    case .strict:
      return "no combination of the processes has all those active whose conditions are met; each was looked at"
    }
  }

  /// Returns the conflict as a sentence without its final stop.
  func summary(in network: ScenarioNetwork) -> String {
    let pools = observations.map { pool in
      let letters = (network.pools[pool].observed ?? []).letters.map(String.init).joined(separator: " or ")
      return "\(network.pools[pool].id) = \(letters)"
    }
    let processes = restrictions.map { "what is asked of \(network.processes[$0].id)" }
    let groups = groupNames.map { "one active process of \($0)" }
    let parts = pools + processes + groups + (limitsActive ? ["the largest number of active processes"] : [])
    switch parts.count {
    case 0: return "the network has no scenario, whatever is observed"
    case 1: return "there is no scenario with \(parts[0])"
    default:
      return
        "there is no scenario with \(parts.dropLast().joined(separator: ", ")) and \(parts[parts.count - 1]) together"
    }
  }
}
