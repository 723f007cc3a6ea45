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

/// The command `fetch`: checks whether the library has the file, downloads it and imports it.
enum MoleculeFetch {
  fileprivate static let url = Option("url", String.self, kind: .url, "the address of a file instead of a code")
  fileprivate static let format = Option(
    "format", "which file of the Protein Data Bank or AlphaFold; large entries have no pdb",
    default: MoleculeService.FileFormat.mmcif)
  fileprivate static let force = Option(flag: "force", "download it even if the library has it")

  @Sendable fileprivate static func run(_ call: CommandCall) async throws {
    let library = try MoleculeLibrary(call)
    let file = try await remoteFile(call, ServiceAccess(call.context))
    if !call[force] { try await refuseKnown(file, library) }
    let result = try await download(file, library, call)
    try await call.emit(Value.list([result.value(reportedTo: call)]).typed(ImportedMolecule.typeName))
  }

  /// Downloads a file and imports it into the library.
  static func download(
    _ file: RemoteFile, _ library: MoleculeLibrary, _ call: CommandCall
  ) async throws -> ImportedMolecule {
    let access = ServiceAccess(call.context)
    call.report(Progress("downloading \(file.name)"))
    let folder = call.context.folders.cache + "/downloads"
    let download = FileDownload(
      client: access.services.client, file: file, folder: folder, limitInBytes: access.downloadLimitInBytes)
    let bytes = try await download.run { state in call.report(progress(file, state)) }
    return try await library.importBytes(bytes, name: file.name, source: file.address)
  }

  /// Returns the file at an address; `molecules://host/path`, as in links of the original application, is
  /// `http://host/path`.
  static func file(at address: String) -> RemoteFile {
    let address = isLink(address) ? "http://" + address.dropFirst(link.count) : address
    return RemoteFile(address: address, name: name(of: address))
  }

  /// Returns true if a word is a link of the original application.
  static func isLink(_ word: String) -> Bool { word.lowercased().hasPrefix(link) }

  private static let link = "molecules://"

  private static func remoteFile(_ call: CommandCall, _ access: ServiceAccess) async throws -> RemoteFile {
    let (code, url) = (call[ServiceAccess.code] ?? "", call[url] ?? "")
    if url.isEmpty {
      if code.isEmpty { throw ServiceError.nothingNamed("there is no code", advice: "name a code, or use --url") }
      return try await access.services.file(code, access.service(call), format: call[format])
    }
    if !code.isEmpty {
      throw ServiceError.codeAndURL("'\(code)' and --url name two things", advice: "leave one of them out")
    }
    return file(at: url)
  }

  /// Returns the name of the file at an address.
  private static func name(of address: String) -> String {
    let path = address.utf8.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
    let parts = path.split(separator: UInt8(ascii: "/")).dropFirst(2)
    return parts.last.map { String(Substring($0)) } ?? "molecule"
  }

  /// Throws if the library already has the molecule of that code, or from that address.
  private static func refuseKnown(_ file: RemoteFile, _ library: MoleculeLibrary) async throws {
    let molecules = try await library.opened().molecules
    if let id = try await library.store.id(ofSource: file.address) {
      throw ServiceError.alreadyThere(file.code ?? file.name, id: id)
    }
    guard let code = file.code else { return }
    if let known = molecules.first(where: { $0.code.uppercased() == code.uppercased() }) {
      throw ServiceError.alreadyThere(code, id: known.id)
    }
  }

  private static func progress(_ file: RemoteFile, _ state: FileDownload.State) -> Progress {
    let kilobytes = state.received >> 10
    let share = state.total.flatMap { $0 > 0 ? Double(state.received) / Double($0) : nil }
    return Progress("downloading \(file.name): \(kilobytes) KiB", fraction: share.map { min(1, $0) })
  }
}

/// The services, as configured in the settings.
struct ServiceAccess: Sendable {
  /// The code of a molecule at a service.
  fileprivate static let code = Argument(
    "code", optional: String.self, "entry code, as search gives it; not needed with --url")

  /// The option for the service; defaults to the setting.
  fileprivate static let service = Option(
    "service", MoleculeService.self,
    "where it comes from: rcsb is the Protein Data Bank, soap and text its protocols of 2008 and 2009, pubchem has "
      + "small molecules, alphafold predicted proteins; the setting 'service' unless it is given")

  /// The plugin's settings for services.
  static let settings: [Parameter] =
    [
      Parameter(
        "service", MoleculeService.parameterKind, "where molecules come from unless a command says",
        defaultValue: MoleculeService.rcsb.parameterValue),
      Parameter("certificates", .text, "PEM file with the certificates to trust; the system's if it is empty"),
      Parameter(
        "deadline", .number(minimum: 0.1, maximum: 3600), "the time for each question to a service", unit: "second",
        defaultValue: 60),
      Parameter(
        "repeat-delay", .number(minimum: 0, maximum: 60), "the time before a question is repeated", unit: "second",
        defaultValue: 0.5),
      Parameter(
        "download-limit", .integer(minimum: 1, maximum: 2048), "the largest file that is downloaded, in MiB",
        unit: "MiB", defaultValue: 512),
      Parameter(
        "browser", .text, "the program that opens web pages, called with the address", defaultValue: "xdg-open"),
    ] + ServiceEndpoints.settings

  fileprivate let services: RemoteServices
  private let context: any PluginContext

  fileprivate init(_ context: any PluginContext) {
    self.context = context
    let certificates = context.setting("certificates").text ?? ""
    services = RemoteServices(
      .init(
        isOffline: context.isOffline, certificates: certificates.isEmpty ? nil : certificates,
        deadlineInSeconds: context.setting("deadline").number ?? 60,
        firstDelayInSeconds: context.setting("repeat-delay").number ?? 0.5),
      ServiceEndpoints { context.setting($0) })
  }

  /// Returns the service requested by a call.
  fileprivate func service(_ call: CommandCall) -> MoleculeService {
    call[Self.service] ?? MoleculeService(parameterValue: context.setting("service")) ?? .rcsb
  }

  /// The limit of downloaded files, in bytes.
  fileprivate var downloadLimitInBytes: Int { (context.setting("download-limit").integer ?? 512) << 20 }

  /// The program that opens web pages.
  fileprivate var browser: String { context.setting("browser").text ?? "xdg-open" }
}
