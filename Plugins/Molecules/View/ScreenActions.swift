/// The actions of the viewer.
enum ViewerAction: String, CaseIterable {
  case zoom
  case roll
  case reset
  case spin
  case chooseMode = "choose-mode"
  case color
  case select
  case clearSelection = "clear-selection"
  case keepSelection = "keep-selection"
  case chooseSelection = "choose-selection"
  case label
  case nextMode = "next-mode"
  case model
  case play
  case assembly
  case occlusion
  case outline
  case fog
  case molecule
  case library
  case details
  case undo
  case redo
  case sequence
  case structures
  case add
  case saveSession = "save-session"
  case openSession = "open-session"
  case about
  case mode
  case turn
  case pan

  /// A Boolean value indicating whether quick repetitions are undone in one step.
  var isContinuous: Bool { self == .turn || self == .pan || self == .zoom || self == .roll }
}

/// The actions of the screen with the metadata of a molecule.
enum DetailAction: String, CaseIterable {
  case read
  case show
}

/// The actions of the search for new molecules.
enum SearchAction: String, CaseIterable {
  case open
  case words
  case service
}

/// The actions of the screen of one search result.
enum DownloadAction: String, CaseIterable {
  case choose
  case download
  case read
  case browse
  case cancel
}

/// The actions of the screen of a web page.
enum PageAction: String, CaseIterable {
  case follow
  case link
  case number
  case browse
  case back
  case again
}
