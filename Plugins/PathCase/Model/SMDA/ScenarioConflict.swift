/// Why there is no scenario: what cannot be together, and how the rules lead there.
struct ScenarioConflict: Sendable, Hashable {
  /// The observed pools that cannot be together, by index; without any one of them there are scenarios, if it is minimal.
  var observations: [Int]
  /// The restricted processes that take part, by index, as the pools do.
  var restrictions: [Int]
  /// The groups that take part, of each of which one must be active, by index.
  var groups: [Int]
  /// What these groups are called.
  var groupNames: [String] = []
  /// Whether the largest number of active processes takes part.
  var limitsActive: Bool
  /// How many processes are active in the simplest scenario if that number takes part and were not asked for; else nil.
  var fewestActive: Int?
  /// Whether it is known that none of them can be spared; not where the network is too wide to be searched.
  var isMinimal: Bool
  /// What follows from what, the last fact leaving nothing; causes are places in this list.
  ///
  /// It is empty if no chain of rules shows it: then the search went through everything and found nothing.
  var chain: [ScenarioFact]
  /// The mode in which there is none.
  var mode: ScenarioAnalysis.Mode
}

extension ScenarioConflict {
  /// The chain in words, a line for each step, with the numbers of the lines it follows from.
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

  /// The conflict in a sentence without its end.
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
