import PluginAPI

/// Commands that use services on the network: search, fetch, page.
enum ServiceCommands {
  static let all = [search, fetch, page]

  static let search = CommandPart(
    CommandDescription(
      "search", "finds molecules by words", output: .init(.table(searchFields)), effects: [.reads, .network]
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
    try await call.emit(.table(table(hits)))
  }

  private static let text = Argument("text", String.self, "words to look for")
  private static let rows = Option("rows", in: 1...1000, "the most that are wanted", default: 50)

  static let fetch = CommandPart(
    CommandDescription(
      "fetch", "downloads a molecule into the library",
      output: .init(.list(.record(LibraryCommands.importFields)), typeName: MoleculeValueType.importReport),
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

  private static let searchFields: [ValueSchema.Field] = [
    .init("code", .text, "by which it is fetched"),
    .init("title", .text, "title, empty if the service says none"),
    .init("method", .optional(.text), "experimental method, or the formula of a compound"),
    .init("resolution", .optional(.number), "resolution in angstrom"),
  ]

  static func table(_ hits: [SearchHit]) -> Table {
    Table(columns: [
      .init("code", title: "Code", .texts(hits.map(\.code))),
      .init("title", title: "Title", .texts(hits.map(\.title))),
      .init("method", title: "Method", .values(hits.map { .optional($0.method) })),
      .init("resolution", title: "Resolution", unit: "angstrom", .values(hits.map { .optional($0.resolution) })),
    ])
  }
}

extension ServiceCommands {
  static let page = CommandPart(
    CommandDescription(
      "page", "tells what a service says of a molecule, or reads its web page",
      output: .init(.record(pageFields), typeName: MoleculeValueType.page), effects: [.reads, .network]
    ).taking(ServiceAccess.code, ServiceAccess.service, isReading, url, isOpening).explained(
      "A number in brackets behind a word of the text is that of its link.",
      examples: [
        .init("page 4hhb", "title, abstract and the address of the web page"),
        .init("page 4hhb --read", "the web page as text"), .init("page 4hhb --open", "the web page in a browser"),
      ])
  ) { call in
    let access = ServiceAccess(call.context)
    var page = try await described(call, access)
    if call[isOpening] { try WebBrowser.open(page["address"]?.text ?? "", with: access.browser) }
    if call[isReading] || !(call[url] ?? "").isEmpty {
      call.report(Progress("reading \(page["address"]?.text ?? "")"))
      let read = try await read(page["address"]?.text ?? "", access, call)
      if page["title"]?.text?.isEmpty ?? true { page["title"] = .text(read.title) }
      page["address"] = .text(read.address)
      page["text"] = .text(read.text)
      page["links"] = .list(
        read.links.map {
          ["number": .integer($0.number), "text": .text($0.text), "address": .text($0.address)]
        })
    }
    try await call.emit(Value.record(page).typed(MoleculeValueType.page))
  }

  private static let isReading = Option(flag: "read", "give the text of the web page and its links too")
  private static let url = Option(
    "url", String.self, kind: .url, "a web page instead of a code: read it, as a link of another page")
  private static let isOpening = Option(flag: "open", "show the web page in a browser")

  /// Returns the description that is available before the web page is read.
  private static func described(_ call: CommandCall, _ access: ServiceAccess) async throws -> Record {
    var page = MoleculePage(code: "", title: "", abstract: nil, address: call[url] ?? "")
    let code = call[ServiceAccess.code] ?? ""
    if page.address.isEmpty {
      guard !code.isEmpty else { throw ServiceError.nothingNamed }
      call.report(Progress("asking for \(code)"))
      page = try await access.services.page(code, access.service(call))
    }
    return [
      "code": .text(page.code), "title": .text(page.title), "abstract": .optional(page.abstract),
      "address": .text(page.address), "text": .null, "links": [],
    ]
  }

  private static func read(_ address: String, _ access: ServiceAccess, _ call: CommandCall) async throws -> WebPage {
    let make = try await access.services.read(address)
    return try await call.compute("reading \(address)") { _ in try make() }
  }

  private static let pageFields: [ValueSchema.Field] = [
    .init("code", .text, "entry code; empty for any page"),
    .init("title", .text, "title"),
    .init("abstract", .optional(.text), "what the authors say of it; null if there is nothing"),
    .init("address", .text, "address of the web page"),
    .init("text", .optional(.text), "the web page as text; null unless it was read"),
    .init(
      "links",
      .list(
        .record([
          .init("number", .integer, "the number in the text, from 1"), .init("text", .text, "what is shown"),
          .init("address", .text, "where it leads"),
        ])), "the links of the web page, in order"),
  ]
}
