import PluginAPI
import PluginText

/// The command that finds entities by words.
enum SearchCommand {
  private static let text = Argument("text", String.self, "what to look for")
  private static let isRemote = Option(
    flag: "remote", "ask the server, which searches more than the cache; three characters at least")
  private static let domain = Option("domain", String.self, "the server's kind of search, by its key; else its first")
  private static let isAnywhere = Option(flag: "anywhere", "find the text anywhere, within words too")
  private static let root = Option(
    "under", String.self, "only among what is below this entity; implies '--anywhere'")
  private static let limit = Option("limit", in: 1...1_000_000, "how many are given at most", default: 100)

  static let command = OpenBISCommand(
    CommandDescription(
      "search", "find entities by words or parts of words",
      output: .init(.list(EntityFamily.schema), typeName: OpenBISValueType.entities, isStream: true),
      effects: [.reads, .writes, .network]
    ).taking(text, isRemote, domain, isAnywhere, root, limit, OpenBISCommand.account).explained(
      """
      The cache is searched unless '--remote' is given: every word must begin a word of the entity. Capital and small \
      letters and accents make no difference. If nothing is found so, parts of words are looked for. What the server \
      finds is kept in the cache and given in the server's order.
      """,
      examples: [
        .init("search kinase", "in the cache"), .init("search yeast --remote", "on the server"),
        .init("search 303 --anywhere", "within words, such as W303"),
      ])
  ) { call, laboratory in
    let browser = try await LabBrowser(call, laboratory)
    try check(call)
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
        (call[isRemote] ? "the server found nothing for" : "nothing is found for")
          + " '\(SanitizedText.line(call[text], limit: 60))'"))
    try await browser.noteNeverSynced()
    try await call.emit(.list([]).typed(OpenBISValueType.entities))
  }

  /// Rejects options that would be ignored.
  private static func check(_ call: CommandCall) throws {
    if call[text].allSatisfy(\.isWhitespace) {
      throw LabError.emptyText("there is nothing to look for", advice: "give a word or a part of one")
    }
    let ignored: String? =
      if call[isRemote] {
        call[isAnywhere] ? isAnywhere.parameter.name : call[root]?.isEmpty == false ? root.parameter.name : nil
      } else {
        call[domain]?.isEmpty == false ? domain.parameter.name : nil
      }
    guard let ignored else { return }
    throw LabError.otherSearch(
      call[isRemote] ? "the server knows nothing of '--\(ignored)'" : "'--\(ignored)' is the server's",
      advice: call[isRemote] ? "leave out '--remote' to search the cache" : "give '--remote' too",
      details: ["option": .text(ignored)])
  }

  /// The length of the shortest text that servers search, in characters.
  static let shortestRemote = 3

  private static func remote(_ call: CommandCall, _ browser: LabBrowser) async throws -> [String] {
    let text = call[text]
    guard text.count >= shortestRemote else {
      call.warn(
        Diagnostic(
          .note, code: "openbis.text-too-short", "the server is asked for \(shortestRemote) characters at least"))
      return []
    }
    let (domain, limit) = (call[domain] ?? "", call[limit])
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
    if found.notIndexed > 0 {
      // "No results" would be a claim about entities that were not searched.
      if found.ids.isEmpty, isAnywhere {
        throw LabError.indexing(
          "\(found.notIndexed) entities are not indexed for parts of words, and nothing is found among the others",
          advice: "'workbench openbis sync' makes the index; whole words are found without '--anywhere'",
          details: ["entities": .integer(found.notIndexed)], isRetryable: true)
      }
      call.warn(
        Diagnostic(
          .note, code: "openbis.indexing",
          "\(found.notIndexed) entities are not indexed for parts of words yet; more may be found later",
          advice: "'workbench openbis sync' makes the index"))
    }
    if found.hasMore { noteMore(call, than: limit) }
    return found.ids
  }

  private static func noteMore(_ call: CommandCall, than limit: Int) {
    call.warn(Diagnostic(.note, code: "openbis.more", "there are more than \(limit)"))
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
