/// The changes of a lab since it was filled.
struct SimulatedChanges: Sendable {
  /// The number of changes and the time of the last one, by index.
  var modified: [Int: (count: Int, at: Int)] = [:]
  /// The time of deletion, by index.
  var deleted: [Int: Int] = [:]
  /// The entities added later; their indices follow those of the lab.
  var added: [SimulatedEntity] = []
  /// The categories of the entities added later.
  var addedCategories: [Int] = []
  /// The space to which a project was moved, and the time, by project index.
  var movedProjects: [Int: (space: Int, at: Int)] = [:]
  /// The number of changes.
  var version = 0
  /// The times of the last creation or deletion and of the last change, by kind; nil for never.
  var lastCreateOrDelete: [SimulatedKind: Int] = [:]
  var lastUpdate: [SimulatedKind: Int] = [:]

  var isEmpty: Bool { modified.isEmpty && deleted.isEmpty && added.isEmpty }
}

/// A lab as one user sees it at one time.
struct SimulatedView: Sendable {
  let lab: any SimulatedLab
  /// The current spaces, projects and experiments.
  let frame: SimulatedFrame
  var changes: SimulatedChanges
  let dialect: SimulatorDialect
  /// The PERM_IDs, categories, types and spaces that this user may not see.
  var hidden: Set<String>
  /// The current time, in milliseconds since 1970.
  let now: Int
  /// The address of the server, without path.
  let base: String
  /// The address of the data stores, without path.
  let dataStoreBase: String
  let dataStores: [String]
  let refreshInterval: String
  let frameIndex: SimulatedFrameIndex
  let largeSize: Int

  init(
    lab: any SimulatedLab, changes: SimulatedChanges, dialect: SimulatorDialect, hidden: Set<String>, now: Int,
    base: String, dataStoreBase: String, dataStores: [String], refreshInterval: String,
    frameIndex: SimulatedFrameIndex, largeSize: Int
  ) {
    (self.lab, self.changes, self.dialect, self.hidden, self.now) = (lab, changes, dialect, hidden, now)
    (self.base, self.dataStoreBase, self.dataStores) = (base, dataStoreBase, dataStores)
    (self.refreshInterval, self.frameIndex, self.largeSize) = (refreshInterval, frameIndex, largeSize)
    var frame = lab.frame
    for (project, move) in changes.movedProjects { frame.projects[project].space = move.space }
    self.frame = frame
  }

  /// The number of indices, including those of deleted entities.
  var count: Int { lab.count + changes.added.count }

  /// The numbers of a plain lab's small trees in which something was changed or deleted.
  var touchedBlocks: Set<Int> { Set(changes.modified.keys.map { $0 / 10 } + changes.deleted.keys.map { $0 / 10 }) }

  /// Returns the entity at an index; nil if it was deleted or is hidden.
  func entity(_ index: Int) -> SimulatedEntity? {
    guard index < count, changes.deleted[index] == nil else { return nil }
    var entity = index < lab.count ? lab.entity(index) : changes.added[index - lab.count]
    if !hidden.isEmpty, isHidden(entity) { return nil }
    if !changes.isEmpty { change(&entity, index) }
    return entity
  }

  /// Applies to an entity the changes made since the lab was filled.
  private func change(_ entity: inout SimulatedEntity, _ index: Int) {
    if !changes.deleted.isEmpty {
      entity.children.removeAll { child in
        child.flatMap { self.index(ofPermID: $0) }.map { changes.deleted[$0] != nil } ?? false
      }
    }
    for (offset, later) in changes.added.enumerated() where later.native.children.contains(index) {
      entity.native.parents.append(lab.count + offset)
    }
    if let change = changes.modified[index] {
      entity.modified = change.at
      entity.summary += " (changed \(change.count))"
      if let value = entity.properties.first?.value {
        entity.properties[0].value = value + " (changed \(change.count))"
      }
      entity.properties.append(.init("REVISION", "Revision", "\(change.count)"))
    }
  }

  func index(ofPermID permID: String) -> Int? {
    lab.index(ofPermID: permID) ?? changes.added.firstIndex { $0.permID == permID }.map { $0 + lab.count }
  }

  func index(ofNativePermID permID: String) -> Int? {
    lab.index(ofNativePermID: permID)
      ?? changes.added.firstIndex { $0.native.permID == permID }.map { $0 + lab.count }
  }

  func isHidden(_ entity: SimulatedEntity) -> Bool {
    hidden.contains(entity.permID) || hidden.contains(entity.native.typeCode) || hidden.contains(entity.category)
      || hidden.contains(frame.space(ofExperiment: entity.native.experiment))
  }

  /// Returns the indices of a category's entities, including those added later.
  func members(of category: Int) -> SimulatedIndexes {
    let later = changes.addedCategories.indices.filter { changes.addedCategories[$0] == category }
    let members = lab.members(of: category)
    if later.isEmpty { return members }
    return .list((0..<members.count).map { members[$0] } + later.map { $0 + lab.count })
  }

  /// Returns indices of a category's entities that include all those changed after a time.
  func members(of category: Int, since: Int) -> SimulatedIndexes {
    guard lab is PlainLab, since >= SimulatedTime.birth + lab.count else { return members(of: category) }
    let all = lab.members(of: category)
    let later = changes.addedCategories.indices.filter { changes.addedCategories[$0] == category }
    return .list(changes.modified.keys.filter { all.contains($0) }.sorted() + later.map { $0 + lab.count })
  }

  /// Returns the cells of an entity in some columns.
  func cells(of entity: SimulatedEntity, _ columns: [String]) -> [SimulatedTable.Cell] {
    columns.map { column in
      switch column {
      case "PERM_ID": .text(entity.permID)
      case "REFCON": .text(entity.refcon)
      case "CATEGORY": .text(entity.category)
      case "SUMMARY_HEADER": .text(entity.header)
      case "SUMMARY": .text(entity.summary)
      case "IDENTIFIER": .text(entity.identifier)
      case "CHILDREN": .text(entity.childrenText)
      case "PROPERTIES": .text(entity.propertiesText)
      case "IMAGES": .text(entity.image.text(base: base))
      case "ROOT_LEVEL": .text(entity.isRoot ? "true" : "")
      default: ""
      }
    }
  }

  /// Returns the cells of a row that reports a deletion.
  func deletedCells(_ permID: String, _ columns: [String]) -> [SimulatedTable.Cell] {
    columns.map { $0 == "PERM_ID" ? .text(permID) : $0 == "DELETED" ? "true" : "" }
  }
}
