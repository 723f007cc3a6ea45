import PluginAPI

/// A pathway one came from, as it was left.
@MainActor struct PathwayVisit {
  /// What it is called in commands.
  let word: String
  /// Its heading.
  let title: String
  let content: PathwayContent
  /// What was shown; nil for one so long ago that it is opened anew.
  fileprivate(set) var network: ShownNetwork?
  /// The controllers as they were left; nil likewise.
  fileprivate(set) var area: ContentArea?

  init(network: ShownNetwork, area: ContentArea) {
    (word, title, content) = (network.word, network.title, area.shown)
    (self.network, self.area) = (network, area)
  }
}

/// The way back over the pathways one came from, the last one last.
///
/// The latest are kept as they were left, so that nothing that was observed, laid over or moved is lost by following a
/// link. Of those before them only the name is remembered.
@MainActor struct PathwayVisits {
  /// Rings of links are gone round and round by whoever likes; the way back is not kept for ever.
  static let most = 200
  /// So many are kept whole: a large network has some ten megabytes of pictures.
  static let mostWhole = 8

  private var visits: [PathwayVisit] = []

  var last: PathwayVisit? { visits.last }
  /// What is kept whole and may still have work going on.
  var areas: [ContentArea] { visits.compactMap(\.area) }

  /// Takes a pathway that is left.
  ///
  /// - Returns: What ends the work of one that is too long ago to be kept whole.
  mutating func append(_ visit: PathwayVisit) -> [Effect] {
    visits.append(visit)
    visits.removeFirst(max(0, visits.count - Self.most))
    let index = visits.count - 1 - Self.mostWhole
    guard visits.indices.contains(index), let area = visits[index].area else { return [] }
    (visits[index].network, visits[index].area) = (nil, nil)
    return area.close()
  }

  mutating func removeLast() { if !visits.isEmpty { visits.removeLast() } }
}
