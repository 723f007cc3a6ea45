import PluginAPI

/// What rows of an answer did to the kept entities.
struct AppliedRows: Sendable, Hashable {
  /// Entities that were not known before, or by their ids alone.
  var added = 0
  /// Entities of which something was different, their children included.
  var changed = 0
  var unchanged = 0
  /// Entities the server said are deleted.
  var removed = 0
  /// Deletions of entities that were not known.
  var ignoredDeletions = 0
  /// Navigation entities that were deleted, or that the list of them has no more.
  var lostNavigation = 0
  /// Entities whose details were asked for and of which the answer said nothing.
  var missing: [String] = []
  var warnings: [Diagnostic] = []

  /// All rows that were taken.
  var count: Int { added + changed + unchanged + removed + ignoredDeletions }
}
