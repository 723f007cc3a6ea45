import PluginAPI

/// Commands that use services on the network: search, fetch, page.
enum ServiceCommands {
  static let all = [search, fetch, page]

  static let search = CommandPart(
    CommandDescription(
      "search", "finds molecules by words", output: .table(of: SearchHit.self), effects: [.reads, .network]
    ).taking(text, ServiceAccess.service, rows).explained(
      """
      The best come first. The Protein Data Bank looks into the whole text of its entries; PubChem takes a name, and \
      any words if nothing bears that name; AlphaFold takes the UniProt accession of a protein. 'fetch' takes the codes \
      that are found.
      """,
      examples: [
        .init("search crambin", "entries of the Protein Data Bank"),
        .init("search caffeine --service pubchem", "a small molecule"),
        .init("search 'heat shock' --rows 10 --json", "ten entries, for scripts"),
      ])
  ) { call in
    let access = ServiceAccess(call.context)
    let (text, service) = (call[text], access.service(call))
    call.report(Progress("searching '\(text)'"))
    let hits = try await access.services.search(text, service, rows: call[rows]) { call.warn($0) }
    if hits.isEmpty {
      call.warn(Diagnostic(.note, code: "molecules.no-hits", "nothing is found for '\(text)'"))
    }
    try await call.emit(table: hits)
  }

  private static let text = Argument("text", String.self, "words to look for")
  private static let rows = Option("rows", in: 1...1000, "the most that are wanted", default: 50)

  static let fetch = CommandPart(
    CommandDescription(
      "fetch", "downloads a molecule into the library",
      output: ImportedMolecule.output,
      effects: [.reads, .writes, .network]
    ).taking(
      ServiceAccess.code, MoleculeFetch.url, ServiceAccess.service, MoleculeFetch.format, MoleculeFetch.force
    ).explained(
      """
      What is cut short goes on where it stopped when it is fetched again, if the server can do that. The library takes \
      whole files only.
      """,
      examples: [
        .init("fetch 4hhb", "an entry of the Protein Data Bank"),
        .init("fetch 2519 --service pubchem", "caffeine with its 3-D form"),
        .init("fetch P69905 --service alphafold", "the predicted structure of a protein"),
        .init("fetch --url https://files.rcsb.org/ligands/download/HEM.cif", "a file of any server"),
      ]), MoleculeFetch.run)
}

extension ServiceCommands {
  static let page = CommandPart(
    CommandDescription(
      "page", "tells what a service says of a molecule, or reads its web page",
      output: .model(MoleculePage.self), effects: [.reads, .network]
    ).taking(ServiceAccess.code, ServiceAccess.service, isReading, url, isOpening).explained(
      "A number in brackets behind a word of the text is that of its link.",
      examples: [
        .init("page 4hhb", "title, abstract and the address of the web page"),
        .init("page 4hhb --read", "the web page as text"), .init("page 4hhb --open", "the web page in a browser"),
      ])
  ) { call in
    let access = ServiceAccess(call.context)
    var page = try await described(call, access)
    if call[isOpening] { try WebBrowser.open(page.address, with: access.browser) }
    if call[isReading] || !(call[url] ?? "").isEmpty {
      call.report(Progress("reading \(page.address)"))
      let read = try await read(page.address, access, call)
      if page.title.isEmpty { page.title = read.title }
      (page.address, page.text, page.links) = (read.address, read.text, read.links)
    }
    try await call.emit(page)
  }

  private static let isReading = Option(flag: "read", "give the text of the web page and its links too")
  private static let url = Option(
    "url", String.self, kind: .url, "a web page instead of a code: read it, as a link of another page")
  private static let isOpening = Option(flag: "open", "show the web page in a browser")

  /// Returns the description that is available before the web page is read.
  private static func described(_ call: CommandCall, _ access: ServiceAccess) async throws -> MoleculePage {
    let (code, address) = (call[ServiceAccess.code] ?? "", call[url] ?? "")
    guard address.isEmpty else { return MoleculePage(code: "", title: "", abstract: nil, address: address) }
    guard !code.isEmpty else {
      throw ServiceError.nothingNamed("there is no code", advice: "name a code, or use --url")
    }
    call.report(Progress("asking for \(code)"))
    return try await access.services.page(code, access.service(call))
  }

  private static func read(_ address: String, _ access: ServiceAccess, _ call: CommandCall) async throws -> WebPage {
    let make = try await access.services.read(address)
    return try await call.compute("reading \(address)") { _ in try make() }
  }
}
