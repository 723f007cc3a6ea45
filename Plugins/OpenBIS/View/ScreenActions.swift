/// The actions of the browser of entities.
enum BrowserAction: String, CaseIterable {
  case open, details, search, tree, files, refresh
  case refreshAll = "refresh-all"
  case online, export, servers, top
}

/// The actions of the screen with all details of an entity.
enum DetailAction: String, CaseIterable { case choose, refresh, tree, files, image, export, copy, online }

/// The actions of the search.
enum SearchAction: String, CaseIterable { case open, kind }
