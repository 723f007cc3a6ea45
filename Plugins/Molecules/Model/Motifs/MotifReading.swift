extension Motif {
  /// The largest distance in Å.
  private static let longest = 1000.0

  /// Reads a motif from the texts of its sites and distances.
  ///
  /// - Parameters:
  ///   - sites: `NAME=SELECTION`, as in `a=resn SER and name OG`.
  ///   - distances: `NAME-NAME=LENGTH±TOLERANCE`, as in `a-b=2.8±0.6`; `+-` means `±`.
  ///   - tolerance: The tolerance of distances without their own, in Å.
  ///   - sets: The named sets available to the selections.
  init(
    sites: [String], distances: [String], tolerance: Double, sets: SelectionSets
  ) throws(MotifError) {
    var read: [Site] = []
    for text in sites { read.append(try Self.site(text, sets, after: read.map(\.name))) }
    var relations: [Relation] = []
    for text in distances {
      let relation = try Self.relation(text, read.map(\.name), tolerance)
      let isKnown = relations.contains { $0.first == relation.first && $0.second == relation.second }
      if isKnown { throw .unusableDistance(text, reason: "the distance between these sites was given before") }
      relations.append(relation)
    }
    try self.init(read, relations)
  }

  private static func site(_ text: String, _ sets: SelectionSets, after names: [String]) throws(MotifError) -> Site {
    guard let split = text.firstIndex(of: "=") else {
      throw .unusableSite(text, reason: "'=' is missing after its name")
    }
    let name = text[..<split].filter { !$0.isWhitespace }
    let isPlain = name.utf8.allSatisfy {
      ($0 | 32 >= 97 && $0 | 32 <= 122) || ($0 >= 48 && $0 <= 57) || $0 == 95
    }
    guard isPlain, !name.isEmpty else {
      throw .unusableSite(text, reason: "a name has only letters, digits and '_'")
    }
    if names.contains(name) { throw .unusableSite(text, reason: "another site has this name") }
    do throws(SelectionError) {
      let selection = try Selection(String(text[text.index(after: split)...]), sets: sets)
      return Site(name: name, atoms: .selection(selection))
    } catch {
      throw .inSite(name, error)
    }
  }

  private static func relation(_ text: String, _ names: [String], _ tolerance: Double) throws(MotifError) -> Relation {
    let parts = text.filter { !$0.isWhitespace }.split(separator: "=", omittingEmptySubsequences: false)
    guard parts.count == 2 else { throw .unusableDistance(text, reason: "it needs one '='") }
    let ends = parts[0].split(separator: "-", omittingEmptySubsequences: false).map(String.init)
    guard ends.count == 2 else { throw .unusableDistance(text, reason: "it needs two sites, joined by '-'") }
    var indices: [Int] = []
    for name in ends {
      guard let index = names.firstIndex(of: name) else {
        throw .unusableDistance(text, reason: "there is no site '\(name)'")
      }
      indices.append(index)
    }
    if indices[0] == indices[1] { throw .unusableDistance(text, reason: "its sites are the same") }
    var lengths = parts[1]
    if let sign = lengths.firstIndex(of: "+"), lengths[sign...].hasPrefix("+-") {
      lengths.replaceSubrange(sign...lengths.index(after: sign), with: "±")
    }
    let numbers = lengths.split(separator: "±", omittingEmptySubsequences: false).map { Double($0) ?? .nan }
    guard numbers.count <= 2, numbers.allSatisfy({ $0 >= 0 && $0 <= longest }) else {
      throw .unusableDistance(text, reason: "its lengths are not numbers from 0 to \(Int(longest))")
    }
    return Relation(
      first: min(indices[0], indices[1]), second: max(indices[0], indices[1]), lengths: .nearest(numbers[0]),
      tolerance: numbers.count == 2 ? numbers[1] : tolerance)
  }
}

/// An error in a motif.
enum MotifError: Error, Equatable {
  /// A site is not `NAME=SELECTION`, or has an unusable name.
  case unusableSite(String, reason: String)
  /// The selection of a site has an error.
  case inSite(String, SelectionError)
  /// A distance is not `NAME-NAME=LENGTH±TOLERANCE` between two sites.
  case unusableDistance(String, reason: String)
  /// No distances connect a site to the first one.
  case unconnected(String)
  case tooManySites(Int)
  /// The selection has no atoms besides hydrogens in the example.
  case emptyExample(String)

  /// The error in one sentence.
  var message: String {
    switch self {
    case .unusableSite(let text, let reason): "the site '\(text)' cannot be used: \(reason)"
    case .inSite(let name, let error): "in the site '\(name)': \(error.message)"
    case .unusableDistance(let text, let reason): "the distance '\(text)' cannot be used: \(reason)"
    case .unconnected(let name): "no distance connects the site '\(name)' to the sites before it"
    case .tooManySites(let count): "the motif has \(count) sites, more than \(Motif.limit)"
    case .emptyExample(let text): "the selection '\(text)' has no atoms in the example"
    }
  }

  /// The advice to the user.
  var advice: String {
    switch self {
    case .unusableSite: "write a site such as \"a=resn SER and name OG\""
    case .inSite(_, let error): error.advice
    case .unusableDistance: "write a distance such as 'a-b=2.8±0.6', in angstrom"
    case .unconnected(let name): "give a distance between '\(name)' and another site"
    case .tooManySites: "leave out sites"
    case .emptyExample: "list the atoms of the example with 'workbench molecules atoms'"
    }
  }
}
