/// A lab whose entities are held in a list.
struct ListedLab: SimulatedLab {
  let shape: SimulatorShape
  let categories: [SimulatedCategory]
  let frame: SimulatedFrame
  private let entities: [SimulatedEntity]
  private let groups: [[Int]]
  private let places: [String: Int]
  private let nativePlaces: [String: Int]

  /// Creates a lab.
  ///
  /// - Parameter groups: The indices of the entities in each category.
  init(
    _ shape: SimulatorShape, _ categories: [SimulatedCategory], _ frame: SimulatedFrame, _ entities: [SimulatedEntity],
    groups: [[Int]]
  ) {
    (self.shape, self.categories, self.frame, self.entities, self.groups) = (shape, categories, frame, entities, groups)
    places = Dictionary(entities.enumerated().map { ($1.permID, $0) }, uniquingKeysWith: { first, _ in first })
    nativePlaces = Dictionary(
      entities.enumerated().map { ($1.native.permID, $0) }, uniquingKeysWith: { first, _ in first })
  }

  var count: Int { entities.count }
  func entity(_ index: Int) -> SimulatedEntity { entities[index] }
  func modified(_ index: Int) -> Int { entities[index].modified }
  func index(ofPermID permID: String) -> Int? { places[permID] }
  func index(ofNativePermID permID: String) -> Int? { nativePlaces[permID] }
  func members(of category: Int) -> SimulatedIndexes { .list(groups[category]) }
}

extension ListedLab {
  /// Creates the lab of a shape.
  static func make(_ shape: SimulatorShape, seed: UInt64) -> ListedLab {
    switch shape {
    case .demo, .plain: DemoLab.make(seed: seed)
    case .yeastlab: YeastLab.make(seed: seed)
    case .tagBrowser: TagLab.make(seed: seed)
    }
  }

  /// Returns the V3 id of the entity at an index.
  static func nativePermID(_ index: Int) -> String { "20130115094021737-\(index + 1)" }
}
