import PluginAPI

/// The changes that a response made to the cached entities.
struct AppliedRows: Sendable, Hashable {
  /// The number of entities that were unknown before, or known by id only.
  var added = 0
  /// The number of entities that changed, including changes of their children.
  var changed = 0
  var unchanged = 0
  /// The number of entities that the server reported as deleted.
  var removed = 0
  /// The number of deletions of unknown entities.
  var ignoredDeletions = 0
  /// The number of navigation entities that were deleted or are no longer listed.
  var lostNavigation = 0
  /// The ids of entities whose details were requested but not returned.
  var missing: [String] = []
  var warnings: [Diagnostic] = []

  /// The number of rows applied.
  var count: Int { added + changed + unchanged + removed + ignoredDeletions }
}
