import PluginAPI
import PluginJSON

/// What is asked of the table service.
///
/// - Source: the sources of openBIS, its V1 and V3 interfaces
enum TableRequest: Sendable, Hashable {
  /// The entities under which the roots are grouped.
  case navigation
  /// The same in the older dialect.
  case categories
  /// The roots below these navigation entities; of all if there are none.
  ///
  /// `lastUpdate` is the client's clock at the start of the last complete refresh, in seconds since 1970 with six
  /// decimals; `namesCategory` also sends the first entity's own words as `category`, for the oldest dialect.
  case roots([EntityReference], lastUpdate: String, namesCategory: Bool)
  /// The children of entities.
  case drill([EntityReference])
  /// All there is to know of entities.
  case details([EntityReference])
  /// Entities that match a text, in a domain of the preferences or the usual one.
  case search(String, domain: ClientPreferences.SearchDomain?)
  /// Nothing; shows that server and session live.
  case ping
  /// How clients shall behave.
  case preferences

  /// The value of `requestKey`.
  var key: String {
    switch self {
    case .navigation: "NAVIGATION"
    case .categories: "CATEGORIES"
    case .roots: "ROOT"
    case .drill: "DRILL"
    case .details: "DETAIL"
    case .search: "SEARCH"
    case .ping: "PING"
    case .preferences: "CLIENT_PREFS"
    }
  }

  /// When the call is given up for silence, in seconds.
  ///
  /// - Source: the sources of openBIS, its V1 and V3 interfaces; the server computes all of a table before it sends the first byte.
  var stallInSeconds: Int {
    if case .roots = self { return 60 }
    return 30
  }

  /// The map of parameters, as JSON.
  var parameters: [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    writer.key("requestKey")
    writer.write(key)
    switch self {
    case .roots(let entities, let lastUpdate, let namesCategory):
      Self.write(entities, isDecoded: false, to: &writer)
      writer.key("lastupdate")
      writer.write(lastUpdate)
      if namesCategory, let first = entities.first {
        writer.key("category")
        Self.write(decoded: first.refcon, to: &writer)
      }
    case .drill(let entities), .details(let entities): Self.write(entities, isDecoded: true, to: &writer)
    case .search(let text, let domain):
      writer.key("searchtext")
      writer.write(text)
      if let domain {
        writer.key("searchdomain")
        writer.write(.record(["key": .text(domain.key), "label": .text(domain.label)]))
      }
    case .navigation, .categories, .ping, .preferences: break
    }
    writer.endObject()
    return writer.take()
  }

  /// REFCON goes back as text to ROOT, and as the value that the text stands for to DRILL and DETAIL.
  ///
  /// - Source: the sources of openBIS, its V1 and V3 interfaces; plugins index into the value.
  private static func write(_ entities: [EntityReference], isDecoded: Bool, to writer: inout JSONWriter) {
    writer.key("entities")
    writer.beginArray()
    for entity in entities {
      writer.beginObject()
      writer.key("PERM_ID")
      writer.write(entity.permID)
      writer.key("REFCON")
      if isDecoded { write(decoded: entity.refcon, to: &writer) } else { writer.write(entity.refcon) }
      writer.endObject()
    }
    writer.endArray()
  }

  /// Inserts the text itself, so that no number and no order of keys changes; as a text if it is no JSON.
  private static func write(decoded refcon: String, to writer: inout JSONWriter) {
    let bytes = Array(refcon.utf8)
    if isJSON(bytes) { writer.write(raw: bytes) } else { writer.write(refcon) }
  }

  private static func isJSON(_ bytes: [UInt8]) -> Bool {
    // A reader passes over the mark of UTF-8, but within another document it is wrong.
    if bytes.isEmpty || bytes.first == 0xEF { return false }
    do {
      let reader = try JSONReader { event in
        switch event {
        case .beginObject, .beginArray: .skip
        default: .more
        }
      }
      try reader.push(bytes)
      try reader.finish()
      return true
    } catch {
      return false
    }
  }
}
