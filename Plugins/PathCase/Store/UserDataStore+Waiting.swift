import PluginStore

/// The same for work that has a thread of its own and may wait.
extension UserDataStore {
  /// Keeps a layout in the place of the one before.
  func saveAndWait(_ layout: FrozenLayout) throws {
    try store.writeAndWait { connection in
      try connection.execute("DELETE FROM layout WHERE pathway = ?", [layout.pathway.text])
      try connection.execute(
        "INSERT INTO layout VALUES (?, ?, ?)", [layout.pathway.text, layout.width, layout.height])
      try LayoutRows.write(layout, to: connection)
    }
  }

  /// Forgets a layout.
  ///
  /// - Returns: Whether there was one.
  func removeLayoutAndWait(of pathway: Identifier) throws -> Bool {
    try store.writeAndWait {
      try $0.execute("DELETE FROM layout WHERE pathway = ?", [pathway.text])
      return $0.changedRows > 0
    }
  }
}
