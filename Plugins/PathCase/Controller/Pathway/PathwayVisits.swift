import PluginAPI

/// A previously visited pathway as it was left.
@MainActor struct PathwayVisit {
  /// The word that identifies it in commands.
  let word: String
  /// Its heading.
  let title: String
  let content: PathwayContent
  /// The network shown; nil if the visit is so old that it must be reopened.
  fileprivate(set) var network: ShownNetwork?
  /// The controllers as they were left; nil for old visits.
  fileprivate(set) var area: ContentArea?

  init(network: ShownNetwork, area: ContentArea) {
    (word, title, content) = (network.word, network.title, area.shown)
    (self.network, self.area) = (network, area)
  }
}

/// The history of visited pathways, the latest last.
///
/// The latest are kept as they were left, so following a link loses no observations, overlays or moved nodes. For older
/// ones only the name is remembered.
@MainActor struct PathwayVisits {
  /// The maximum number of visits kept: users may follow cycles of links indefinitely.
  static let most = 200
  /// The maximum number of visits kept whole: a large network has some ten megabytes of pictures.
  static let mostWhole = 8

  private var visits: [PathwayVisit] = []

  var last: PathwayVisit? { visits.last }
  /// The areas that are kept whole and may still have running work.
  var areas: [ContentArea] { visits.compactMap(\.area) }

  /// Adds a pathway that is left.
  ///
  /// - Returns: The effects that cancel the work of a visit too old to be kept whole.
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
