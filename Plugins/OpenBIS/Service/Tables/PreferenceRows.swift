import PluginAPI
import PluginJSON

/// A reader of the table of CLIENT_PREFS.
struct PreferenceRows: TableRows {
  /// The server's preferences, with the defaults for missing ones.
  private(set) var preferences = ClientPreferences()
  private var keyColumn: Int?
  private var valueColumn: Int?
  private var key = ""
  private var value = ""

  mutating func begin(_ columns: [String]) {
    keyColumn = columns.firstIndex(of: "KEY")
    valueColumn = columns.firstIndex(of: "VALUE")
  }

  mutating func take(_ cell: UnsafeBufferPointer<UInt8>, column: Int) {
    if column == keyColumn { key = String(decoding: cell, as: UTF8.self) }
    if column == valueColumn { value = String(decoding: cell, as: UTF8.self) }
  }

  mutating func endRow(cells: Int) {
    switch key {
    case "ROOT_SET_REFRESH_INTERVAL": preferences.refreshIntervalInSeconds = ClientPreferences.interval(value)
    case "SEARCH_DOMAINS": preferences.searchDomains = Self.domains(value)
    default: break
    }
    (key, value) = ("", "")
  }

  mutating func passOver() {}

  /// Returns the domains of a JSON list, without those that have no key.
  private static func domains(_ text: String) -> [ClientPreferences.SearchDomain] {
    let values = (try? Value(json: Array(text.utf8), depth: 16))?.list ?? []
    return values.compactMap { value in
      guard let key = value["key"].text, !key.isEmpty else { return nil }
      return ClientPreferences.SearchDomain(key: key, label: value["label"].text ?? key)
    }
  }
}
