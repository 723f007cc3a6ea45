import PluginAPI
import PluginText

/// The command that finds entities by words.
enum SearchCommand {
  private static let text = Argument("text", String.self, "Text to find")
  private static let isRemote = Option(
    flag: "remote", "Search on the server, which has more data than the cache; at least three characters")
  private static let domain = Option("domain", String.self, "Key of the server's search domain; by default the first")
  private static let isAnywhere = Option(flag: "anywhere", "Find the text anywhere, also within words")
  private static let root = Option("under", String.self, "PERM_ID of an entity to search below; implies '--anywhere'")
    .completed(by: "entities", column: "permId", summaryColumn: "title")
  private static let limit = Option("limit", in: 1...1_000_000, "Maximum number of entities to list", default: 100)

  static let command = OpenBISCommand(
    CommandDescription(
      "search", "Find entities by words or substrings",
      output: .init(.list(EntityFamily.schema), typeName: OpenBISValueType.entities, isStream: true),
      effects: [.reads, .writes, .network]
    ).taking(text, isRemote, domain, isAnywhere, root, limit, LabInputs.account).explained(
      """
      The search covers the cache, or the server with '--remote'. Each word of the text must begin a word of the \
      entity; case and accents are ignored. If nothing is found, the search looks for substrings. Results of the \
      server are cached and listed in the server's order.
      """,
      examples: [
        .init("search kinase", "In the cache"), .init("search yeast --remote", "On the server"),
        .init("search 303 --anywhere", "Within words, such as W303"),
      ])
  ) { call, laboratory in
    let browser = try await LabBrowser(call, laboratory)
    try check(call)
    if call[isRemote], isTooShort(call[text]) {
      // The server was not searched, so nothing is said about what it has.
      call.warn(
        Diagnostic(
          .note, code: "openbis.text-too-short", "a search on the server needs at least \(shortestRemote) characters"))
      return try await call.emit(.list([]).typed(OpenBISValueType.entities))
    }
    let ids = call[isRemote] ? PackedTexts(try await remote(call, browser)) : try await local(call, browser)
    var hasAny = false
    // One list written in parts: a million entities are never held at once.
    try await browser.forEachPart(of: ids) { values in
      hasAny = hasAny || !values.isEmpty
      if !values.isEmpty { try await call.emit(.list(values).typed(OpenBISValueType.entities)) }
    }
    if hasAny { return }
    call.warn(
      Diagnostic(
        .note, code: "openbis.nothing-found",
        (call[isRemote] ? "the server found nothing for" : "nothing was found for")
          + " '\(SanitizedText.line(call[text], limit: 60))'"))
    try await browser.noteNeverSynced()
    try await call.emit(.list([]).typed(OpenBISValueType.entities))
  }

  /// Rejects options that would be ignored.
  private static func check(_ call: CommandCall) throws {
    if call[text].allSatisfy(\.isWhitespace) {
      throw LabError.emptyText("the text to find is empty", advice: "give a word or a part of one")
    }
    let ignored: String? =
      if call[isRemote] {
        call[isAnywhere] ? isAnywhere.parameter.name : call[root]?.isEmpty == false ? root.parameter.name : nil
      } else {
        call[domain]?.isEmpty == false ? domain.parameter.name : nil
      }
    guard let ignored else { return }
    throw LabError.otherSearch(
      call[isRemote] ? "'--\(ignored)' works only in the cache" : "'--\(ignored)' works only on the server",
      advice: call[isRemote] ? "leave out '--remote' to search the cache" : "give '--remote' too",
      details: ["option": .text(ignored)])
  }

  /// The length of the shortest text that servers search, in characters.
  private static let shortestRemote = 3

  /// Returns true if servers do not search a text; blanks around it do not count.
  static func isTooShort(_ text: String) -> Bool { text.trimmed().count < shortestRemote }

  private static func remote(_ call: CommandCall, _ browser: LabBrowser) async throws -> [String] {
    let (text, domain, limit) = (call[text], call[domain] ?? "", call[limit])
    if !domain.isEmpty { try await browser.checkDomain(domain) }
    let ids = try await browser.notingReach {
      // One result more than requested shows whether there are more.
      try await browser.searchRemotely(text, domain: domain.isEmpty ? nil : domain, limit: limit + 1)
    }
    if ids.count > limit { noteMore(call, than: limit) }
    return Array(ids.prefix(limit))
  }

  private static func local(_ call: CommandCall, _ browser: LabBrowser) async throws -> PackedTexts {
    let (text, under, limit) = (call[text], call[root] ?? "", call[limit])
    if !under.isEmpty, try await browser.cache.entity(under) == nil { throw try await browser.unknown(under) }
    var found = FoundIDs()
    let isAnywhere = call[isAnywhere] || !under.isEmpty
    if !isAnywhere { found = try await browser.cache.searchIDs(text, limit: limit) }
    if found.ids.isEmpty {
      found = try await browser.cache.filterIDs(text, under: under.isEmpty ? nil : under, limit: limit)
    }
    if found.ids.isEmpty, isAnywhere, try await browser.cache.syncState().completedAt == nil {
      throw LabError.indexing(
        "nothing was found, but '\(browser.account.server.shown)' was never synced completely",
        advice: "fill the cache and its index with 'workbench openbis sync'"
      ).sanitized
    }
    if found.notIndexed > 0 {
      // "No results" would be a claim about entities that were not searched.
      if found.ids.isEmpty, isAnywhere {
        throw LabError.indexing(
          "nothing was found, but \(found.notIndexed) entities are not in the substring index",
          advice: "update the index with 'workbench openbis sync', or leave out '--anywhere' to find whole words",
          details: ["entities": .integer(found.notIndexed)], isRetryable: true)
      }
      call.warn(
        Diagnostic(
          .note, code: "openbis.indexing",
          "\(found.notIndexed) entities are not in the substring index yet and were not searched",
          advice: "update the index with 'workbench openbis sync'"))
    }
    if found.hasMore { noteMore(call, than: limit) }
    return found.ids
  }

  private static func noteMore(_ call: CommandCall, than limit: Int) {
    call.warn(Diagnostic(.note, code: "openbis.more", "more than \(limit) entities were found"))
  }
}

extension LabBrowser {
  /// Rejects a search domain that the server does not offer, if the server has named its domains.
  func checkDomain(_ key: String) async throws {
    if account.backEnd == .native { throw LabError.unknownDomain(key, known: []) }
    let state = try await cache.syncState()
    let known = state.preferences.searchDomains.map(\.key)
    if state.completedAt != nil, !known.contains(key) { throw LabError.unknownDomain(key, known: known) }
  }
}
