import PluginAPI
import PluginJSON

/// A request to the table service.
///
/// - Source: the sources of openBIS, its V1 and V3 interfaces
enum TableRequest: Sendable, Hashable {
  /// The entities that group the roots.
  case navigation
  /// The same request in the older dialect.
  case categories
  /// The roots below these navigation entities, or all roots if there are none.
  ///
  /// `lastUpdate` is the client's clock at the start of the last complete refresh, in seconds since 1970 with six
  /// decimals; `namesCategory` also sends the first entity's reference as `category`, for the oldest dialect.
  case roots([EntityReference], lastUpdate: String, namesCategory: Bool)
  /// The children of entities.
  case drill([EntityReference])
  /// All details of entities.
  case details([EntityReference])
  /// Entities that match a text, in a domain of the preferences or the default one.
  case search(String, domain: ClientPreferences.SearchDomain?)
  /// An empty request, which shows that server and session are alive.
  case ping
  /// The server's preferences for clients.
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

  /// The time without a received byte after which the call fails, in seconds.
  ///
  /// - Source: the sources of openBIS, its V1 and V3 interfaces; the server computes the whole table before it sends
  ///   the first byte.
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

  /// Writes entities; REFCON is sent as text to ROOT, and as the decoded value to DRILL and DETAIL.
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

  /// Inserts the text itself, so that numbers and the order of keys stay unchanged; as a string if it is not JSON.
  private static func write(decoded refcon: String, to writer: inout JSONWriter) {
    let bytes = Array(refcon.utf8)
    if isJSON(bytes) { writer.write(raw: bytes) } else { writer.write(refcon) }
  }

  private static func isJSON(_ bytes: [UInt8]) -> Bool {
    // A reader skips the byte order mark of UTF-8, but within another document it is an error.
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
