import PluginAPI

/// The command that finds entities by words.
enum SearchCommand {
  static let command = OpenBISCommand(
    CommandDescription(
      "search", "finds entities by words or parts of words", output: BrowseCommands.listing,
      effects: [.reads, .writes, .network]
    ).taking(
      [Parameter("text", .text, "what to look for", isRequired: true)],
      options: [
        Parameter("remote", .flag, "ask the server, which searches more than the cache; three characters at least"),
        Parameter("domain", .text, "the server's kind of search, by its key; else its first"),
        Parameter("anywhere", .flag, "find the text anywhere, within words too"),
        Parameter("under", .text, "only among what is below this entity; implies '--anywhere'"),
        Parameter("limit", .integer(minimum: 1, maximum: 1_000_000), "how many are given at most", defaultValue: 100),
        OpenBISCommand.account,
      ]
    ).explained(
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
    let ids = call.flag("remote") ? try await remote(call, browser) : try await local(call, browser)
    let values = try await browser.values(of: ids)
    if values.isEmpty {
      call.warn(Diagnostic(.note, code: "openbis.nothing-found", "nothing is found for '\(call.text("text"))'"))
    }
    try await call.emit(.list(values).typed(OpenBISValueType.entities))
  }

  /// Servers search nothing shorter.
  static let shortestRemote = 3

  private static func remote(_ call: CommandCall, _ browser: LabBrowser) async throws -> [String] {
    let text = call.text("text")
    guard text.count >= shortestRemote else {
      call.warn(
        Diagnostic(
          .note, code: "openbis.text-too-short", "the server is asked for \(shortestRemote) characters at least"))
      return []
    }
    let domain = call.text("domain")
    let ids = try await browser.notingReach {
      try await browser.searchRemotely(text, domain: domain.isEmpty ? nil : domain)
    }
    return Array(ids.prefix(call["limit"].integer ?? 100))
  }

  private static func local(_ call: CommandCall, _ browser: LabBrowser) async throws -> [String] {
    let (text, under, limit) = (call.text("text"), call.text("under"), call["limit"].integer ?? 100)
    var found = FoundEntities()
    if !call.flag("anywhere"), under.isEmpty { found = try await browser.cache.search(text, limit: limit) }
    if found.rows.isEmpty {
      found = try await browser.cache.filter(text, under: under.isEmpty ? nil : under, limit: limit)
    }
    if found.notIndexed > 0 {
      call.warn(
        Diagnostic(
          .note, code: "openbis.indexing",
          "\(found.notIndexed) entities are not indexed yet; more may be found later"))
    }
    if found.hasMore { call.warn(Diagnostic(.note, code: "openbis.more", "there are more than \(limit)")) }
    return found.rows.map(\.permID)
  }
}
