import PluginAPI
import PluginStore

// Deletions, and the conclusions from entities missing in a response.
extension RowApplier {
  /// Removes an entity deleted on the server; ignores the deletion of an unknown one.
  func delete(_ permID: String, _ id: Int?) throws {
    guard let id else {
      result.ignoredDeletions += 1
      return
    }
    try settle()
    if try columns(id)?.flags.contains(.navigation) == true { result.lostNavigation += 1 }
    try remove(id)
    result.removed += 1
  }

  /// Removes an entity with its edges; its children are kept.
  func remove(_ id: Int) throws {
    guard let columns = try columns(id) else { return }
    hasRemoved = true
    var permID = columns.permID
    permID.withUTF8 { known.enter($0, 0) }
    lists.forgetSorts()
    if !columns.flags.contains(.notLoaded) { try removeWords(id, columns) }
    let parents = try connection.list("SELECT parent FROM link WHERE child = ?", [id]) { $0.integer(0) }
    for parent in parents {
      try connection.execute(
        "DELETE FROM edge WHERE parent = ? AND sort = ? AND child = ?", [parent, columns.sort, id])
      try connection.execute(
        "UPDATE entity SET child_count = child_count - 1, children_digest = NULL WHERE id = ?", [parent])
    }
    try connection.execute("DELETE FROM link WHERE child = ?", [id])
    if columns.hasChildren { try removeChildren(of: id) }
    try connection.execute("DELETE FROM unindexed WHERE id = ?", [id])
    try connection.execute("DELETE FROM seen WHERE id = ?", [id])
    try connection.execute("DELETE FROM entity WHERE id = ?", [id])
  }

  private func removeChildren(of id: Int) throws {
    try connection.execute(
      "DELETE FROM link WHERE parent = ?1 AND child IN (SELECT child FROM edge WHERE parent = ?1)", [id])
    try connection.execute("DELETE FROM edge WHERE parent = ?", [id])
  }

  /// Removes all data of an entity except its id and its positions in the lists of its parents.
  func unload(_ id: Int) throws {
    guard let old = try columns(id), !old.flags.contains(.notLoaded) else { return }
    hasRemoved = true
    lists.forgetSorts()
    try removeWords(id, old)
    if old.hasChildren { try removeChildren(of: id) }
    let parents = try connection.list("SELECT parent FROM link WHERE child = ? AND told = 2", [id]) { $0.integer(0) }
    for parent in parents {
      try connection.execute("DELETE FROM edge WHERE parent = ? AND sort = ? AND child = ?", [parent, old.sort, id])
      try connection.execute(
        "UPDATE entity SET child_count = child_count - 1, children_digest = NULL WHERE id = ?", [parent])
    }
    try connection.execute("DELETE FROM link WHERE child = ? AND told = 2", [id])
    try connection.execute("UPDATE link SET told = 1 WHERE child = ?", [id])
    var new = StoredColumns(permID: old.permID, flags: .notLoaded)
    SortKey.append(category: "", header: "", permID: old.permID, isLoaded: false, to: &new.sort)
    try write(id, new)
    try move(id, from: old.sort, to: new.sort)
    try connection.execute("UPDATE entity SET child_count = NULL WHERE id = ?", [id])
    try connection.execute("DELETE FROM seen WHERE id = ?", [id])
    try connection.markUnindexed(id)
  }

  func closeAnswer() throws {
    switch kind {
    case .navigation: try closeNavigation()
    case .details(let asked): try markMissing(asked)
    default: break
    }
  }

  private func closeNavigation() throws {
    if result.count == 0 {
      result.warnings.append(
        Diagnostic(
          .warning, code: "openbis.navigation-empty", "the server lists no navigation entities; those known before stay"
        ))
      return
    }
    let others = try connection.list("SELECT id FROM entity WHERE flags & 4") { $0.integer(0) }
      .filter { !spokenOf.contains($0) }
    for id in others {
      try connection.execute("UPDATE entity SET flags = flags & ~4 WHERE id = ?", [id])
    }
    if !others.isEmpty { try EntityTally.forget(connection) }
    result.lostNavigation += others.count
  }

  private func markMissing(_ asked: [String]) throws {
    for permID in asked {
      guard let id = try number(of: permID), !spokenOf.contains(id) else { continue }
      // A category is known from the list of categories alone: no server has details of it.
      if try columns(id)?.flags.contains(.navigation) == true { continue }
      result.missing.append(permID)
      try connection.execute(
        "UPDATE entity SET flags = flags | ? WHERE id = ?", [EntityFlags.missingOnServer.rawValue, id])
    }
  }
}
