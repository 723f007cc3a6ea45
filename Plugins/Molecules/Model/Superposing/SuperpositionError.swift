/// A reason why two structures cannot be superposed.
enum SuperpositionError: Error, Equatable {
  /// One of them has nothing to pair: no polymer, or a selection without atoms of it.
  case nothingToPair(name: String)
  /// A requested chain does not exist.
  case unknownChain(String, name: String, known: [String])
  /// No atoms correspond.
  case nothingInCommon
  /// Two chains are too long for an alignment.
  case tooLong(Int, Int)

  var message: String {
    switch self {
    case .nothingToPair(let name): "nothing of '\(name)' is left to be superposed"
    case .unknownChain(let chain, let name, _): "'\(name)' has no polymer chain '\(chain)'"
    case .nothingInCommon: "the structures have no atoms in common"
    case .tooLong(let first, let second): "chains of \(first) and \(second) residues are too long to be aligned"
    }
  }

  var advice: String {
    switch self {
    case .nothingToPair: "widen the selection; '--pair number --atoms all' takes in what is no polymer"
    case .unknownChain(_, _, let known):
      known.isEmpty ? "'chains' shows what there is" : "there are: " + known.joined(separator: ", ")
    case .nothingInCommon: "choose other atoms with '--atoms', or pair by 'sequence' or 'number' with '--pair'"
    case .tooLong: "pair them with '--pair number'"
    }
  }
}
